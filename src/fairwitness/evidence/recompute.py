"""Runs the judgement again on the responses in a file, and says how near it comes to what the file holds.

An evaluation made by another version is named as such, never called false.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from fairwitness.contract.errors import InvalidRequest
from fairwitness.contract.ranking import summarise
from fairwitness.contract.results import ResultItem
from fairwitness.evaluator import Evaluator
from fairwitness.evaluator.version import code_digest, model_digest
from fairwitness.evidence import runtime
from fairwitness.evidence.canonical import canonical, shown
from fairwitness.evidence.statement import EvaluatorRef, Statement, step
from fairwitness.evidence.verification_report import VerificationCheck

# Published: how far a number may move between kinds of CPU before it counts as different. Measured by
# perf/processor_kinds.py: nothing moved between AVX-512 and AVX2; without either, scores by 1.5, confidences by 0.01.
SCORE_TOLERANCE = 2.0
CONFIDENCE_TOLERANCE = 0.02
# Messages and summaries print probabilities, which move as confidences do, and scores.
_DECIMAL = re.compile(r"(\d+\.\d+)")
TOLERANCES: Mapping[str, float] = {
    "overallScore": SCORE_TOLERANCE,
    "score": SCORE_TOLERANCE,
    "confidence": CONFIDENCE_TOLERANCE,
    "message": CONFIDENCE_TOLERANCE,
    "summary": CONFIDENCE_TOLERANCE,
}

_ABSENT: Any = object()

Nearness = Literal["identical", "within_tolerance", "different"]


def recompute(
    body: dict[str, Any], statement: Statement | None, evaluator: Evaluator
) -> Iterator[VerificationCheck]:
    """Yield one check per result, and one of the summary: how near each comes to what the file holds."""
    protocols = list(_other_protocol(body, statement, evaluator))
    others = "; ".join([*_other_evaluator(body, statement, evaluator), *protocols])
    request = body.get("request")
    asked = _asked(request if isinstance(request, dict) else {})
    results = body.get("results")
    if asked is None or not isinstance(results, list):
        missing = "request.prompt" if asked is None else "results"
        yield VerificationCheck(
            "recomputation", missing, "failed", "missing, so nothing can be recomputed"
        )
        return
    tolerances = {} if statement is not None and _same_kind(statement) else TOLERANCES
    for index, item in enumerate(results):
        part = f"results[{index}]"
        yield _judge_again(part, asked, item, others, evaluator, tolerances)
    # How results are ranked depends on the protocol alone.
    yield _rank_again(results, body.get("summary", _ABSENT), "; ".join(protocols), evaluator)


def _asked(request: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return what the responses of a file answer: a prompt, or the messages of contract 2; None where neither is there."""
    prompt, messages = request.get("prompt"), request.get("messages")
    if isinstance(prompt, str):
        return {"prompt": prompt}
    return {"prompt": None, "messages": messages} if isinstance(messages, list) else None


def _other_evaluator(
    body: dict[str, Any], statement: Statement | None, evaluator: Evaluator
) -> Iterator[str]:
    if body.get("evaluatorVersion") != evaluator.version:
        yield f"made by evaluator {shown(body.get('evaluatorVersion'))}, yours is {evaluator.version}"
    elif statement is not None:
        yield from _other_digests(statement.predicate.evaluator)


def _other_protocol(
    body: dict[str, Any], statement: Statement | None, evaluator: Evaluator
) -> Iterator[str]:
    protocol = evaluator.protocol
    if body.get("protocolVersion") != protocol.version:
        yield f"made by protocol {shown(body.get('protocolVersion'))}, yours is {protocol.version}"
    elif statement is not None and (statement.predicate.protocol.digest.sha256 != protocol.digest):
        yield f"made by another protocol file with version {protocol.version}"


def _other_digests(signed: EvaluatorRef) -> Iterator[str]:
    # The version names only the first digits of these.
    model = signed.model.sha256 if signed.model is not None else None
    for part, made_by, here in (
        ("code", signed.code.sha256, code_digest()),
        ("model", model, model_digest()),
    ):
        if made_by != here:
            told = f"sha256 {shown(made_by, 70)}, yours is {shown(here, 70)}"
            yield f"made by other evaluator {part}, {told}"


def _same_kind(statement: Statement) -> bool:
    """Tell whether the file was made on this kind of CPU, where nothing may move."""
    there, here = statement.predicate.runtime, runtime.describe()
    return (there.machine, there.onnxruntime, there.instruction_sets) == (
        here.machine,
        here.onnxruntime,
        here.instruction_sets,
    )


