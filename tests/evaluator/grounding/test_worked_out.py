"""Answers that work something out from the source and from what the question tells are not held against the source."""

from __future__ import annotations

import pytest

from fairwitness.contract.conversation import Passage
from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange

SCHEME = (
    "Ferry rules. Adults pay $14, children $6. Bikes: $3 each. A day card allows 40-minute stops, a week card 90-minute stops. "
    "Every started 20 minutes beyond that costs $2. Bookings close at 6 pm."
)
HALL = "Hire fee: weekdays $800, Fridays $950, Sundays $700. The kitchen costs $120."
CHAT = "User: We need a van on Friday for 3 people at 7 pm.\nAssistant: Noted: Friday, 7 pm, 3 people.\nUser: "


def severities(prompt: str, response: str, *context: str) -> list[str]:
    exchange = Exchange(prompt, response, context=[Passage(text=text) for text in context])
    return [finding.severity for finding in shipped().judge("grounding", exchange).findings]


@pytest.mark.parametrize(
    ("prompt", "response", "context"),
    [
        ("I have the day card and stopped for 65 minutes. What do I pay?",
         "The first 40 minutes are included, which leaves 25 minutes. You pay $4.", [SCHEME]),
        ("Dinner was $52 with an $11 glass of wine, which is not covered. What can I claim?",
         "You can claim $41.", ["Meals: up to $60 a day. Alcohol is not covered."]),
        ("What does the hall cost, with the kitchen?",
         "On a Friday, with a fee of $950 and the kitchen, it is $1,070.", [HALL]),
        ("Label: 250g pack, per 100g: 480 kcal, 22 g fat. What's in the whole pack?",
         "The whole pack has 1,200 kcal and 55 g of fat.", []),
        ("How long was it from the opening to the end, break included?",
         "From 14:20 to 17:05 is 2 hours and 45 minutes, break included.",
         ["The session was opened at 14:20 by the chair. A ten-minute break was taken at 15:30. It ended at 17:05."]),
        ("What age was she when she was elected?", "She was 41 when she was elected.",
         ["Ms Dahl was born on 9 November 1979. She was elected on 2 May 2021 in the third round."]),
        ("Which year was best for plums, and which fruit was weakest in 2022?",
         "Plums had their best year in 2022 with 121 crates. In 2022 the weakest was quince, with 87.",
         ["| Fruit | 2021 | 2022 | 2023 |\n|---|---|---|---|\n| Plums | 73 | 121 | 110 |\n| Quince | 101 | 87 | 93 |"]),
        ("team,played,goals\nRovers,12,31\nCity,11,27\n\nWho has most goals?",
         "Rovers, with 31 goals to City's 27.", []),
        ("Convert to JSON:\n\nborn 7 Nov 1958. Marks 14/20. Next 3 Sept 2025.",
         '{"born": "1958-11-07", "next": "2025-09-03"}', []),
        ("When did it close?\n\nThe shop opened in Cork in 2014. It closed three years later.",
         "The shop in Cork closed in 2017, three years after it opened.", []),
        ("Quotes for the fence, 18 metres:\nBaxter: £62 per metre, removal £150\nHadley: £48 per metre, removal £95\nWhich is cheapest?",
         "Baxter costs £1,266 and Hadley costs £959.", []),
        ("Is lunch served on Mondays?", "No, lunch is not served on Mondays.",
         ["Lunch: Tuesday to Saturday, 12:00 to 14:30."]),
        ("Today is Wednesday, 17 April 2024. What date is the Friday after next week's Friday?",
         "That is 3 May 2024.", []),
        ("My day: 9:00 stand-up (15 min), 14:00 call (45 min). What is free between 9 and 17?",
         "From 9:15 to 14:00, and from 14:45 to 17:00.", []),
    ],
)  # fmt: skip
def test_what_follows_from_both_is_no_fault(prompt: str, response: str, context: list[str]) -> None:
    assert not {"medium", "high", "critical"} & {*severities(prompt, response, *context)}


@pytest.mark.parametrize(
    ("turn", "response"),
    [
        ("Two more are coming, and could it be half an hour later?",
         "The van is booked for Friday at 7:30 pm, for 5 people."),
        ("Make it 8 pm.", "Done: Friday, 8 pm, 3 people."),
    ],
)  # fmt: skip
def test_the_last_turn_of_a_pasted_chat_may_change_what_was_said(turn: str, response: str) -> None:
    assert not {"medium", "high", "critical"} & {*severities(CHAT + turn, response)}


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        ("What do adults pay?", "Adults pay $41."),
        ("Summarise the rules in 2 sentences of at most 20 words.",
         "Adults pay $41 and children $6. Bookings close at 6 pm."),
        ("When do bookings close?", "Bookings close at 8 pm."),
    ],
)  # fmt: skip
def test_where_the_question_brings_no_number_another_one_is_a_fault(
    prompt: str, response: str
) -> None:
    assert {"medium", "high"} & {*severities(prompt, response, SCHEME)}


def test_a_value_is_not_taken_for_a_neighbours() -> None:
    policy = "Standard delivery takes 3-5 working days ($4.99). Express next working day ($12.99)."
    assert not severities("What does express cost?", "Express delivery is $12.99.", policy)
