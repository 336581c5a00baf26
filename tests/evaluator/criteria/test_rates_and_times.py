"""Rates with their units, dates and times that a prompt determines, timesheets, shares and lists that are multiplied."""

from __future__ import annotations

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange

TALK = "Please help me with this."
KILN = "The kiln is loaded on Thursday 12 June and has to cool for 9 days. On which day can we open it?"
ROWS = "Time sheet of the harbour office\nMon 06:40–14:10, break 30 min\nWed 07:05–15:50, break 45 min\n\nPaid hours per day, please."
POLL = "We asked 320 visitors: 176 came by tram, 96 walked in, 48 drove. Give me the percentages."
GARDEN = "The water bill of 420 is split by plot size: Olga 30 m², Piet 50 m², Ruth 40 m². Who pays what?"
SOUP = "My soup recipe serves 6: 900 g leeks, 3 onions, 600 ml stock, 150 g cream. We will be 10. Scale it, please."
SAW = "The saw wants a mix of petrol and oil at 40:1. How much oil do I put in?"


def found(prompt: str, response: str) -> list[str]:
    judged = shipped().judge("calculation", Exchange(prompt, response))
    return [finding.message for finding in judged.findings]


@pytest.mark.parametrize(
    ("right", "wrong", "result"),
    [
        ("216 km in 2.4 hours is 90 km/h.", "216 km in 2.4 hours is 96 km/h.", "90"),
        (
            "The lorry did 216 km. Over 2 h 24 min that makes 90 km/h.",
            "The lorry did 216 km. Over 2 h 24 min that makes 80 km/h.",
            "90",
        ),
        (
            "At 18 pages an hour, 126 pages take 7 hours.",
            "At 18 pages an hour, 126 pages take 9 hours.",
            "7",
        ),
        (
            "The boiler burns 2.5 litres per hour, so 14 hours use 35 litres.",
            "The boiler burns 2.5 litres per hour, so 14 hours use 39 litres.",
            "35",
        ),
        (
            "0.4 mg/kg for 35 kg is 14 mg, and at 7 mg per ml that comes to 2 ml.",
            "0.4 mg/kg for 35 kg is 14 mg, and at 7 mg per ml that comes to 2.6 ml.",
            "2",
        ),
        (
            "The van uses 9 litres per 100 km. At 1.60 euros a litre, that is 14.40 euros for every 100 km.",
            "The van uses 9 litres per 100 km. At 1.60 euros a litre, that is 16.40 euros for every 100 km.",
            "14.4",
        ),
    ],
)
def test_a_rate_that_does_not_fit_its_amounts_is_found(right: str, wrong: str, result: str) -> None:
    assert found(TALK, right) == []
    assert any(f"gives {result}" in message for message in found(TALK, wrong))


@pytest.mark.parametrize(
    "text",
    [
        "At 25 pages a day you get through the 190 pages in 8 days.",
        "It is 283 km, which takes 3 hours at 95 km/h.",
        "You cycled at 18 km/h for 2 hours, so 11 km are left.",
        "The 240 km took 2 hours longer than planned at 80 km/h.",
        "4 people at 11 euros an hour for 3 hours cost 132 euros.",
        "300 km at 100 km/h takes 3 hours and 20 minutes with a short break.",
        "12 euros an hour for 6 hours is 72 euros, and with the tip 80 euros.",
        "You did 120 km/h for 10 minutes, which is 20 km, in a zone of 80 km/h.",
        "300 km at 90 km/h takes 3 hours 20 minutes, not 3 hours.",
        "The first 40 of 130 km at 40 km/h take 1 hour.",
        "Light does 300,000 km per second, so 384,000 km take about 1.3 seconds.",
        "A dose of 15 mg/kg for 20 kg is 300 mg.",
    ],
)
def test_rates_beside_other_amounts_are_let_be(text: str) -> None:
    assert found(TALK, text) == []


def test_the_only_rate_of_a_prompt_joins_two_amounts() -> None:
    prompt = (
        "The feeder gives 150 g of grain per hour and runs from 05:00. How much is out by 08:30?"
    )
    assert found(prompt, "By then it has run for 3.5 hours, so 525 g are out.") == []
    assert found(prompt, "By then it has run for 3.5 hours, so 575 g are out.")
    # Another number of the prompt may make up for the difference.
    more = f"{prompt} There were 50 g in the bowl."
    assert found(more, "By then it has run for 3.5 hours, so 575 g are out.") == []


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        (KILN, "You can open it on Saturday 21 June."),
        (KILN, "With the loading day counted, Friday 20 June."),
        ("I renewed on 31 January 2025 for 1 month. When does it end?", "On 28 February 2025."),
        ("Seeds went in on 4 April: thin after 3 weeks, pick after 9. Which dates?", "25 April."),
        ("It is 27 May. She said 'a week on Friday'. What date is that?", "That is 5 June."),
        ("Chess is every 2 weeks from 6 March. When is the fourth evening?", "On 17 April."),
        ("Answer within 10 working days of 3 March. Last day?", "Monday, 17 March 2025."),
    ],
)
def test_a_date_that_follows_or_another_rule_is_let_be(prompt: str, response: str) -> None:
    assert found(prompt, response) == []


