"""Reads a protocol file into typed data, and rejects a wrong one with its file, line and key.

A protocol is only data: the criteria, the weight and thresholds of each, and the signals it takes. None of
it is repeated in code, and its digest is that of the bytes that were read: its own, and those of the files
it extends.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from fairwitness.contract.conversation import ToolCall
from fairwitness.contract.evaluation import CriterionVerdict, Severity, Verdict
from fairwitness.evaluator.checks import KINDS, Check
from fairwitness.evaluator.judges.spec import GRADES, MAX_QUESTIONS, JudgeSpec
from fairwitness.evaluator.protocol_chain import Layer, layers_of, merged, shipped_file
from fairwitness.evaluator.protocol_file import ProtocolError, ProtocolFile, decode, error_in

__all__ = ["CriterionSpec", "OverallSpec", "Protocol", "ProtocolError", "load", "read", "shipped"]

Share = Annotated[float, Meta(ge=0, le=1)]
Points = Annotated[float, Meta(ge=0, le=100)]
Words = Annotated[str, Meta(min_length=1, max_length=100_000)]
Title = Annotated[str, Meta(min_length=1, max_length=200)]
Question = Annotated[str, Meta(max_length=1_000)]

MAX_CRITERIA = 100
MAX_CHECKS = 100
MAX_EXAMPLES = 1_000
_REQUIRED = ("title", "question", "weight", "fail_below", "pass_from")


class CriterionSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One criterion as published: its question, weight, thresholds and signals."""

    id: str
    title: Title
    question: Question
    weight: Share
    critical: bool = False
    # Detectors whose findings make it critical: failing with one of them fails the response.
    critical_when: tuple[str, ...] = ()
    fail_below: Points
    pass_from: Points
    # Where a yes or no is required, as in benchmarks: below this the criterion is not met.
    decide_below: Points = 50.0
    # The learned signals this criterion is given; its rules always apply.
    signals: tuple[str, ...] = ()
    # Settings of this criterion alone; its module declares them (`Options`).
    options: Any = {}
    # Checks written as data: a criterion that has these needs no module.
    checks: tuple[Check, ...] = ()
    # A question that models answer; like checks it needs no module.
    judge: JudgeSpec | None = None

    def is_critical(self, detectors: Iterable[str]) -> bool:
        """Tell whether failing with findings of these detectors fails the response."""
        return self.critical or not set(self.critical_when).isdisjoint(detectors)

    def verdict(self, score: float) -> CriterionVerdict:
        """Return the verdict of a score from 0 to 1 by the two thresholds alone."""
        points = in_points(score)
        if points < self.fail_below:
            return "fail"
        return "pass" if points >= self.pass_from else "needs_review"


class OverallSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How criterion scores become one score and one verdict."""

    fail_below: Points
    pass_from: Points
    critical_cap: Points
    # Where a heavily weighted criterion could not judge, the score ends here; 100 sets no limit.
    unjudged_cap: Points = 100.0
    review_below_confidence: Share
    review_from_weight: Share
    noise: Points

    @property
    def cap(self) -> float:
        """The limit that holds: under the pass threshold and not under the fail threshold, wherever they are moved."""
        if self.unjudged_cap >= 100:
            return 100.0
        return max(self.fail_below, min(self.unjudged_cap, self.pass_from - 1))


class ProtocolExample(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An exchange and the verdicts it must get, by criterion; `overall` is the verdict of the whole."""

    prompt: Words
    response: Annotated[str, Meta(max_length=100_000)]
    context: Annotated[tuple[Words, ...], Meta(max_length=100)] = ()
    reference: Words | None = None
    tool_calls: Annotated[tuple[ToolCall, ...], Meta(max_length=100)] = ()
    # What judges answer here, by criterion: yes or no, or a grade. A judge without an answer is away.
    answers: dict[str, Literal["yes", "no"] | Annotated[int, Meta(ge=1, le=GRADES)]] = {}
    expect: Annotated[dict[str, CriterionVerdict], Meta(min_length=1)]
    why: str = ""


