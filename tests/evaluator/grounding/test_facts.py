"""Numbers, dates and times as they are written; what follows from what; what a prompt hands over."""

from __future__ import annotations

import pytest

from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.facts.derivation import Values, follows, is_rounded, is_total
from fairwitness.evaluator.facts.moments import agree, days_between, moments
from fairwitness.evaluator.facts.quantities import Quantity, figures
from fairwitness.evaluator.given import Task, given
from fairwitness.evaluator.text import Text


@pytest.mark.parametrize(
    ("written", "value", "unit"),
    [
        ("18,000", 18000, ""),
        ("1.8 kg", 1.8, "kg"),
        ("$1.2 million", 1_200_000, "$"),
        ("€42", 42, "€"),
        ("31 percent", 31, "%"),
        ("31%", 31, "%"),
        ("ninety miles", 90, "mile"),
        ("twenty-five", 25, ""),
        ("one hundred and forty", 140, ""),
        ("two hundred forty-two days", 242, "day"),
        ("12-month", 12, "month"),
        ("one and a half hours", 1.5, "hour"),
        ("20 °C", 20, "°C"),
        ("1.234.567", 1234567, ""),
        ("3,14", 3.14, ""),
    ],
)
def test_a_quantity_is_read(written: str, value: float, unit: str) -> None:
    (quantity,) = figures(Text(f"It is {written} here")).quantities
    assert (quantity.value, quantity.unit) == (value, unit)


def test_two_numbers_stay_two() -> None:
    (low, high) = figures(Text("between one hundred and two hundred euros")).quantities
    assert (low.value, high.value) == (100, 200)
    (about,) = figures(Text("about one hundred and forty people")).quantities
    assert about.approximate
    assert [found.value for found in figures(Text("two hundred and\n\nTen more")).quantities] == [
        200,
        10,
    ]


@pytest.mark.parametrize("written", ["B12", "5th", "the 1980s", "[3]", "555-123-4567", "1. First"])
def test_no_quantity(written: str) -> None:
    assert figures(Text(written)).quantities == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("17 March 2025", "March 17, 2025", True),
        ("2025-03-17", "17 March", True),
        ("17 March 2025", "March 27, 2025", False),
        ("Tuesday, 9 September", "Wednesday, 9 September", False),
        ("6:30 pm", "18:30", True),
        ("7:00", "7 pm", True),
        ("23:05", "22:05", False),
        ("noon", "12:00", True),
    ],
)
def test_moments_agree_or_not(one: str, other: str, same: bool) -> None:
    (first,), (second,) = moments(Text(one)), moments(Text(other))
    assert agree(first, second) is same


def test_a_range_of_days_is_two_dates_and_days_are_counted() -> None:
    first, last = moments(Text("from 28 February to 3 March 2024"))
    assert days_between(first, last) == 4
    assert [moment.day for moment in moments(Text("October 14 to 16, 2024"))] == [14, 16]


def quantity(written: str) -> Quantity:
    return figures(Text(f"it is {written} here")).quantities[0]


@pytest.mark.parametrize(
    ("stated", "given_ones", "supported"),
    [
        ("7", ("28", "21"), True),
        ("60%", ("$30,000", "$50,000"), True),
        ("45%", ("$30,000", "$50,000"), False),
        ("$144", ("$12", "$108"), True),
        ("$1,390", ("34.75 hours", "$40"), True),
        ("68 °F", ("20 °C", "25 °C"), True),
        ("750 g", ("0.75 kg", "2"), True),
        ("630 pounds", ("630 kg", "1 m"), False),
        ("24", ("28", "21"), False),
    ],
)
def test_what_follows(stated: str, given_ones: tuple[str, ...], supported: bool) -> None:
    assert follows(quantity(stated), [quantity(item) for item in given_ones]) is supported


def test_rounding_and_totals() -> None:
    census = Values([quantity("1,987,412")])
    assert is_rounded(quantity("2 million"), census)
    assert is_rounded(quantity("about 1.9 million"), census)
    assert not is_rounded(quantity("1.5 million"), census)
    spent = [quantity(item) for item in ("£8,400", "£2,150", "£730", "£1,900")]
    assert is_total(quantity("£4,780"), spent)
    assert not is_total(quantity("£4,870"), spent)


TEXT = "The bridge was opened in 1961 and rebuilt in 1990 after a storm."


@pytest.mark.parametrize(
    ("prompt", "handed", "task"),
    [
        (f"Summarise the following text.\n\n{TEXT}", TEXT, Task.FAITHFUL),
        (f"Context: {TEXT}\n\nQuestion: When was it opened?", TEXT, Task.QUESTION),
        (f"Answer only from this text:\n{TEXT}", TEXT, Task.FAITHFUL),
        (f'Translate this sentence into French: "{TEXT}"', f'"{TEXT}"', Task.FAITHFUL),
        (f'"""{TEXT}"""\nWhen was it opened?', TEXT, Task.QUESTION),
        (f"<context>{TEXT}</context> When was it opened?", TEXT, Task.QUESTION),
        (f"{TEXT}\n\nWrite a poem about the text above.", TEXT, Task.OPEN),
        ("Name: Ann\nAge: 40\nCity: Bern\n\nHow old is she?", "Name: Ann\nAge: 40\nCity: Bern", Task.QUESTION),
        ("| a | b |\n|---|---|\n| x | 1 |\n\nWhat is x?", "| a | b |\n|---|---|\n| x | 1 |", Task.QUESTION),
        ("What is the capital of France?", "", Task.QUESTION),
        ("Use the following format:\n* Bullet one is short\n* Bullet two is long", "", Task.QUESTION),
        ('End your answer with the exact phrase "Is there anything else I can do?"', "", Task.QUESTION),
        ("A train leaves at 9 and drives for 3 hours. When does it arrive?", "", Task.QUESTION),
    ],
)  # fmt: skip
def test_what_a_prompt_hands_over(prompt: str, handed: str, task: Task) -> None:
    found = given(Exchange(prompt, "."))
    assert [part.text.slice(part.region) for part in found.passages] == ([handed] if handed else [])
    assert found.task is task
