"""Runs a protocol's own examples: each is judged, and its verdicts are compared with those it expects."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from fairwitness.contract.evaluation import CriterionVerdict
from fairwitness.evaluator.engine import Evaluator


class ExpectedVerdict(Struct, frozen=True):
    """What one example expects of one criterion, or of the whole as `overall`, and what it got."""

    criterion: str
    expected: CriterionVerdict
    found: CriterionVerdict

    @property
    def met(self) -> bool:
        """Whether it is as expected."""
        return self.expected == self.found


class ExampleResult(Struct, frozen=True):
    """One example, by its number in the file from 1, and its verdicts."""

    number: int
    response: str
    verdicts: tuple[ExpectedVerdict, ...]
    met: bool


def run_examples(evaluator: Evaluator) -> Iterator[ExampleResult]:
    """Judge every example of an evaluator's protocol."""
    for number, example in enumerate(evaluator.protocol.examples, 1):
        evaluation = evaluator.evaluate(example.prompt, example.response)
        found: dict[str, CriterionVerdict] = {"overall": evaluation.overall_verdict}
        found |= {item.criterion_id: item.verdict for item in evaluation.verdicts}
        verdicts = tuple(
            ExpectedVerdict(name, expected, found[name])
            for name, expected in example.expect.items()
        )
        yield ExampleResult(
            number, example.response, verdicts, all(verdict.met for verdict in verdicts)
        )
