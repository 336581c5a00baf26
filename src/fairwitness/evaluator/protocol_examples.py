"""Runs a protocol's own examples: each is judged, and its verdicts are compared with those it expects."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import UNSET, Struct

from fairwitness.contract.conversation import Answer
from fairwitness.contract.evaluation import CriterionVerdict
from fairwitness.evaluator.engine import Evaluator
from fairwitness.evaluator.inputs import exchange_of
from fairwitness.evaluator.judges.questions import JudgeQuestion
from fairwitness.evaluator.judges.spec import words
from fairwitness.evaluator.protocol import ProtocolExample
from fairwitness.evaluator.signals import JudgeAnswer


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
        exchange = exchange_of(
            example.prompt,
            Answer(content=example.response, tool_calls=list(example.tool_calls) or UNSET),
            context=example.context or None,
            reference=example.reference,
        )
        answers = {
            question.digest: _answer(question, evaluator, example)
            for question in evaluator.questions(exchange)
        }
        evaluation = evaluator.assess(exchange, answers).evaluation
        found: dict[str, CriterionVerdict] = {"overall": evaluation.overall_verdict}
        found |= {item.criterion_id: item.verdict for item in evaluation.verdicts}
        verdicts = tuple(
            ExpectedVerdict(name, expected, found[name])
            for name, expected in example.expect.items()
        )
        yield ExampleResult(
            number, example.response, verdicts, all(verdict.met for verdict in verdicts)
        )


def _answer(question: JudgeQuestion, evaluator: Evaluator, example: ProtocolExample) -> JudgeAnswer:
    """Return what the example says a judge answers, in the letters of the question."""
    judge = evaluator.protocol[question.criterion].judge
    told = example.answers.get(question.criterion)
    if judge is None or told is None:
        return JudgeAnswer(unavailable="the example gives no answer")
    wanted = f"grade {told} of" if isinstance(told, int) else told
    options = judge.options(question.order).items()
    letter = next(
        (name for name, (_, share) in options if words(share, judge).startswith(wanted)), ""
    )
    said = {"quotations": [], "reason": "As the example says.", "verdict": letter}
    return JudgeAnswer(msgspec.json.encode(said).decode())
