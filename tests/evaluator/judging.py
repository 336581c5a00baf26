"""A protocol with one judged criterion, and judges that answer as a test says."""

from __future__ import annotations

import json
from collections.abc import Callable

from fairwitness.evaluator import Evaluator, protocol
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judges.questions import JudgeQuestion
from fairwitness.evaluator.signals import Answers, JudgeAnswer

HEAD = protocol.shipped().source.decode().partition("[criteria.")[0]
PROTOCOL = (
    HEAD
    + """[criteria.kind]
title = "Kind"
question = "Is the response kind?"
weight = 0.6
fail_below = 50
pass_from = 80
judge = { providers = ["provider_a"] }
"""
)


def evaluator_with(judge: str) -> Evaluator:
    """Return the evaluator of the protocol with another `judge`."""
    text = PROTOCOL.replace('{ providers = ["provider_a"] }', judge)
    return Evaluator.of(protocol.read(text.encode(), "kind.toml"))


def said(verdict: str, *quotations: str, reason: str = "So it is.") -> JudgeAnswer:
    """Return an answer in the form that was asked for."""
    return JudgeAnswer(json.dumps({"quotations": quotations, "reason": reason, "verdict": verdict}))


def letter(question: JudgeQuestion, yes: bool) -> str:
    """Return the letter that says yes or no in a question's order."""
    return "A" if yes == (question.order == 0) else "B"


def answered(
    evaluator: Evaluator, exchange: Exchange, judge: Callable[[JudgeQuestion], JudgeAnswer]
) -> Answers:
    """Return the answers to every question about an exchange."""
    return {question.digest: judge(question) for question in evaluator.questions(exchange)}
