"""Runs every criterion of the protocol over one exchange and publishes the result.

Pure: no clock, no network, no store, no randomness. A criterion that fails becomes a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from fairwitness.contract.evaluation import Coverage, Evaluation
from fairwitness.evaluator import checks, scoring
from fairwitness.evaluator import protocol as protocols
from fairwitness.evaluator import readers as shipped_readers
from fairwitness.evaluator.coverage import coverage_of, unread
from fairwitness.evaluator.criterion import Criterion, find_criteria, find_readers, packages
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.inputs import (
    ContextInput,
    MessagesInput,
    ResponseInput,
    exchange_of,
)
from fairwitness.evaluator.judgement import Finding, Judgement, not_applicable
from fairwitness.evaluator.judges import panel
from fairwitness.evaluator.judges.questions import JudgeQuestion
from fairwitness.evaluator.protocol import CriterionSpec, Protocol
from fairwitness.evaluator.protocol_faults import fault
from fairwitness.evaluator.publishing import publish
from fairwitness.evaluator.scoring import Scored
from fairwitness.evaluator.signals import NO_ANSWERS, Answers, Reader, Signals
from fairwitness.evaluator.version import evaluator_version

# Called with the id of a criterion that failed and the error. The default does nothing.
OnFailure = Callable[[str, Exception], None]


@dataclass(frozen=True, slots=True)
class Assessment:
    """An evaluation, and how much of the exchange was read for it."""

    evaluation: Evaluation
    coverage: Coverage


@dataclass(frozen=True)
class Evaluator:
    """Evaluates exchanges by one protocol, with its criteria and readers; safe to share between threads."""

    protocol: Protocol
    criteria: Mapping[str, Criterion]
    readers: Sequence[Reader]
    on_failure: OnFailure = lambda criterion, error: None
    _specs: tuple[CriterionSpec, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Reject a protocol that names a criterion or signal that is not installed, and a signal given twice."""
        names = [name for reader in self.readers for name in reader.signals]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise self.protocol.error((), f"two readers give the signal {twice[0]!r}")
        specs = tuple(self._checked(spec) for spec in self.protocol.criteria)
        object.__setattr__(self, "_specs", specs)

    @classmethod
    def of(
        cls,
        protocol: Protocol,
        on_failure: OnFailure | None = None,
        max_tokens_read: int | None = None,
    ) -> Evaluator:
        """Build an evaluator for a protocol from what is shipped and installed.

        Its learned readers read at most `max_tokens_read` tokens of an exchange, the response first.
        """
        asked = [name for spec in protocol.criteria for name in spec.signals]
        parts = (
            protocol,
            find_criteria(protocol.criteria),
            find_readers(asked, shipped_readers.shipped(max_tokens_read)),
        )
        return cls(*parts, on_failure) if on_failure else cls(*parts)

    @classmethod
    def shipped(cls, on_failure: OnFailure | None = None) -> Evaluator:
        """Build the evaluator this version ships."""
        return cls.of(protocols.shipped(), on_failure)

    @property
    def version(self) -> str:
        """The name of this code and model, and of the packages that added to them."""
        return evaluator_version(*packages(self.criteria))

    def evaluate(
        self,
        prompt: str | None,
        response: ResponseInput,
        *,
        context: ContextInput | None = None,
        messages: MessagesInput | None = None,
        reference: str | None = None,
        finish_reason: str | None = None,
    ) -> Evaluation:
        """Judge one response; raise InvalidRequest where a text is empty or is not valid Unicode.

        Texts may be of any length. Rules cover all of a text; learned readers cover as much as their own
        limit allows and report where that was not all of it.
        """
        given = exchange_of(
            prompt,
            response,
            finish_reason,
            context=context,
            messages=messages,
            reference=reference,
        )
        return self.assess(given).evaluation

    def assess(self, exchange: Exchange, answers: Answers = NO_ANSWERS) -> Assessment:
        """Judge one exchange with what judges answered about it, and say how much of it was read."""
        signals = Signals(exchange, self.readers, answers=answers)
        scored = self._judge_all(exchange, signals)
        read_whole = {part for criterion in self.criteria.values() for part in criterion.reads}
        coverage = coverage_of(exchange, signals.extents, read_whole)
        overall = scoring.combine(
            scored,
            self.protocol,
            at_most=self._rest(scored, exchange),
            unread=list(unread(exchange, coverage, read_whole)),
        )
        return Assessment(publish(scored, overall, exchange), coverage)

    def questions(self, exchange: Exchange) -> list[JudgeQuestion]:
        """Return what judges are to be asked about an exchange before it is judged; none by a protocol without them."""
        signals = Signals(exchange, self.readers)
        judged = [spec for spec in self._specs if spec.judge is not None]
        asked = [panel.asked_of(exchange, spec, signals.only(spec.signals)) for spec in judged]
        return [question for questions in asked for question in questions]

    def judge(self, criterion: str, exchange: Exchange) -> Judgement:
        """Judge one criterion by itself."""
        spec = next(spec for spec in self._specs if spec.id == criterion)
        signals = Signals(exchange, self.readers).only(spec.signals)
        return self.criteria[criterion].judge(exchange, spec, signals)

    def _checked(self, spec: CriterionSpec) -> CriterionSpec:
        """Return the spec with its options decoded; raise ProtocolError where a criterion, signal or key is unknown."""
        key = ("criteria", spec.id)
        criterion = self.criteria.get(spec.id)
        if criterion is None:
            message = (
                "unknown criterion; no installed package provides it, and it has no checks or judge"
            )
            raise self.protocol.error(key, message)
        by_code = "this criterion is judged by code; give the {} a criterion of {} own"
        if spec.checks and criterion.judge is not checks.judge:
            raise self.protocol.error((*key, "checks"), by_code.format("checks", "their"))
        if spec.judge and criterion.judge is not panel.judge:
            raise self.protocol.error((*key, "judge"), by_code.format("judge", "its"))
        given = {name for reader in self.readers for name in reader.signals}
        for name in spec.signals:
            if name not in given:
                known = ", ".join(sorted(given))
                raise self.protocol.error(
                    (*key, "signals"), f"unknown signal {name!r}; known signals: {known}"
                )
        for name in criterion.needs:
            if name not in spec.signals:
                raise self.protocol.error(
                    (*key, "signals"), f"this criterion needs the signal {name!r}"
                )
        return msgspec.structs.replace(spec, options=self._options(spec, criterion))

    def _options(self, spec: CriterionSpec, criterion: Criterion) -> object:
        key = ("criteria", spec.id, "options")
        if criterion.options is None:
            for name in spec.options:
                raise self.protocol.error(
                    (*key, name), "unknown key; this criterion has no options"
                )
            return None
        try:
            return msgspec.convert(spec.options, criterion.options)
        except msgspec.ValidationError as error:
            path, message = fault(error, criterion.options, spec.options)
            raise self.protocol.error((*key, *path), message) from error

    def _rest(self, scored: Sequence[Scored], exchange: Exchange) -> float:
        """Score the response without the text that addresses the evaluator; it can score no higher than that."""
        aside = {span for item in scored for span in item.judgement.aside}
        if not aside:
            return 100.0
        rest = _without(exchange.response.value, aside)
        if not rest.strip():
            return 100.0
        again = exchange.with_response(rest)
        scored = self._judge_all(again, Signals(again, self.readers))
        return scoring.combine(scored, self.protocol).score

    def _judge_all(self, exchange: Exchange, signals: Signals) -> list[Scored]:
        return [self._judge(spec, exchange, signals) for spec in self._specs]

    def _judge(self, spec: CriterionSpec, exchange: Exchange, signals: Signals) -> Scored:
        try:
            criterion = self.criteria[spec.id]
            judgement = (
                criterion.judge(exchange, spec, signals.only(spec.signals))
                if exchange.response.value or criterion.judges_calls
                else not_applicable("There is no response text to judge.")
            )
            for finding in judgement.findings:
                _verify(finding, exchange)
            return scoring.score(judgement, spec, self.protocol)
        except Exception as error:  # a failed criterion is reported, never a lost evaluation
            self.on_failure(spec.id, error)
            return scoring.score(_broken(), spec, self.protocol)


def _without(value: str, aside: Iterable[Span]) -> str:
    kept, at = [], 0
    for span in sorted(aside, key=lambda span: span.start):
        kept.append(value[at : span.start])
        at = max(at, span.end)
    return "".join([*kept, value[at:]])


def _verify(finding: Finding, exchange: Exchange) -> None:
    for span in finding.spans:
        if not 0 <= span.start < span.end <= len(exchange.text(span.source)):
            raise ValueError(f"{finding.detector}: span {span} is outside its text")


def _broken() -> Judgement:
    note = "This criterion could not be judged: its detector failed."
    finding = Finding(severity="info", message=note, detector="frame.criterion_failed")
    return Judgement(
        summary=note, findings=(finding,), confidence=0.0, reasons=frozenset({"criterion_failed"})
    )