def _judge_again(  # noqa: PLR0917 - what the file holds, and how to judge it
    part: str,
    asked: Mapping[str, Any],
    item: Any,
    others: str,
    evaluator: Evaluator,
    tolerances: Mapping[str, float],
) -> VerificationCheck:
    item = item if isinstance(item, dict) else {}
    if item.get("status") == "failed":
        return VerificationCheck("recomputation", part, "nothing_to_run", "the provider failed")
    part = f"{part}.evaluation"
    stored, response, finish = (item.get(key) for key in ("evaluation", "response", "finishReason"))
    if not (isinstance(stored, dict) and isinstance(response, str) and isinstance(finish, str)):
        return VerificationCheck(
            "recomputation",
            part,
            "failed",
            "response, finishReason or evaluation is missing, so it cannot be recomputed",
        )
    try:
        again = evaluator.evaluate(response=response, finish_reason=finish, **asked)
    except InvalidRequest as error:
        return VerificationCheck("recomputation", part, "failed", "; ".join(error.details))
    judged = {name: value for name, value in stored.items() if name != "evaluationId"}
    return _told(part, compare(judged, msgspec.to_builtins(again), part, tolerances), others)


def _rank_again(
    results: list[Any], stored: Any, others: str, evaluator: Evaluator
) -> VerificationCheck:
    """Count and rank the results as they stand in the file; nothing here may move at all."""
    try:
        items = msgspec.json.decode(canonical(results), type=list[ResultItem])
    except msgspec.ValidationError:
        return VerificationCheck(
            "recomputation", "summary", "failed", "the results cannot be ranked"
        )
    again = msgspec.to_builtins(summarise(items, evaluator.protocol.overall.noise))
    return _told("summary", compare(stored, again, "summary", {}), others)


def _told(part: str, found: tuple[Nearness, str], others: str) -> VerificationCheck:
    nearness, message = found
    if others and nearness != "identical":
        return VerificationCheck("recomputation", part, "other_version", f"{others}; {message}")
    return VerificationCheck(
        "recomputation", part, nearness, f"{message}; {others}" if others else message
    )


def compare(
    stored: Any, again: Any, part: str, tolerances: Mapping[str, float] = TOLERANCES
) -> tuple[Nearness, str]:
    """Compare what a file holds with what was made again, byte by byte and then within tolerances."""
    if stored is not _ABSENT and canonical(stored) == canonical(again):
        return "identical", "byte for byte"
    moved = [
        (_near(one, other, tolerances.get(key, 0.0)), _difference(path, one, other))
        for path, key, one, other in _differences(stored, again, part, "")
    ]
    worst = next((text for near, text in moved if not near), None)
    if worst is None:
        return "within_tolerance", f"{len(moved)} values differ, e.g. {moved[0][1]}"
    return "different", worst


def _near(stored: Any, again: Any, tolerance: float) -> bool:
    if not tolerance:
        return False
    if isinstance(stored, str) and isinstance(again, str):
        return _same_but_numbers(stored, again)
    if not (_is_number(stored) and _is_number(again)):
        return False
    return bool(abs(stored - again) <= tolerance + 1e-9)


def _same_but_numbers(stored: str, again: str) -> bool:
    """Tell whether two texts differ in nothing but printed decimals that are near."""
    one, other = _DECIMAL.split(stored), _DECIMAL.split(again)
    if one[::2] != other[::2]:
        return False
    return all(
        abs(float(a) - float(b))
        <= (CONFIDENCE_TOLERANCE if a < "1" > b else SCORE_TOLERANCE) + 1e-9
        for a, b in zip(one[1::2], other[1::2], strict=True)
    )


def _difference(path: str, stored: Any, again: Any) -> str:
    return f"{path}: {_brief(stored)} in the file, {_brief(again)} recomputed"


def _differences(
    stored: Any, again: Any, path: str, key: str
) -> Iterator[tuple[str, str, Any, Any]]:
    """Yield each place where two values differ: its path, the member's name, and both values."""
    if isinstance(stored, dict) and isinstance(again, dict):
        for name in [*again, *(name for name in stored if name not in again)]:
            yield from _differences(
                stored.get(name, _ABSENT), again.get(name, _ABSENT), step(path, name), name
            )
    elif isinstance(stored, list) and isinstance(again, list) and len(stored) == len(again):
        for index, (one, other) in enumerate(zip(stored, again, strict=True)):
            yield from _differences(one, other, f"{path}[{index}]", key)
    elif stored is _ABSENT or again is _ABSENT or canonical(stored) != canonical(again):
        yield path, key, stored, again


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _brief(value: Any) -> str:
    if value is _ABSENT:
        return "absent"
    if isinstance(value, dict | list):
        return f"{len(value)} entries"
    return shown(value)
