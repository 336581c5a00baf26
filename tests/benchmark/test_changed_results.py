"""The measure of calculation finds right equations by its own means, changes them, and counts what is seen."""

from __future__ import annotations

import pytest

from fairwitness.benchmark import calculation
from fairwitness.evaluator.text import Text


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("So 3 + 4 × 2 = 11.", ["11"]),
        ("It is $1,200 - $200 = $1,000, fine.", ["1,000"]),
        ("12 times 12 is 144.", ["144"]),
        ("20% of 50 is 10.", ["10"]),
        ("3 + 4 = 8.", []),  # wrong already
        ("x3 + 4 = 7.", []),  # not surely the whole
        ("`3 + 4 = 7`", []),  # code
        ("3 + 4 = 7.5.1", []),
    ],
)
def test_right_equations_are_found(text: str, results: list[str]) -> None:
    assert [text[at.low : at.high] for at in calculation.right_equations(Text(text))] == results


def test_figures_of_answers_that_hold() -> None:
    rows = [
        {"prompt": "Add.", "response": f"So {n} + 5 = {n + 5}.", "source": "here"}
        for n in range(30, 70)
    ]
    figures = calculation.measure(rows)
    assert figures["answers with a finding above low"].value == 0.0
    assert figures["right equations that get a finding"].value == 0.0
    assert figures["changed results that are found"].value == 1.0
    assert figures["changed results that are found"].count == 40


def test_an_answer_that_is_wrong_counts_as_an_alarm() -> None:
    figures = calculation.measure([{"prompt": "Add.", "response": "2 + 2 = 5", "source": "here"}])
    assert figures["answers with a finding above low"].value == 1.0
