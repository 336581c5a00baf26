"""Runs every criterion of the protocol over one exchange and publishes the result.

Pure: no clock, no network, no store, no randomness. A criterion that fails becomes a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec import UNSET

from fairwitness.contract.errors import InvalidRequest
from fairwitness.contract.evaluation import Evaluation, Evidence, FindingItem, VerdictItem
from fairwitness.evaluator import checks, scoring
from fairwitness.evaluator import protocol as protocols
from fairwitness.evaluator import readers as shipped_readers
from fairwitness.evaluator.criterion import Criterion, find_criteria, find_readers, packages
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding, Judgement
from fairwitness.evaluator.protocol import CriterionSpec, Protocol
from fairwitness.evaluator.protocol_file import fault
from fairwitness.evaluator.scoring import Overall, Scored
from fairwitness.evaluator.signals import Reader, Signals
from fairwitness.evaluator.version import evaluator_version

# Called with the id of a criterion that failed and the error. The default does nothing.
OnFailure = Callable[[str, Exception], None]


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
    def of(cls, protocol: Protocol, on_failure: OnFailure | None = None) -> Evaluator:
        """Build an evaluator for a protocol from what is shipped and installed."""
        asked = [name for spec in protocol.criteria for name in spec.signals]
        parts = (
            protocol,
            find_criteria(protocol.criteria),
            find_readers(asked, shipped_readers.shipped()),
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
        self, prompt: str, response: str, *, finish_reason: str | None = None
    ) -> Evaluation:
        """Judge one response; raise InvalidRequest where a text is empty or is not valid Unicode.

        Texts may be of any length. Rules cover all of a text; learned readers cover as much as their own
        limit allows and report where that was not all of it.
        """
        _check_texts(prompt, response)
        exchange = Exchange(prompt, response, finish_reason)
        scored = self._judge_all(exchange)
        overall = scoring.combine(scored, self.protocol, at_most=self._rest(scored, exchange))
        return publish(scored, overall, exchange)

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
            message = "unknown criterion; no installed package provides it, and it has no checks"
            raise self.protocol.error(key, message)
        if spec.checks and criterion.judge is not checks.judge:
            message = "this criterion is judged by code; give the checks a criterion of their own"
            raise self.protocol.error((*key, "checks"), message)
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
            path, message = fault(error, criterion.options)
            raise self.protocol.error((*key, *path), message) from error

    def _rest(self, scored: Sequence[Scored], exchange: Exchange) -> float:
        """Score the response without the text that addresses the evaluator; it can score no higher than that."""
        aside = {span for item in scored for span in item.judgement.aside}
        if not aside:
            return 100.0
        rest = _without(exchange.response.value, aside)
        if not rest.strip():
            return 100.0
        again = Exchange(exchange.prompt.value, rest, exchange.finish_reason)
        return scoring.combine(self._judge_all(again), self.protocol).score

    def _judge_all(self, exchange: Exchange) -> list[Scored]:
        signals = Signals(exchange, self.readers)
        return [self._judge(spec, exchange, signals) for spec in self._specs]

    def _judge(self, spec: CriterionSpec, exchange: Exchange, signals: Signals) -> Scored:
        try:
            criterion = self.criteria[spec.id]
            judgement = criterion.judge(exchange, spec, signals.only(spec.signals))
            for finding in judgement.findings:
                _verify(finding, exchange)
            return scoring.score(judgement, spec, self.protocol)
        except Exception as error:  # a failed criterion is reported, never a lost evaluation
            self.on_failure(spec.id, error)
            return scoring.score(_broken(), spec, self.protocol)


def _check_texts(prompt: str, response: str) -> None:
    faults = []
    for name, value in (("prompt", prompt), ("response", response)):
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a str, not {type(value).__name__}")
        if not value:
            faults.append(f"{name}: must not be empty")
        if not _is_encodable(value):
            faults.append(f"{name}: contains a lone surrogate, which is not a character")
    if faults:
        raise InvalidRequest(details=faults)


def _is_encodable(value: str) -> bool:
    # A lone surrogate is the only thing UTF-8 cannot encode; the encoder finds it far faster than a loop.
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


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


def publish(scored: Sequence[Scored], overall: Overall, exchange: Exchange) -> Evaluation:
    """Return the evaluation: verdict items in protocol order, findings numbered f1, f2, ..."""
    verdicts: list[VerdictItem] = []
    findings: list[FindingItem] = []
    for item in scored:
        first = len(findings) + 1
        for number, finding in enumerate(item.judgement.findings, first):
            findings.append(_finding_item(f"f{number}", item.spec.id, finding, exchange))
        ids = [f"f{number}" for number in range(first, len(findings) + 1)]
        verdicts.append(_verdict_item(item, ids))
    return Evaluation(
        overall_score=overall.score,
        overall_verdict=overall.verdict,
        reasons=overall.reasons,
        reason_details=overall.details,
        verdicts=verdicts,
        findings=findings,
    )


def _verdict_item(item: Scored, finding_ids: list[str]) -> VerdictItem:
    applies = item.verdict != "not_applicable"
    return VerdictItem(
        criterion_id=item.spec.id,
        title=item.spec.title,
        verdict=item.verdict,
        score=item.score if applies else None,
        confidence=round(item.judgement.confidence, 2) if applies else None,
        weight=item.spec.weight,
        summary=item.judgement.summary,
        finding_ids=finding_ids,
        observed=item.judgement.observed or UNSET,
    )


def _finding_item(
    finding_id: str, criterion: str, finding: Finding, exchange: Exchange
) -> FindingItem:
    return FindingItem(
        finding_id=finding_id,
        criterion_id=criterion,
        severity=finding.severity,
        message=finding.message,
        detector=finding.detector,
        evidence=[_quote(span, exchange) for span in finding.spans],
        suggestion=finding.suggestion or UNSET,
    )


def _quote(span: Span, exchange: Exchange) -> Evidence:
    # The text is cut from the source here and nowhere else: verbatim by construction.
    return Evidence(
        source=span.source,
        start=span.start,
        end=span.end,
        text=exchange.text(span.source).value[span.start : span.end],
    )