class Protocol(Struct, frozen=True, kw_only=True, dict=True):
    """A protocol, and the bytes it was read from."""

    name: str
    version: str
    overall: OverallSpec
    severity: dict[Severity, Share]
    criteria: tuple[CriterionSpec, ...]
    examples: tuple[ProtocolExample, ...] = ()
    source: bytes
    path: str
    # The files it extends, the nearest first.
    bases: tuple[ProtocolFile, ...] = ()

    @property
    def files(self) -> tuple[ProtocolFile, ...]:
        """The file it was read from, and those that file extends."""
        return (ProtocolFile(self.path, self.source), *self.bases)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file; of a file that extends others, that of the lines of all their SHA-256s."""
        digests = [hashlib.sha256(file.source).hexdigest() for file in self.files]
        if not self.bases:
            return digests[0]
        return hashlib.sha256("".join(f"{digest}\n" for digest in digests).encode()).hexdigest()

    def __getitem__(self, criterion: str) -> CriterionSpec:
        """Return one criterion's spec."""
        return next(spec for spec in self.criteria if spec.id == criterion)

    @property
    def judged(self) -> tuple[CriterionSpec, ...]:
        """The criteria that ask models, and so may cost money."""
        return tuple(spec for spec in self.criteria if spec.judge is not None)

    def error(self, key: Sequence[str], message: str) -> ProtocolError:
        """Return the error that names the file a key stands in, its line, and the key."""
        return error_in(self.files, key, message)


def in_points(score: float) -> float:
    """Return a score from 0 to 1 as it is published: 0 to 100, one decimal."""
    return round(100 * score, 1)


def shipped() -> Protocol:
    """Read the protocol this version ships with."""
    return _made(layers_of(shipped_file()))


def load(path: Path) -> Protocol:
    """Read a protocol file and those it extends; raise ProtocolError where one is wrong."""
    return _made(layers_of(ProtocolFile.open(path)))


def read(source: bytes, path: str) -> Protocol:
    """Read a protocol from the bytes of a file; `path` is what errors call it."""
    return _made(layers_of(ProtocolFile(path, source)))


def _made(layers: Sequence[Layer]) -> Protocol:
    """Make one protocol of a file and those it extends; raise ProtocolError where it is wrong."""
    files = tuple(layer.file for layer in layers)
    own, whole = layers[0].top, merged(layers)
    checks = [table.get("checks", ()) for table in whole.criteria.values()]
    if sum(len(some) for some in checks if isinstance(some, list)) > MAX_CHECKS:
        raise error_in(files, ("criteria",), f"more than {MAX_CHECKS} checks")
    if len(whole.criteria) > MAX_CRITERIA:
        raise error_in(files, ("criteria",), f"more than {MAX_CRITERIA} criteria")
    if len(own.examples) > MAX_EXAMPLES:
        raise error_in(files, ("examples",), f"more than {MAX_EXAMPLES} examples")
    protocol = Protocol(
        name=own.name,
        version=own.version,
        overall=decode(whole.overall, OverallSpec, ("overall",), files),
        severity=decode(whole.severity, dict[Severity, Share], ("severity",), files),
        criteria=tuple(_spec(name, table, files) for name, table in whole.criteria.items()),
        examples=tuple(
            decode(table, ProtocolExample, (f"examples[{index}]",), files)
            for index, table in enumerate(own.examples)
        ),
        source=files[0].source,
        path=files[0].path,
        bases=files[1:],
    )
    _check(protocol)
    return protocol


