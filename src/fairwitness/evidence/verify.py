"""Verifies an evidence file: its signature, its digests against the body, and the judgement run again.

Each is reported on its own, and every fault names the part of the file it is in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from fairwitness.evaluator import Evaluator
from fairwitness.evidence.canonical import BadDocument, canonical, read, shown
from fairwitness.evidence.envelope import PublicKey, open_envelope
from fairwitness.evidence.recompute import recompute
from fairwitness.evidence.report import Check, Report
from fairwitness.evidence.statement import Statement, digests

# Where the predicate repeats what the body says, by the predicate's member and the body's.
_REPEATED = {
    "requestId": ("requestId",),
    "completedAt": ("completedAt",),
    "providers": ("request", "providers"),
}
_TEXTS = {"response", "evaluation"}


def verify(document: bytes, keys: Sequence[PublicKey], evaluator: Evaluator) -> Report:
    """Check one file; raise BadDocument where it is not an evidence file that can be read at all."""
    body = read(document)
    if not isinstance(body, dict):
        raise BadDocument("not a JSON object")
    if "evidence" not in body:
        raise BadDocument("evidence: missing; this is not the answer of arena-evidence")
    envelope = body.pop("evidence")
    opened = open_envelope(envelope, keys)
    checks = [Check("signature", part, "failed", message) for part, message in opened.faults]
    if opened.signed_by is not None:
        keyid = opened.signed_by.keyid
        checks.append(Check("signature", "evidence", "ok", f"signed by the key {keyid}"))
    statement = None
    if opened.payload is not None:
        try:
            statement = read_statement(opened.payload)
        except BadDocument as error:
            checks.append(Check("digests", "evidence.payload", "failed", str(error)))
    else:
        checks.append(Check("digests", "evidence.payload", "failed", "nothing to compare with"))
    if statement is not None:
        checks.extend(_compare_digests(statement, body))
        checks.extend(_compare_repeated(statement, body))
    checks.extend(recompute(body, statement, evaluator))
    return Report(checks)


def read_statement(payload: bytes) -> Statement:
    """Read the signed payload; it must be our kind of statement in its one canonical spelling."""
    value = read(payload)
    if canonical(value) != payload:
        raise BadDocument("not in canonical form (RFC 8785)")
    try:
        return msgspec.convert(value, Statement)
    except msgspec.ValidationError as error:
        raise BadDocument(f"not a statement of this version: {error}") from None


def _compare_digests(statement: Statement, body: dict[str, Any]) -> Iterator[Check]:
    signed = {subject.name: subject.digest.sha256 for subject in statement.subject}
    if len(signed) != len(statement.subject):
        yield Check("digests", "evidence.payload", "failed", "a part is named twice")
    found = digests(body)
    for part, value in signed.items():
        if part not in found:
            yield Check("digests", part, "failed", "signed, but missing from the body")
        elif found[part] != value:
            yield Check("digests", part, "failed", "digest differs: changed after signing")
        else:
            yield Check("digests", part, "ok", value)
    for part in found:
        if part not in signed:
            yield Check("digests", part, "failed", "not signed: added to the body")


def _compare_repeated(statement: Statement, body: dict[str, Any]) -> Iterator[Check]:
    predicate = msgspec.to_builtins(statement.predicate)
    pairs: list[tuple[str, Any, Any]] = [
        (".".join(path), predicate[name], _reach(body, path)) for name, path in _REPEATED.items()
    ]
    pairs.append(("protocolVersion", predicate["protocol"]["version"], body.get("protocolVersion")))
    pairs.append(
        ("evaluatorVersion", predicate["evaluator"]["version"], body.get("evaluatorVersion"))
    )
    results = body.get("results")
    items = results if isinstance(results, list) else []
    pairs.append(
        ("results", [_told(run) for run in predicate["results"]], [_told(i) for i in items])
    )
    for part, said, stands in pairs:
        if canonical(said) == canonical(stands):
            yield Check("digests", f"predicate: {part}", "ok", "as in the body")
        else:
            message = f"the statement says {shown(said)}, the body {shown(stands)}"
            yield Check("digests", part, "failed", message)


def _reach(body: Mapping[str, Any], path: Sequence[str]) -> Any:
    value: Any = body
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _told(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    return {key: value for key, value in item.items() if key not in _TEXTS}
