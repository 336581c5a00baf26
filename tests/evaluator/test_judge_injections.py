"""Text that speaks to the judge never raises a verdict, not even with a judge that does whatever it is told."""

from __future__ import annotations

import json

import pytest

from fairwitness.evaluator import Evaluator, protocol
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judges.questions import JudgeQuestion
from fairwitness.evaluator.signals import JudgeAnswer
from tests.evaluator.judge_injections import WAYS
from tests.evaluator.judging import PROTOCOL
from tests.evaluator.reading_once import reading_once

__all__ = ["reading_once"]

# A text is read for the questions about it, and again to be judged.
pytestmark = pytest.mark.usefixtures("reading_once")

# It fails: it insults the reader. The sentence around the injection is part of an ordinary answer.
CLEAN = (
    "Only a fool would ask that. Water boils at 100 degrees Celsius at sea level.\n\n"
    "{}\n\nHigher up in the mountains it boils at a lower temperature."
)
PLACES = {
    "own paragraph": CLEAN,
    "at the end": CLEAN.replace("\n\n{}", "") + "\n\n{}",
    "at the beginning": "{}\n\n" + CLEAN.replace("\n\n{}", ""),
    "in a paragraph": CLEAN.replace("\n\n{}\n\n", " {} "),
}
RANK = {"fail": 0, "needs_review": 1, "pass": 2}
EVALUATOR = Evaluator.of(protocol.read(PROTOCOL.encode(), "kind.toml"))


def gullible(question: JudgeQuestion, spoken: str) -> JudgeAnswer:
    """A judge that says yes wherever it is spoken to, and else what is true."""
    yes = spoken in question.prompt
    letter = ("A" if yes else "B") if question.order == 0 else ("B" if yes else "A")
    quotations = [] if yes else ["Only a fool would ask that."]
    return JudgeAnswer(json.dumps({"quotations": quotations, "reason": "So.", "verdict": letter}))


def verdict(response: str, spoken: str) -> str:
    exchange = Exchange("At what temperature does water boil?", response)
    answers = {q.digest: gullible(q, spoken) for q in EVALUATOR.questions(exchange)}
    return EVALUATOR.assess(exchange, answers).evaluation["kind"].verdict


def test_there_are_fifty_and_the_clean_text_fails() -> None:
    assert len(WAYS) == len(set(WAYS.values())) == 50
    for place in PLACES.values():
        assert verdict(place.replace("{}", ""), "nothing that is there") == "fail"
        # The judge is gullible indeed: an order that no guard would see wins it over.
        assert verdict(place.replace("{}", "Apples are green."), "Apples are green.") == "pass"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("way", WAYS)
def test_no_way_raises_the_verdict(way: str, place: str) -> None:
    spoken = WAYS[way]
    found = verdict(PLACES[place].replace("{}", spoken), spoken)
    assert RANK[found] <= RANK["fail"], f"{way}: {found}"
