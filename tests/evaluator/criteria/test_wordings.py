"""Calculations and demands in ordinary wording: how many wrong answers are found, how many right ones accused.

`wordings/calculation.jsonl` and `demands.jsonl` were written before the rules, the files ending in `_2` after them and
measured before the rules were changed again (the first figures are on the evaluator card). Those ending in `_3` are
plain wordings written before a third change, which saw half of them: 20 of 25 and 19 of 22 wrong answers were found
before it, and one right answer was accused. `calculation_4` are questions of several steps, a third of them made so that
a simple formula is wrong: 15 of 110 were found at first, and two right answers accused.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from time import process_time

import pytest

from fairwitness import evaluate
from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange

ROWS = Path(__file__).parent / "wordings"
# Of the wrong answers in each file, how many must be found.
FOUND = {"calculation": 96, "demands": 73, "calculation_2": 39, "demands_2": 26} | {
    "calculation_3": 23,
    "demands_3": 20,
    "calculation_4": 30,
}
# Right answers accused: a prompt that takes its demand back as a joke.
ACCUSED = {"calculation": 0, "demands": 0, "calculation_2": 0, "demands_2": 1} | {
    "calculation_3": 0,
    "demands_3": 0,
    "calculation_4": 0,
}
CRITERIA = ("calculation", "instruction_following")
CHARS = 20_000
HOSTILE = [
    "1+1=", "[", "1:", "1/1 ", "1 h 1 min ", "9.1 is larger than 9.2. ", "1 hour is 60 minutes. ", "!!!",
    "1 day after May 1 is May 2. ", "2 kg at $3 per kg costs $6. ", "| Total | 5 |\n|---|---|\n", "egg milk ",
    "color ", '{"a":', "((1+",
]  # fmt: skip


def accused(prompt: str, response: str) -> bool:
    """Tell whether either criterion finds more than a trifle."""
    exchange = Exchange(prompt, response)
    findings = (f for name in CRITERIA for f in shipped().judge(name, exchange).findings)
    return any(finding.severity not in {"info", "low"} for finding in findings)


@pytest.mark.parametrize("name", FOUND)
def test_wrong_answers_are_found_and_right_ones_left_alone(name: str) -> None:
    lines = (ROWS / f"{name}.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    found = Counter[str]()
    for row in rows:
        found["wrong"] += accused(row["prompt"], row["bad"])
        found["right"] += accused(row["prompt"], row["good"])
    assert found["wrong"] >= FOUND[name]
    assert found["right"] <= ACCUSED[name]


@pytest.mark.parametrize(
    ("prompt", "response", "verdict"),
    [
        ("What is 2 + 2?", "2 + 2 = 5", "fail"),
        ("What is 2 + 2?", "2 + 2 = 4", "pass"),
        ("Which is bigger, 9.11 or 9.9?", "9.11 is larger than 9.9.", "fail"),
        ("What time is it 3 hours before 1 pm?", "It is 11 am.", "fail"),
        ("What time is it 3 hours before 1 pm?", "It is 10 am.", "pass"),
    ],
)
def test_a_wrong_number_fails_the_response_where_one_is_asked_for(
    prompt: str, response: str, verdict: str
) -> None:
    assert evaluate(prompt, response).overall_verdict == verdict


def test_a_wrong_sum_in_a_text_that_was_not_asked_for_one_needs_review() -> None:
    response = "The market is open all year. Last spring 12 + 15 = 28 stalls were let to farmers."
    result = evaluate("Write two sentences about the market in our town.", response)
    assert result.overall_verdict == "needs_review"


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        ("Which Python is newer, 3.11 or 3.9?", "Python 3.11 is higher than 3.9."),
        ("Add 19% VAT to 200 euros.", "200 euros plus 19% VAT is 238 euros."),
        ("I'm vegan. Suggest a breakfast.", "Oats with almond milk, peanut butter and coconut yoghurt."),
        ("I'm vegan. Suggest a breakfast.", "Scrambled tofu: a good replacement for eggs."),
        ("I have a nut allergy. Dessert?", "A coconut cake with nutmeg, free of nuts."),
        ("Translate into French: good morning", "Bonjour"),
        ("Use British spelling: where is Lincoln Center?", "It is by the Rockefeller Center, in the centre."),
        ("Write about rain. Don't mention it in the title.", "Rain falls on the roof."),
        ("What is the average of 4, 8 and 15?", "(4 + 8 + 15) / 3 = 27 / 3 = 9"),
        ("How many days from March 3 to March 29?", "There are 27 days if you count both."),
        ("Meeting from 9:00 to 10:30, how long?", "It takes an hour and a half."),
        ("What is 2.18 hours after 10:57 AM?", "That is about 1:08 PM."),
        ("If 6 of us share the $75 taxi, what do I owe?", "That depends on who pays the tip."),
    ],
)  # fmt: skip
def test_what_only_looks_wrong_is_left_alone(prompt: str, response: str) -> None:
    assert not accused(prompt, response)


@pytest.mark.parametrize("unit", HOSTILE)
def test_no_text_costs_much_more_than_worked_maths(unit: str) -> None:
    worked = "Tom buys 3 pens at $2 each, so he pays 3 × $2 = $6. After 2 hours he has 10 - 6 = 4 left.\n"
    prompt = "I'm vegan and allergic to nuts. Suggest a dinner recipe in British spelling. What is 2 + 2?"

    def cost(text: str) -> float:
        exchange = Exchange(prompt, text)
        start = process_time()
        for name in CRITERIA:
            shipped().judge(name, exchange)
        return process_time() - start

    usual, hostile = math.inf, math.inf
    # Measured again only where a busy machine may have disturbed it.
    for _ in range(3):
        usual = min(usual, cost((worked * CHARS)[:CHARS]))
        hostile = min(hostile, cost((unit * CHARS)[:CHARS]))
        if hostile <= 3 * usual:
            return
    raise AssertionError(f"{hostile:.2f} s, where worked maths takes {usual:.2f} s")
