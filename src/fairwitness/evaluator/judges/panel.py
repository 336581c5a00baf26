"""Makes one judgement of a panel's answers: they agree, or a person decides.

No answer, an answer that is not what was asked for, a quotation that is not there or a disagreement needs review;
none of them is ever a pass. Text that may speak to the judge can lower the verdict and never raise it: the judges
are asked about the rest of the response too, and the lower verdict counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairwitness.contract.evaluation import ReviewReason, Severity
from fairwitness.evaluator.coverage import Part
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding, Judgement, counted, not_applicable
from fairwitness.evaluator.judges.answers import Opinion, read
from fairwitness.evaluator.judges.questions import JudgeQuestion, applies, questions, shown_texts
from fairwitness.evaluator.judges.spec import JudgeSpec, words
from fairwitness.evaluator.judges.suspects import MAX_ALONE, rests, suspects
from fairwitness.evaluator.signals import Signals
from fairwitness.evaluator.text import Text

if TYPE_CHECKING:
    from fairwitness.evaluator.protocol import CriterionSpec

NEEDS = ("address",)
_MAX_SPANS = 10


@dataclass(frozen=True)
class _Decision:
    """What a panel makes of one part: a share of the score between the thresholds where it decides nothing."""

    share: float
    reason: ReviewReason | None
    words: str
    opinions: Sequence[Opinion]


def judge(exchange: Exchange, spec: CriterionSpec, signals: Signals) -> Judgement:
    """Judge a response by the answers that are there."""
    assert spec.judge is not None
    if not applies(spec.judge, exchange):
        has_answer = exchange.response.value or exchange.tool_calls
        return not_applicable(
            f"There is no {'reference to compare with' if has_answer else 'response to judge'}."
        )
    asked = asked_of(exchange, spec, signals)
    texts = shown_texts(spec.judge, exchange)
    opinions = [_opinion(question, spec.judge, texts, signals) for question in asked]
    parts = dict.fromkeys(question.part for question in asked)
    decisions = [
        _decision([opinion for opinion in opinions if opinion.question.part == part], spec)
        for part in parts
    ]
    addressed = suspects(exchange, signals)
    return _judgement(spec, decisions, addressed)


def reads(spec: CriterionSpec) -> tuple[Part, ...]:
    """Return what the judges of a criterion are shown beside the prompt and the response's text."""
    assert spec.judge is not None
    found: tuple[Part, ...] = ("context", "messages", "toolCalls")
    return (*found, "reference") if spec.judge.form == "reference" else found


def asked_of(exchange: Exchange, spec: CriterionSpec, signals: Signals) -> list[JudgeQuestion]:
    """Return what the judges of one criterion are asked; nothing where it does not apply."""
    assert spec.judge is not None
    if not applies(spec.judge, exchange):
        return []
    addressed = suspects(exchange, signals)
    return questions(spec, exchange, rests(exchange.response, addressed) if addressed else ())


def _opinion(
    question: JudgeQuestion, judge: JudgeSpec, texts: dict[str, Text], signals: Signals
) -> Opinion:
    letters = {letter: share for letter, (_, share) in judge.options(question.order).items()}
    return read(question, signals.answers.get(question.digest), letters, texts)


def _decision(opinions: Sequence[Opinion], spec: CriterionSpec) -> _Decision:
    assert spec.judge is not None
    undecided = (spec.fail_below + spec.pass_from) / 200
    missing = [opinion for opinion in opinions if opinion.unavailable]
    if missing:
        told = f"{missing[0].question.provider}: {missing[0].unavailable}"
        said = f"{counted(len(missing), 'answer')} of {len(opinions)} missing ({told})."
        return _Decision(undecided, "judge_unavailable", said, opinions)
    invented = [opinion for opinion in opinions if opinion.invented]
    if invented:
        quoted = _brief(invented[0].invented)
        said = f"{invented[0].question.provider} quoted text that is not there: “{quoted}”."
        return _Decision(undecided, "quotation_not_found", said, opinions)
    shares = [opinion.share for opinion in opinions if opinion.share is not None]
    if len({spec.verdict(share) for share in shares}) > 1:
        given = ", ".join(
            f"{opinion.question.provider} {words(opinion.share or 0.0, spec.judge)}"
            for opinion in opinions
        )
        return _Decision(undecided, "judge_disagreed", f"The judges disagree: {given}.", opinions)
    mean = sum(shares) / len(shares)
    first = opinions[0]
    same = words(first.share or 0.0, spec.judge) if len(set(shares)) == 1 else f"mean {mean:.2f}"
    reason = f" “{_brief(first.reason)}” ({first.question.provider})" if first.reason else ""
    said = f"{counted(len(opinions), 'answer')}: {same}.{reason}"
    return _Decision(mean, None, said, opinions)


def _judgement(
    spec: CriterionSpec, decisions: list[_Decision], addressed: tuple[Span, ...]
) -> Judgement:
    worst = min(decisions, key=lambda decision: _rank(decision, spec))
    reasons: set[ReviewReason] = {decision.reason for decision in decisions if decision.reason}
    raised = len({_rank(decision, spec) for decision in decisions}) > 1
    # Nothing was left to ask about, or too many passages to tell them apart.
    unclear = (len(decisions) == 1 and bool(addressed)) or len(addressed) > MAX_ALONE
    if raised or unclear:
        reasons.add("judge_addressed")
    findings = [_finding(spec, worst)]
    if raised or unclear:
        message = (
            "Text that may address the judge; the verdict without it counts where it is lower."
        )
        findings.append(Finding("info", message, f"{spec.id}.addressed", addressed[:_MAX_SPANS]))
    return Judgement(
        summary=worst.words,
        findings=tuple(findings),
        score=worst.share,
        confidence=0.0 if worst.reason else 0.9,
        reasons=frozenset(reasons),
    )


def _rank(decision: _Decision, spec: CriterionSpec) -> tuple[int, float]:
    verdict = "needs_review" if decision.reason else spec.verdict(decision.share)
    return ("fail", "needs_review", "pass").index(verdict), decision.share


def _finding(spec: CriterionSpec, decision: _Decision) -> Finding:
    spans = dict.fromkeys(span for opinion in decision.opinions for span in opinion.spans)
    is_open = decision.reason or spec.verdict(decision.share) == "pass"
    severity = "info" if is_open else _severity(decision.share)
    return Finding(severity, decision.words, f"{spec.id}.judge", tuple(spans)[:_MAX_SPANS])


def _severity(share: float) -> Severity:
    """Return a severity that takes no more than the judges' own score does, by the shipped shares."""
    if share <= 0.25:
        return "high"
    return "medium" if share <= 0.6 else "low"


def _brief(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}…"
