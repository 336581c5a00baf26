"""The search for a better response: one edit at a time, each measured, bounded by counts and never by time.

No randomness and no provider: the same input takes the same steps. Deleting most of a response is
never an improvement, whatever it measures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from msgspec import UNSET

from fairwitness.contract.evaluation import Evaluation, FindingItem
from fairwitness.contract.requests import RESPONSE_MAX
from fairwitness.contract.results import ImprovementStep, RejectedEdit, UnresolvedFinding
from fairwitness.evaluator.exchange import Exchange
from fairwitness.revision import content_edits, demand_edits, form_edits
from fairwitness.revision.edits import Case, Edit, Operator
from fairwitness.revision.text_change import MIN_KEPT_SHARE, kept, takes_much, unified_diff

MAX_STEPS = 8
MAX_EVALUATIONS = 24
# Edits refused before they are measured cost nothing but their place in the answer.
MAX_UNMEASURED = 24

OPERATORS: tuple[Operator, ...] = (
    *content_edits.OPERATORS,
    *form_edits.OPERATORS,
    *demand_edits.OPERATORS,
)

_GRAVEST_FIRST = ("critical", "high", "medium", "low")
_RANK = {"fail": 0, "needs_review": 1, "pass": 2, "not_applicable": 2}

Evaluate = Callable[[str, str], Evaluation]


@dataclass
class Improvement:
    """Everything that was tried and measured on the way from one text to another."""

    original: str
    before: Evaluation
    revised: str
    after: Evaluation
    evaluations: int = 1
    unmeasured: int = 0
    steps: list[ImprovementStep] = field(default_factory=list)
    rejected: list[RejectedEdit] = field(default_factory=list)
    unresolved: list[UnresolvedFinding] = field(default_factory=list)

    @property
    def improved(self) -> bool:
        """Whether the text that is left measures as better; nothing else counts."""
        return bool(self.steps) and self.after.overall_score > self.before.overall_score

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        return unified_diff(self.original, self.revised)

    @property
    def exhausted(self) -> bool:
        """Whether a bound was reached."""
        return len(self.steps) >= MAX_STEPS or self.evaluations >= MAX_EVALUATIONS


def improve(evaluate: Evaluate, prompt: str, response: str) -> Improvement:
    """Improve a response by its own findings, as far as the bounds allow."""
    first = evaluate(prompt, response)
    state = Improvement(original=response, before=first, revised=response, after=first)
    seen = {response}
    while not state.exhausted and _one_step(state, evaluate, prompt, seen):
        pass
    state.unresolved = list(_unresolved(state))
    return state


def _one_step(state: Improvement, evaluate: Evaluate, prompt: str, seen: set[str]) -> bool:
    """Try proposals until one is kept; False where none is, or a bound is reached."""
    for operator, finding, edit in _proposals(state, prompt):
        text = edit.applied(state.revised)
        if text in seen:
            continue
        seen.add(text)
        reason = _out_of_bounds(state, operator, text)
        if reason is not None:
            state.unmeasured += 1
            if state.unmeasured <= MAX_UNMEASURED:
                state.rejected.append(_rejection(state, operator, finding, edit, reason, None))
            continue
        if state.evaluations >= MAX_EVALUATIONS:
            return False
        measured = evaluate(prompt, text)
        state.evaluations += 1
        reason = _not_better(state.after, measured)
        if reason is not None:
            state.rejected.append(_rejection(state, operator, finding, edit, reason, measured))
            continue
        state.steps.append(_step(state, operator, finding, edit, measured))
        state.revised, state.after = text, measured
        return True
    return False


def _proposals(state: Improvement, prompt: str) -> Iterator[tuple[Operator, FindingItem, Edit]]:
    exchange = Exchange(prompt, state.revised)
    open_findings = [item for item in state.after.findings if item.severity != "info"]
    open_findings.sort(key=lambda item: _GRAVEST_FIRST.index(item.severity))
    for finding in open_findings:
        for operator in OPERATORS:
            if operator.handles(finding.detector):
                for edit in operator.propose(Case(finding, exchange)):
                    yield operator, finding, edit


def _out_of_bounds(state: Improvement, operator: Operator, text: str) -> str | None:
    if not text.strip():
        return "It would delete the whole response."
    # A refusal in place of harm is the one edit that may leave little of what was there; it says so,
    # and it goes beyond the harmful passages only where they are most of the text.
    if operator.name != content_edits.REFUSES and kept(state.original, text) < MIN_KEPT_SHARE:
        return "It would delete most of the response, and deleting is not improving."
    if len(text) > RESPONSE_MAX:
        return "It would make the response too long to evaluate."
    return None


def _not_better(before: Evaluation, after: Evaluation) -> str | None:
    then = {item.criterion_id: item.verdict for item in before.verdicts}
    for item in after.verdicts:
        if _RANK[item.verdict] < _RANK[then[item.criterion_id]]:
            was = then[item.criterion_id].replace("_", " ")
            return f"{item.title} would go from {was} to {item.verdict.replace('_', ' ')}."
    if after.overall_score <= before.overall_score:
        return f"The score would go from {before.overall_score:g} to {after.overall_score:g}."
    return None


def _step(
    state: Improvement, operator: Operator, finding: FindingItem, edit: Edit, measured: Evaluation
) -> ImprovementStep:
    removed = state.revised[edit.start : edit.end]
    large = takes_much(state.revised, removed, edit.replacement)
    return ImprovementStep(
        operator=operator.name,
        criterion_id=finding.criterion_id,
        finding_id=finding.finding_id,
        message=finding.message,
        start=edit.start,
        end=edit.end,
        removed=removed,
        replacement=edit.replacement,
        score_before=state.after.overall_score,
        score_after=measured.overall_score,
        note="This step removes more than a third of the text." if large else UNSET,
    )


def _rejection(  # noqa: PLR0917 - what was tried, and what came of it
    state: Improvement,
    operator: Operator,
    finding: FindingItem,
    edit: Edit,
    reason: str,
    measured: Evaluation | None,
) -> RejectedEdit:
    return RejectedEdit(
        operator=operator.name,
        criterion_id=finding.criterion_id,
        finding_id=finding.finding_id,
        message=finding.message,
        after_step=len(state.steps),
        start=edit.start,
        end=edit.end,
        removed=state.revised[edit.start : edit.end],
        replacement=edit.replacement,
        reason=reason,
        score_before=state.after.overall_score,
        score_after=measured.overall_score if measured is not None else None,
    )


def _unresolved(state: Improvement) -> Iterator[UnresolvedFinding]:
    # Findings are numbered anew at each evaluation; what they say stays the same.
    tried = {(edit.criterion_id, edit.message) for edit in state.rejected}
    for finding in state.after.findings:
        if finding.severity == "info":
            continue
        able = [operator for operator in OPERATORS if operator.handles(finding.detector)]
        if not able:
            reason = "No edit can fix this kind of finding from the text alone."
        elif (finding.criterion_id, finding.message) in tried:
            reason = "Edits were tried and none was kept."
        elif state.exhausted:
            reason = (
                f"The limit of {MAX_STEPS} steps and {MAX_EVALUATIONS} evaluations was reached."
            )
        else:
            reason = "No edit was found for it."
        yield UnresolvedFinding(
            finding_id=finding.finding_id,
            criterion_id=finding.criterion_id,
            message=finding.message,
            reason=reason,
        )
