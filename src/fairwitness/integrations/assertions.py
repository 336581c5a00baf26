"""Assertions about AI responses, for pytest and for plain code.

>>> from fairwitness.integrations.assertions import assert_response
>>> evaluation = assert_response("What is 2+2?", "2+2 = 4", passes="calculation")
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairwitness import evaluate

if TYPE_CHECKING:
    from fairwitness.contract.evaluation import Evaluation, VerdictItem
    from fairwitness.evaluator.protocol import Protocol

    Context = str | Sequence[str | Mapping[str, str]]
    ProtocolLike = str | os.PathLike[str] | Protocol

_WIDTH = 100


def _nothing(*_: object) -> None:
    pass


@dataclass(frozen=True)
class Assertions:
    """The two assertions, with where to record properties and tell the whole evaluation."""

    record: Callable[[str, str | float], None] = _nothing
    tell: Callable[[str], None] = _nothing
    color: bool = False

    def assert_response(
        self,
        prompt: str,
        response: str,
        *,
        context: Context | None = None,
        passes: bool | str | Iterable[str] = True,
        min_score: float | None = None,
        protocol: ProtocolLike | None = None,
    ) -> Evaluation:
        """Assert that a response passes, and return its evaluation.

        `passes=True` asks for the overall verdict `pass`; a criterion's id, or several, asks for those criteria
        only (one that does not apply passes); `passes=False` asks for neither. `min_score` asks for an overall
        score of at least this. A `needs_review` is not a pass.
        """
        __tracebackhide__ = True
        evaluation = _evaluate(prompt, response, context, protocol)
        self._record(evaluation, protocol)
        faults = [*_not_passed(evaluation, passes), *_under(evaluation, min_score)]
        if faults:
            self._fail(faults, evaluation, {"prompt": prompt, "response": response}, context)
        return evaluation

    def assert_not_worse(
        self,
        prompt: str,
        response: str,
        than: str,
        *,
        context: Context | None = None,
        by: float = 0.0,
        protocol: ProtocolLike | None = None,
    ) -> Evaluation:
        """Assert that a response is judged no worse than another one to the same prompt; return its evaluation.

        Worse is an overall score more than `by` points under the other's, beyond the protocol's noise, or a
        criterion that fails where the other's did not.
        """
        __tracebackhide__ = True
        evaluation = _evaluate(prompt, response, context, protocol)
        before = _evaluate(prompt, than, context, protocol)
        self._record(evaluation, protocol)
        self.record("fairwitness.score_before", before.overall_score)
        faults = list(_worse(evaluation, before, by + _used(protocol).overall.noise))
        if faults:
            self._fail(faults, evaluation, {"prompt": prompt, "response": response}, context)
        return evaluation

    def _record(self, evaluation: Evaluation, protocol: ProtocolLike | None) -> None:
        self.record("fairwitness.score", evaluation.overall_score)
        self.record("fairwitness.verdict", evaluation.overall_verdict)
        self.record("fairwitness.protocol_digest", _used(protocol).digest)

    def _fail(
        self,
        faults: Sequence[str],
        evaluation: Evaluation,
        texts: dict[str, str],
        context: Context | None,
    ) -> None:
        __tracebackhide__ = True
        passages = [context] if isinstance(context, str) else context or []
        for at, passage in enumerate(passages):
            texts[f"context[{at}]"] = passage if isinstance(passage, str) else passage["text"]
        self.tell(_shown(evaluation, texts, self.color))
        raise AssertionError("\n".join([*faults, *_evidence(evaluation)]))


# Without a fixture: nothing is recorded, and the message tells it all.
assert_response = Assertions().assert_response
assert_not_worse = Assertions().assert_not_worse


def _evaluate(
    prompt: str, response: str, context: Context | None, protocol: ProtocolLike | None
) -> Evaluation:
    return evaluate(prompt, response, context=context, protocol=protocol)


def _not_passed(evaluation: Evaluation, passes: bool | str | Iterable[str]) -> Iterable[str]:
    if isinstance(passes, bool):
        if passes and evaluation.overall_verdict != "pass":
            yield f"The response does not pass: {_said(evaluation)}."
            yield from (f"  {detail.message}" for detail in evaluation.reason_details)
            yield from (f"  {_told(item)}" for item in evaluation.verdicts if _open(item))
        return
    for name in [passes] if isinstance(passes, str) else passes:
        if _open(evaluation[name]):
            yield _told(evaluation[name])


def _under(evaluation: Evaluation, min_score: float | None) -> Iterable[str]:
    if min_score is not None and evaluation.overall_score < min_score:
        yield f"The overall score {evaluation.overall_score:g} is under {min_score:g}."


def _worse(evaluation: Evaluation, before: Evaluation, by: float) -> Iterable[str]:
    if evaluation.overall_score < before.overall_score - by:
        yield (
            f"The overall score {evaluation.overall_score:g} is more than {by:g} points under the "
            f"other's {before.overall_score:g}."
        )
    for item, other in zip(evaluation.verdicts, before.verdicts, strict=True):
        if item.verdict == "fail" and other.verdict != "fail":
            yield f"{_told(item)} The other: {_words(other.verdict)}."


def _used(protocol: ProtocolLike | None) -> Protocol:
    from pathlib import Path

    from fairwitness.evaluator.protocol import Protocol, load, shipped

    if protocol is None:
        return shipped()
    return protocol if isinstance(protocol, Protocol) else load(Path(protocol))


def _evidence(evaluation: Evaluation) -> Iterable[str]:
    """Yield each finding above info with its quotations, for reports that show the message alone."""
    for finding in evaluation.findings:
        if finding.severity != "info":
            quoted = ", ".join(repr(evidence.text[:80]) for evidence in finding.evidence)
            yield f"  {finding.severity} {finding.criterion_id}: {finding.message} {quoted}".rstrip()


def _shown(evaluation: Evaluation, texts: Mapping[str, str], color: bool) -> str:
    from rich.console import Console

    from fairwitness.reports.terminal import show_evaluation

    sink = io.StringIO()
    options: dict[str, Any] = {"force_terminal": True} if color else {"no_color": True}
    console = Console(file=sink, width=_WIDTH, highlight=False, **options)
    show_evaluation(console, evaluation, texts.__getitem__)
    return sink.getvalue()


def _open(item: VerdictItem) -> bool:
    return item.verdict in {"fail", "needs_review"}


def _told(item: VerdictItem) -> str:
    score = "" if item.score is None else f" ({item.score:g} of 100)"
    return f"{item.title}: {_words(item.verdict)}{score}. {item.summary}"


def _said(evaluation: Evaluation) -> str:
    return f"{_words(evaluation.overall_verdict)}, {evaluation.overall_score:g} of 100"


def _words(verdict: str) -> str:
    return verdict.replace("_", " ")
