"""Totals and averages of amounts that the prompt lists, and results explained in brackets."""

from __future__ import annotations

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange

MARKET = (
    "What we took at the market: honey 84.50 euros, candles 36.20 euros, soap 51.30 euros, "
    "wax 12.00 euros. What is the total?"
)
LAPS = "Lap lengths on the bike computer:\n- Monday 12.4 km\n- Tuesday 9.8 km\n- Friday 15.3 km\n\nHow far altogether?"
BAGS = "The limit is 40 kg. Bags: tent 9.6 kg, cooler 11.5 kg, case 8.7 kg, sack 12.4 kg. Are we within it?"
MARKS = "Her marks were 71, 84, 66 and 91. What is her average?"


def found(prompt: str, response: str) -> list[str]:
    judged = shipped().judge("calculation", Exchange(prompt, response))
    return [finding.message for finding in judged.findings]


@pytest.mark.parametrize(
    ("prompt", "right", "wrong", "result"),
    [
        (
            MARKET,
            "The total is 184.00 euros.",
            "The total is 194.00 euros.",
            "gives 184.00",
        ),
        (
            MARKET,
            "Altogether you took 184.00 euros at the market.",
            "Altogether you took 148.50 euros at the market.",
            "gives 184.00",
        ),
        (
            LAPS,
            "You rode **37.5 km** altogether.",
            "You rode **36.5 km** altogether.",
            "gives 37.5",
        ),
        (
            BAGS,
            "No: the four bags weigh 42.2 kg together, 2.2 kg too much.",
            "Yes: the four bags weigh 39.2 kg together, 0.8 kg under it.",
            "gives 42.2",
        ),
        (
            "Lap lengths: Ada 3:42, Bo 4:15, Cy 2:58. What is the total?",
            "Write 10:55. The minutes alone give 9.",
            "Write 10:45. The minutes alone give 9.",
            "gives 10:55",
        ),
        (
            MARKS,
            "Her four marks add up to 312, so her average is 78.",
            "Her four marks add up to 332, so her average is 83.",
            "gives 78",
        ),
        (
            MARKS,
            "The marks add up to 312, so her average is 78.",
            "Her average is 82.5.",
            "gives 78",
        ),
    ],
)
def test_a_wrong_total_of_what_the_prompt_lists_is_found(
    prompt: str, right: str, wrong: str, result: str
) -> None:
    assert found(prompt, right) == []
    assert any(result in message for message in found(prompt, wrong))


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        # Some of them may be meant.
        (MARKET, "Honey and candles make a total of 120.70 euros."),
        # There is more to it than the list.
        (
            MARKET.replace("What is", "We pay 10% for the stand. What is"),
            "The total is 165.60 euros.",
        ),
        (LAPS.replace("How far", "I had 20 km before that. How far"), "It is 57.5 km altogether."),
        (
            LAPS.replace("How far", "Each lap was ridden twice. How far"),
            "You rode 75 km altogether.",
        ),
        (
            "| Player | Goals | Assists |\n|---|---|---|\n| Kim | 9 | 4 |\n| Lee | 6 | 7 |\n| Ana | 12 | 1 |\n\nHow many goals in total?",
            "27 goals in total.",
        ),
        (
            "- Apples: 4 at $1\n- Bread: 2 at $3\n- Milk: 3 at $2\nWhat's the total?",
            "The total is $16.",
        ),
        (
            "Subscriptions: music $10 a month, video $15 a month, gym $30 a month. What is the total for a year?",
            "The total for a year is $660.",
        ),
        (
            "Coffee $4, muffin $3, juice $5. What is the total for three coffees and a muffin?",
            "The total is $15.",
        ),
        # Said to be rough, or of another kind.
        (LAPS, "You rode about 40 km altogether."),
        (LAPS, "Altogether you rode three times."),
        (
            "The jar has 12 dimes, 9 nickels and 31 pennies. What is the total in dollars?",
            "12 × 0.10 + 9 × 0.05 + 31 × 0.01 makes a total of 1.96 dollars.",
        ),
        (
            "Sales were 120 in 2019, 150 in 2020 and 90 in 2021. What is the total?",
            "The total is 360.",
        ),
    ],
)
def test_what_may_be_right_is_let_be(prompt: str, response: str) -> None:
    assert found(prompt, response) == []


@pytest.mark.parametrize(
    ("right", "wrong", "result"),
    [
        (
            "You have 158 pages left (400 − 242).",
            "You have 168 pages left (400 − 242).",
            "gives 158",
        ),
        (
            "That is **$36.25** altogether ($12.50 + $8.00 + $15.75).",
            "That is **$38.25** altogether ($12.50 + $8.00 + $15.75).",
            "gives 36.25",
        ),
        (
            "It stood for 88 years (1961 - 1873).",
            "It stood for 98 years (1961 - 1873).",
            "gives 88",
        ),
    ],
)
def test_a_result_that_its_brackets_do_not_give_is_found(
    right: str, wrong: str, result: str
) -> None:
    assert found("How is it worked out?", right) == []
    assert any(result in message for message in found("How is it worked out?", wrong))


@pytest.mark.parametrize(
    "response",
    [
        "Read chapter 5 (3 + 4 are optional).",
        "It works for groups of 6 or 8 (4 + 2).",
        "See room 12 (3 + 1).",
        "It takes about 2 hours (30 + 90 minutes).",
        "The next one is 14 - (1 + 3 + 5) = 5.",
        "She turned 86 in 2024 (2024 − 1938).",
        "You had $1,180 left as of June 30 ($5,000 − $3,820).",
    ],
)
def test_brackets_that_explain_something_else_are_let_be(response: str) -> None:
    assert found("How is it worked out?", response) == []
