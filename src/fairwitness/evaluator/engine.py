"""The judgement itself: runs every criterion of the protocol over one exchange and publishes the result.

Pure: no clock, no network, no store, no randomness. A criterion that breaks becomes a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

from msgspec import UNSET

from fairwitness.contract.errors import InvalidRequest
from fairwitness.contract.evaluation import Evaluation, Evidence, FindingItem, VerdictItem
from fairwitness.contract.requests import PROMPT_MAX, RESPONSE_MAX
from fairwitness.evaluator import protocol as protocols
from fairwitness.evaluator import scoring
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding, Judgement
from fairwitness.evaluator.protocol import CriterionSpec, Protocol
from fairwitness.evaluator.scoring import Overall, Scored
from fairwitness.evaluator.version import evaluator_version

Judge = Callable[[Exchange], Judgement]
# Told of a criterion that broke: its id and the error. The default is to keep quiet.
Broken = Callable[[str, Exception], None]


def criteria(protocol: Protocol) -> dict[str, Judge]:
    """Find each criterion's judge: the module of its id under criteria/."""
    package = "fairwitness.evaluator.criteria"
    return {spec.id: import_module(f"{package}.{spec.id}").judge for spec in protocol.criteria}


@dataclass(frozen=True)
class Evaluator:
    """Evaluates exchanges against one protocol; safe to share between threads."""

    protocol: Protocol
    judges: Mapping[str, Judge]
    on_broken: Broken = lambda criterion, error: None

    @classmethod
    def shipped(cls, on_broken: Broken | None = None) -> Evaluator:
        """Build the evaluator this version ships: its protocol and its criteria."""
        protocol = protocols.load()
        judges = criteria(protocol)
        return cls(protocol, judges, on_broken) if on_broken else cls(protocol, judges)

    @property
    def version(self) -> str:
        """The name of this code and model."""
        return evaluator_version()

    def evaluate(
        self, prompt: str, response: str, *, finish_reason: str | None = None
    ) -> Evaluation:
        """Judge one response; raise InvalidRequest where a text is out of the contract's bounds."""
        _check_bounds(prompt, response)
        exchange = Exchange(prompt, response, finish_reason)
        scored = self._judge_all(exchange)
        overall = scoring.combine(scored, self.protocol, at_most=self._rest(scored, exchange))
        return publish(scored, overall, exchange)

    def _rest(self, scored: Sequence[Scored], exchange: Exchange) -> float:
        """Score the response without what speaks to its judge: more than that it cannot get."""
        aside = {span for item in scored for span in item.judgement.aside}
        if not aside:
            return 100.0
        rest = _without(exchange.response.value, aside)
        if not rest.strip():
            return 100.0
        again = Exchange(exchange.prompt.value, rest, exchange.finish_reason)
        return scoring.combine(self._judge_all(again), self.protocol).score

    def _judge_all(self, exchange: Exchange) -> list[Scored]:
        return [self._judge(spec, exchange) for spec in self.protocol.criteria]

    def _judge(self, spec: CriterionSpec, exchange: Exchange) -> Scored:
        try:
            judgement = self.judges[spec.id](exchange)
            for finding in judgement.findings:
                _verify(finding, exchange)
            return scoring.score(judgement, spec, self.protocol)
        except Exception as error:  # any break is data, never a lost evaluation
            self.on_broken(spec.id, error)
            return scoring.score(_broken(), spec, self.protocol)


def _check_bounds(prompt: str, response: str) -> None:
    faults = []
    for name, value, limit in (
        ("prompt", prompt, PROMPT_MAX),
        ("response", response, RESPONSE_MAX),
    ):
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a str, not {type(value).__name__}")
        if not value:
            faults.append(f"{name}: must not be empty")
        if len(value) > limit:
            faults.append(f"{name}: longer than {limit} characters")
        if not _is_encodable(value):
            faults.append(f"{name}: holds a lone surrogate, which is not a character")
    if faults:
        raise InvalidRequest(details=faults)


def _is_encodable(value: str) -> bool:
    # A lone surrogate is the one thing UTF-8 cannot say; the encoder finds it far faster than a loop.
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
            raise ValueError(f"{finding.detector}: span {span} lies outside its text")


def _broken() -> Judgement:
    note = "This criterion could not be judged: its detector failed."
    finding = Finding(severity="info", message=note, detector="frame.criterion_failed")
    return Judgement(
        summary=note, findings=(finding,), confidence=0.0, reasons=frozenset({"criterion_failed"})
    )


def publish(scored: Sequence[Scored], overall: Overall, exchange: Exchange) -> Evaluation:
    """Write down what was judged: verdict items in protocol order, findings numbered f1, f2, ..."""
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
