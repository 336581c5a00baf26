"""Verifies an evidence file: its signature, its digests against the body, and the evaluations run again.

Each is reported on its own, and every fault names the part of the file it is in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from cryptography.x509 import Certificate

from fairwitness.evaluator import Evaluator
from fairwitness.evidence.canonical import BadDocument, canonical, read, shown
from fairwitness.evidence.envelope import PublicKey, open_envelope
from fairwitness.evidence.recompute import recompute
from fairwitness.evidence.statement import Statement, digests, step
from fairwitness.evidence.timestamp import Stamp, envelope_digest
from fairwitness.evidence.verification_report import Status, VerificationCheck, VerificationReport

# What a result's entry in the statement leaves to the digests alone.
_TEXTS = {"response", "evaluation"}


# A run that began before a key was replaced may end a little after it.
_ROTATION_SLACK = timedelta(minutes=15)


def verify(
    document: bytes,
    keys: Sequence[PublicKey],
    evaluator: Evaluator,
    *,
    stamp: Stamp | None = None,
    authorities: Sequence[Certificate] = (),
) -> VerificationReport:
    """VerificationCheck one file, and its time stamp where there is one; `authorities` are whose stamps are trusted.

    Raises BadDocument where it is not an evidence file that can be read at all.
    """
    body = read(document)
    if not isinstance(body, dict):
        raise BadDocument("not a JSON object")
    if "evidence" not in body:
        raise BadDocument("evidence: missing; this is not a response of arena-evidence")
    envelope = body.pop("evidence")
    opened = open_envelope(envelope, keys)
    status: Status = "unknown_signer" if opened.unknown_signer else "failed"
    checks = [
        VerificationCheck("signature", part, status, message) for part, message in opened.faults
    ]
    if opened.signed_by is not None:
        keyid = opened.signed_by.keyid
        checks.append(
            VerificationCheck("signature", "evidence", "ok", f"signed by the key {keyid}")
        )
    sealed = envelope_digest(envelope)
    stamped_at = None
    if stamp is not None:
        checks.append(_check_stamp(stamp, sealed, authorities))
        stamped_at = stamp.made_at if checks[-1].status == "ok" else None
    statement = None
    if opened.payload is not None:
        try:
            statement = read_statement(opened.payload)
        except BadDocument as error:
            checks.append(VerificationCheck("digests", "evidence.payload", "failed", str(error)))
    else:
        checks.append(
            VerificationCheck("digests", "evidence.payload", "failed", "nothing to compare with")
        )
    if statement is not None and opened.signed_by is not None:
        checks.extend(_check_times(opened.signed_by, statement, stamped_at))
    if statement is not None:
        checks.extend(_compare_digests(statement, body))
        checks.extend(_compare_repeated(statement, body))
    checks.extend(recompute(body, statement, evaluator))
    return VerificationReport(checks, sealed)


def _check_stamp(
    stamp: Stamp, sealed: str, authorities: Sequence[Certificate]
) -> VerificationCheck:
    name = stamp.signer.subject.rfc4514_string()
    if stamp.imprint != sealed:
        message = "made for something else than this evidence"
        return VerificationCheck("timestamp", "timestamp", "failed", message)
    told = f"existed on {stamp.made_at:%Y-%m-%d %H:%M:%S} UTC, says {shown(name, 120)}"
    if not authorities:
        note = f"{told}; give --timestamp-ca to check who that is"
        return VerificationCheck("timestamp", "timestamp", "unknown_authority", note)
    if not stamp.vouched_for(authorities):
        note = f"{told}, whom none of the certificates given vouches for"
        return VerificationCheck("timestamp", "timestamp", "failed", note)
    return VerificationCheck("timestamp", "timestamp", "ok", told)


def _check_times(
    key: PublicKey, statement: Statement, stamped_at: datetime | None
) -> Iterator[VerificationCheck]:
    """Hold a signature to its key's times; a trusted time stamp shows that it is older than a revocation."""
    where = "evidence.signatures[0].keyid"
    revoked = None if key.revoked_at is None else datetime.fromisoformat(key.revoked_at)
    if revoked is not None and not (stamped_at is not None and stamped_at < revoked):
        message = f"the key was revoked on {key.revoked_at}: what it signed may be a forgery"
        yield VerificationCheck("signature", where, "failed", message)
    if key.valid_until is None:
        return
    until = datetime.fromisoformat(key.valid_until)
    try:
        completed = datetime.fromisoformat(statement.predicate.completed_at)
        late = completed > until + _ROTATION_SLACK
    except (ValueError, TypeError):
        late = True
    if late:
        message = f"the key signed until {key.valid_until}, and this says it was made later"
        yield VerificationCheck("signature", where, "failed", message)


def read_statement(payload: bytes) -> Statement:
    """Read the signed payload; it must be our kind of statement in its one canonical spelling."""
    value = read(payload)
    if canonical(value) != payload:
        raise BadDocument("not in canonical form (RFC 8785)")
    try:
        return msgspec.convert(value, Statement)
    except msgspec.ValidationError as error:
        raise BadDocument(f"not a statement of this version: {error}") from None


def _compare_digests(statement: Statement, body: dict[str, Any]) -> Iterator[VerificationCheck]:
    signed = {subject.name: subject.digest.sha256 for subject in statement.subject}
    if len(signed) != len(statement.subject):
        yield VerificationCheck("digests", "evidence.payload", "failed", "a part is listed twice")
    found = digests(body)
    for part, value in signed.items():
        if part not in found:
            yield VerificationCheck("digests", part, "failed", "signed, but missing from the body")
        elif found[part] != value:
            yield VerificationCheck(
                "digests", part, "failed", "digest differs: changed after signing"
            )
        else:
            yield VerificationCheck("digests", part, "ok", value)
    for part in found:
        if part not in signed:
            yield VerificationCheck("digests", part, "failed", "not signed: added to the body")


def _compare_repeated(statement: Statement, body: dict[str, Any]) -> Iterator[VerificationCheck]:
    said, stands = _said(msgspec.to_builtins(statement.predicate)), _stands(body)
    for part in [*said, *(part for part in stands if part not in said)]:
        if part not in stands or part not in said:
            where = "the body" if part not in stands else "the statement"
            yield VerificationCheck("digests", part, "failed", f"missing from {where}")
        elif canonical(said[part]) != canonical(stands[part]):
            message = f"the statement says {shown(said[part])}, the body {shown(stands[part])}"
            yield VerificationCheck("digests", part, "failed", message)


def _said(predicate: dict[str, Any]) -> dict[str, Any]:
    found = {name: predicate[name] for name in ("requestId", "completedAt")}
    found["request.providers"] = predicate["providers"]
    found["protocolVersion"] = predicate["protocol"]["version"]
    found["evaluatorVersion"] = predicate["evaluator"]["version"]
    return found | _runs(predicate["results"])


def _stands(body: dict[str, Any]) -> dict[str, Any]:
    names = ("requestId", "completedAt", "protocolVersion", "evaluatorVersion")
    found = {name: body[name] for name in names if name in body}
    request = body.get("request")
    if isinstance(request, dict) and "providers" in request:
        found["request.providers"] = request["providers"]
    return found | _runs(body.get("results"))


def _runs(results: Any) -> dict[str, Any]:
    if not isinstance(results, list):
        return {}
    return {
        step(f"results[{index}]", key): value
        for index, item in enumerate(results)
        if isinstance(item, dict)
        for key, value in item.items()
        if key not in _TEXTS
    }
