"""Reference: does the response agree with the expected answer, where that is a closed one?

A number, an option, yes or no, a name or short phrase, a list, or JSON. Open text is not compared.
"""

from __future__ import annotations

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.criteria.reference.agreement import compare
from fairwitness.evaluator.criteria.reference.examples import EXAMPLES
from fairwitness.evaluator.criteria.reference.expected import expected
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding, Judgement, not_applicable
from fairwitness.evaluator.protocol import CriterionSpec
from fairwitness.evaluator.signals import Signals

__all__ = ["EXAMPLES", "READS", "judge"]

READS = ("reference",)
# The same may be said in other words where a name, a phrase or a list is expected.
_SEVERITY: dict[str, Severity] = {"name": "medium", "list": "medium"}
_MAX_QUOTED_CHARS = 200


def judge(exchange: Exchange, spec: CriterionSpec, signals: Signals) -> Judgement:
    """Compare the response with the expected answer; a finding quotes both."""
    if exchange.reference is None or not exchange.reference.value.strip():
        return not_applicable("No expected answer was given.")
    wanted = expected(exchange.reference)
    if wanted.kind == "open":
        return not_applicable("The expected answer is open text, which is not compared.")
    found = compare(exchange.response, exchange.prompt, wanted)
    if found.agrees is None:
        return not_applicable(
            "The answer could not be found in the response, so it was not compared."
        )
    if found.agrees:
        return Judgement(summary="Agrees with the expected answer.")
    value = exchange.reference.value
    start = len(value) - len(value.lstrip())
    end = min(len(value.rstrip()), start + _MAX_QUOTED_CHARS)
    finding = Finding(
        severity=_SEVERITY.get(wanted.kind, "high"),
        message=_message(wanted.kind, found.differs),
        detector=f"reference.{wanted.kind}",
        spans=(
            Span(found.answer.start, min(found.answer.end, found.answer.start + _MAX_QUOTED_CHARS)),
            Span(start, end, "reference"),
        ),
        suggestion=value.strip() if len(value) <= _MAX_QUOTED_CHARS else None,
    )
    return Judgement(summary="Differs from the expected answer.", findings=(finding,))


def _message(kind: str, differs: str) -> str:
    if kind == "list":
        return f"Does not name {differs}, which the expected answer lists."
    if kind == "name":
        return "The expected answer is not in the response."
    return f"Differs from the expected answer{f': {differs}' if differs else ''}."