def _spec(name: str, table: dict[str, Any], files: Sequence[ProtocolFile]) -> CriterionSpec:
    key = ("criteria", name)
    if not (name.isascii() and name.replace("-", "_").isidentifier() and len(name) <= 64):
        raise error_in(files, key, "a criterion's name may have only letters, digits, _ and -")
    if name == "overall":
        raise error_in(files, key, "this name is reserved for the overall verdict")
    missing = [field for field in _REQUIRED if field not in table]
    # A key that is not known may be one of these, mistyped: it is named first, below.
    if missing and table.keys() <= {*CriterionSpec.__struct_fields__}:
        told = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
        alone = "; only a file that extends another may leave keys out" if len(files) == 1 else ""
        raise error_in(files, key, told + alone)
    if "id" in table:
        raise error_in(files, (*key, "id"), "unknown key; the name of the table is the id")
    if not isinstance(table.get("options", {}), dict):
        raise error_in(files, (*key, "options"), "must be a table")
    known = {field: value for field, value in table.items() if field not in {"checks", "judge"}}
    spec = decode({"id": name, **known}, CriterionSpec, key, files)
    checks = _checks(table.get("checks", []), key, files)
    if "judge" not in table:
        return msgspec.structs.replace(spec, checks=checks)
    if checks or spec.options or spec.signals:
        message = "a judged criterion has no checks, options or signals; give them a criterion of their own"
        raise error_in(files, (*key, "judge"), message)
    judge = decode(table["judge"], JudgeSpec, (*key, "judge"), files)
    if not (judge.question or spec.question):
        raise error_in(files, (*key, "question"), "is empty, so there is nothing to ask")
    return msgspec.structs.replace(spec, judge=judge, signals=("address",))


def _checks(tables: Any, key: tuple[str, ...], files: Sequence[ProtocolFile]) -> tuple[Check, ...]:
    """Read the checks of a criterion, each by the kind it names."""
    found: list[Check] = []
    for index, table in enumerate(decode(tables, list[dict[str, Any]], (*key, "checks"), files)):
        place = (*key, f"checks[{index}]")
        kind = KINDS.get(str(table.get("kind")))
        if kind is None:
            message = f"unknown kind; known kinds: {', '.join(KINDS)}"
            raise error_in(files, (*place, "kind"), message)
        found.append(decode(table, kind, place, files))
    return tuple(found)


def _check(protocol: Protocol) -> None:
    """Reject thresholds that cross, a cap that could pass, a missing severity and a protocol without criteria."""
    overall = protocol.overall
    if not overall.critical_cap < overall.fail_below <= overall.pass_from:
        raise protocol.error(("overall",), "needs critical_cap < fail_below <= pass_from")
    for name in get_args(Severity):
        if name not in protocol.severity:
            raise protocol.error(("severity",), f"{name} is missing")
    if not protocol.criteria:
        raise protocol.error(("criteria",), "names no criterion")
    asked = sum(spec.judge.count for spec in protocol.criteria if spec.judge)
    if asked > MAX_QUESTIONS:
        message = f"{asked} answers of judges for each response; at most {MAX_QUESTIONS}"
        raise protocol.error(("criteria",), message)
    for spec in protocol.criteria:
        if not 0 < spec.fail_below <= spec.pass_from:
            raise protocol.error(("criteria", spec.id), "needs 0 < fail_below <= pass_from")
        for detector in spec.critical_when:
            if not detector.startswith(f"{spec.id}.") or detector == f"{spec.id}.":
                message = (
                    f'{detector!r} is not a detector of this criterion, such as "{spec.id}.NAME"'
                )
                raise protocol.error(("criteria", spec.id, "critical_when"), message)
    _check_examples(protocol)


def _check_examples(protocol: Protocol) -> None:
    """Reject examples that expect or answer for a criterion that is not there."""
    known = {"overall", *(spec.id for spec in protocol.criteria)}
    judged = {spec.id for spec in protocol.judged}
    for index, example in enumerate(protocol.examples):
        for name in example.answers:
            if name not in judged:
                key = (f"examples[{index}]", "answers", name)
                raise protocol.error(key, "is not a judged criterion")
        for name, verdict in example.expect.items():
            key = (f"examples[{index}]", "expect", name)
            if name not in known:
                raise protocol.error(key, "unknown criterion")
            if name == "overall" and verdict not in get_args(Verdict):
                raise protocol.error(key, f"must be one of {', '.join(get_args(Verdict))}")