def test_a_date_that_does_not_follow_is_found() -> None:
    assert found(KILN, "You can open it on Wednesday 25 June.")
    lent = "Lent on 8 October 2025 for 5 weeks, the fine starts 10 days after that. Which date is it due, and when does the fine start?"
    assert found(lent, "Due on 12 November 2025, the fine starts on 22 November 2025.") == []
    assert found(lent, "Due on 12 November 2025, the fine starts on 27 November 2025.")


def test_a_weekday_agrees_with_its_date() -> None:
    fair = "The fair is on Saturday 7 June. We set up the day before. Write the two days."
    assert found(fair, "Set-up on Friday 6 June, fair on Saturday 7 June.") == []
    assert found(fair, "Set-up on Thursday 6 June, fair on Saturday 7 June.")
    assert found(TALK, "The lease ends on Thursday, 14 August 2025.") == []
    assert found(TALK, "The lease ends on Tuesday, 14 August 2025.")
    courses = "Mon courses begin 8 September, Thu courses 11 September. When does hers begin?"
    assert found(courses, "Hers begins on Thursday 11 September.") == []


@pytest.mark.parametrize(
    ("prompt", "right", "wrong"),
    [
        (
            "The coach leaves at 11:35, takes 4 h 40 min and stops for 20 min. What time are we there? Bus 7.",
            "At 16:35.",
            "At 16:55 you are there.",
        ),
        (
            "The ticket says in at 19:50, out at 01:05, 3 euros a started hour. How long was I in?",
            "5 hours 15 minutes, so six started hours.",
            "6 hours 15 minutes, so seven started hours.",
        ),
        (
            "We fly from Porto at 07:15, 3 h 05 min. Clocks in Vienna are 1 hour ahead of Porto. Local landing time?",
            "You land at 11:20 local time.",
            "You land at 09:20 local time.",
        ),
        (
            "Launch at 16:20 UTC. Lima is UTC−5, Seoul UTC+9. Local times as a table, please.",
            "| Place | Time |\n|---|---|\n| Lima | 11:20 |\n| Seoul | 01:20 |",
            "| Place | Time |\n|---|---|\n| Lima | 11:20 |\n| Seoul | 02:20 |",
        ),
        (
            ROWS,
            "| Mon | 7 h | - |\n| Wed | 8 h | - |\n| Total | 15 h | - |",
            "| Mon | 7 h | - |\n| Wed | 8 h 45 min | - |\n| Total | 16 h 15 min | - |",
        ),
        (ROWS, "Monday 7 hours, Wednesday 8 hours.", "Monday 7 hours, Wednesday 7 hours 30 minutes."),
        (POLL, "Tram 55%, walked 30%, drove 15%.", "Tram 65%, walked 30%, drove 5%."),
        (POLL, "Without the drivers, 64.7% came by tram.", "Without the drivers, 74.7% came by tram."),
        (GARDEN, "Olga: 105\nPiet: 175\nRuth: 140", "Olga: 110\nPiet: 170\nRuth: 140"),
        (
            SOUP,
            "1.5 kg leeks, 5 onions, 1 litre stock and 250 g cream.",
            "1.5 kg leeks, 5 onions, 1 litre stock and 225 g cream.",
        ),
        (SAW, "For 6 litres of petrol, 150 ml of oil.", "For 6 litres of petrol, 240 ml of oil."),
    ],
)  # fmt: skip
def test_what_the_prompt_determines(prompt: str, right: str, wrong: str) -> None:
    assert found(prompt, right) == []
    assert found(prompt, wrong)


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        ("Be there at 6:10, the drive is 45 min. When do I leave?", "Leave around 5:15, to be safe."),
        ("Be there at 6:10, drive 45 min, breakfast 20, shower 15. When do I get up?", "At 4:50."),
        ("Ana 08:00-16:00, Ben 16:00-00:00. Hours worked in 5 shifts?", "Ana: 40 hours, Ben: 40 hours."),
        ("One press does it alone in 4 hours, one in 6. Both from 9:00, when are they done?", "At 11:24."),
        (POLL, "85% did not drive, and tram riders outnumber walkers by 25% of all."),
        (GARDEN, "By equal shares it would be 140 each for Olga, Piet and Ruth."),
        (SOUP, "1.5 kg leeks, 5 onions, 1 litre stock. I'd use only 200 g cream."),
    ],
)  # fmt: skip
def test_what_is_meant_otherwise_is_let_be(prompt: str, response: str) -> None:
    assert found(prompt, response) == []
