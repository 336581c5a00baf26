"""Plain questions about a table, closed transformations of a text, and rates, dates and times, written without sight of the rules.

When the rules first met them, 16 of 36 wrong answers about tables were found (7 by the rules before), 18 of 36 to
transformations (10), and 12 of 40 about rates, dates and times (8). Of the 224 right answers 11 were accused. They were looked
at and mended; of the 3 that still are, two do break a demand of their prompt.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.signals import Signals

FILE = Path(__file__).with_name("closed_forms.jsonl")
RULES = ("calculation", "coherence", "grounding", "instruction_following")


def is_held_up(prompt: str, answer: str) -> bool:
    """Tell whether a rule alone, without what the model says, keeps an answer from passing."""
    evaluator, exchange = shipped(), Exchange(prompt, answer)
    scored = [
        evaluator._judge(spec, exchange, Signals(exchange, []))
        for spec in evaluator._specs
        if spec.id in RULES
    ]
    return any(one.verdict in {"fail", "needs_review"} for one in scored)


def answers(name: str, which: str) -> list[tuple[str, str]]:
    problems = [
        one for one in map(json.loads, FILE.read_text().splitlines()) if one["class"] == name
    ]
    return [(one["prompt"], answer) for one in problems for answer in one[which]]


@pytest.mark.parametrize(
    ("name", "found", "accused"),
    [("a table", 15, 1), ("a transformation", 17, 0), ("a rate, a date or a time", 11, 2)],
)
def test_as_many_are_found_and_no_more_right_ones_accused(
    name: str, found: int, accused: int
) -> None:
    assert sum(is_held_up(*one) for one in answers(name, "wrong")) >= found
    assert sum(is_held_up(*one) for one in answers(name, "right")) <= accused


def test_right_answers_in_free_wording_are_not_accused() -> None:
    """Two strangers wrote 497 right answers to trip the rules; those that were accused and could be mended are kept here."""
    lines = FILE.with_name("free_wording.jsonl").read_text().splitlines()
    asked = [(one["prompt"], answer) for one in map(json.loads, lines) for answer in one["right"]]
    assert [one for one in asked if is_held_up(*one)] == []
