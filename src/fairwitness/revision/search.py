"""Searches for a better response: one edit at a time, each evaluated, limited by counts and never by time.

No randomness and no provider: the same input takes the same steps. Deleting most of a response is
never an improvement, whatever it scores.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field

from msgspec import UNSET, UnsetType

from fairwitness.contract.evaluation import Evaluation, FindingItem, VerdictItem
from fairwitness.contract.requests import RESPONSE_MAX
from fairwitness.contract.results import ImprovementStep, RejectedEdit, UnresolvedFinding
from fairwitness.evaluator.exchange import Exchange
from fairwitness.revision import content_edits, demand_edits, form_edits
from fairwitness.revision.edits import Case, Edit, Operator
from fairwitness.revision.text_change import MIN_KEPT_SHARE, kept_share, removes_much, unified_diff

MAX_STEPS = 8
MAX_EVALUATIONS = 24
# Edits rejected before they are evaluated cost only their place in the answer.
MAX_UNMEASURED = 24

OPERATORS: tuple[Operator, ...] = (
    *content_edits.OPERATORS,
    *form_edits.OPERATORS,
    *demand_edits.OPERATORS,
)

_SEVERITY_ORDER = ("critical", "high", "medium", "low")
_VERDICT_RANK = {"fail": 0, "needs_review": 1, "pass": 2, "not_applicable": 2}

Evaluate = Callable[[str, str], Evaluation]
# Yields each text to measure, is sent its evaluation, and returns what came of it all.
Search = Generator[str, Evaluation, "Improvement"]


@dataclass
class Improvement:
    """The original and the revised text, and every edit that was tried in between."""

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
        """Whether the revised text has a higher score; nothing else counts."""
        return bool(self.steps) and self.after.overall_score > self.before.overall_score

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        return unified_diff(self.original, self.revised)

    @property
    def exhausted(self) -> bool:
        """Whether a limit was reached."""
        return len(self.steps) >= MAX_STEPS or self.evaluations >= MAX_EVALUATIONS


def improve(evaluate: Evaluate, prompt: str, response: str) -> Improvement:
    """Improve a response by its own findings, as far as the bounds allow."""
    running = search(prompt, response)
    found: str | Improvement = next(running)
    while isinstance(found, str):
        found = advance(running, evaluate(prompt, found))
    return found


def advance(running: Search, measured: Evaluation) -> str | Improvement:
    """Send a search what it waits for; return the next text to measure, or what came of it all."""
    try:
        return running.send(measured)
    except StopIteration as ended:
        found: Improvement = ended.value
        return found


def search(prompt: str, response: str) -> Search:
    """Search one evaluation at a time, so that whoever drives it can let others go between two."""
    first = yield response
    state = Improvement(original=response, before=first, revised=response, after=first)
    seen = {response}
    while not state.exhausted and (yield from _one_step(state, prompt, seen)):
        pass
    state.unresolved = list(_unresolved(state))
    return state


def _one_step(state: Improvement, prompt: str, seen: set[str]) -> Generator[str, Evaluation, bool]:
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
        measured = yield text
        state.evaluations += 1
        reason = _not_better(state.after, measured, operator)
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
    open_findings.sort(key=lambda item: _SEVERITY_ORDER.index(item.severity))
    for finding in open_findings:
        for operator in OPERATORS:
            if operator.handles(finding.detector):
                for edit in operator.propose(Case(finding, exchange)):
                    yield operator, finding, edit


def _out_of_bounds(state: Improvement, operator: Operator, text: str) -> str | None:
    if not any(map(str.isalnum, text)):
        return "This edit would leave the response empty."
    # Masked identifiers, praise, insults, hidden content and harm are not the answer: a short answer may be
    # mostly those. The step says where it removes much.
    if operator.removes_content and kept_share(state.original, text) < MIN_KEPT_SHARE:
        return "This edit would delete more than half of the response."
    if len(text) > RESPONSE_MAX:
        return f"This edit would make the response longer than {RESPONSE_MAX:,} characters."
    return None


def _not_better(before: Evaluation, after: Evaluation, operator: Operator) -> str | None:
    for was, now in _drops(before, after):
        # What must not be there goes even if what is left may say too little; it never fails for it.
        if now.verdict == "fail" or now.criterion_id != "relevance" or operator.removes_content:
            return f"{_drop(was, now)}."
    if after.overall_score < before.overall_score:
        return f"Score would fall {before.overall_score:.1f} → {after.overall_score:.1f}."
    if after.overall_score == before.overall_score:
        return f"Score would stay at {after.overall_score:.1f}."
    return None


def _drops(before: Evaluation, after: Evaluation) -> Iterator[tuple[VerdictItem, VerdictItem]]:
    """Yield the criteria whose verdict is worse than before."""
    for item in after.verdicts:
        was = before[item.criterion_id]
        if _VERDICT_RANK[item.verdict] < _VERDICT_RANK[was.verdict]:
            yield was, item


def _drop(was: VerdictItem, now: VerdictItem) -> str:
    verdicts = [item.verdict.replace("_", " ") for item in (was, now)]
    return f"{now.title} would drop from {verdicts[0]} to {verdicts[1]}"


def _note(state: Improvement, edit: Edit, removed: str, measured: Evaluation) -> str | UnsetType:
    notes = []
    if removes_much(state.revised, removed, edit.replacement):
        notes.append("This step removes more than a third of the text.")
    for was, now in _drops(state.after, measured):
        notes.append(f"{_drop(was, now).replace('would drop', 'drops')}.")
    return " ".join(notes) or UNSET


def _step(
    state: Improvement, operator: Operator, finding: FindingItem, edit: Edit, measured: Evaluation
) -> ImprovementStep:
    removed = state.revised[edit.start : edit.end]
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
        note=_note(state, edit, removed, measured),
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
    # Findings get new ids at each evaluation; their messages stay the same.
    tried = {(edit.criterion_id, edit.message) for edit in state.rejected}
    for finding in state.after.findings:
        if finding.severity == "info":
            continue
        able = [operator for operator in OPERATORS if operator.handles(finding.detector)]
        if not able:
            reason = "No automatic edit exists for this kind of finding."
        elif (finding.criterion_id, finding.message) in tried:
            reason = "Edits were tried, but none was kept."
        elif state.exhausted:
            reason = f"The limit of {MAX_STEPS} steps or {MAX_EVALUATIONS} evaluations was reached."
        else:
            reason = "No edit could be proposed for this text."
        yield UnresolvedFinding(
            finding_id=finding.finding_id,
            criterion_id=finding.criterion_id,
            message=finding.message,
            reason=reason,
        )
