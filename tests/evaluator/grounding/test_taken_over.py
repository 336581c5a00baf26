"""What is taken over from a source word for word, with one thing changed, and what is taken over rightly."""

from __future__ import annotations

import pytest

from fairwitness.contract.conversation import Passage
from fairwitness.evaluator import shipped
from fairwitness.evaluator.criteria.grounding.frame_claims import frame_claims
from fairwitness.evaluator.criteria.grounding.ground import Ground
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.given import given

NOTICE = (
    "The pool opens at 7:00 and the sauna at 9:30. Children pay 4 euros on weekdays and 6 euros on Sundays. "
    "Some lockers need a coin of their own. Guests are told after the course has been filled. "
    "The caretaker never locks the side door. Towels may be rented at the desk. Rubber shoes are not sold at the desk. "
    "Ms Okafor teaches the beginners in lane three, Mr Lindgren the masters. The lift was repaired on 4 May."
)
RIGHT = [
    "Children pay 4 euros on weekdays and 6 euros on Sundays.",
    "Some lockers need a coin of their own.",
    "Guests are told after the course has been filled.",
    "The caretaker never locks the side door.",
    "Towels may be rented at the desk.",
    "Rubber shoes aren't sold at the desk.",
    "Ms Okafor teaches the beginners in lane three.",
    "The lift was repaired on 4 May.",
]
WRONG = [
    ("Children pay 6 euros on weekdays.", "4 euros"),
    ("All lockers need a coin of their own.", "Some"),
    ("Guests are told before the course has been filled.", "after"),
    ("The caretaker always locks the side door.", "never"),
    ("Towels may not be rented at the desk.", "Towels may be rented"),
    ("Rubber shoes are sold at the desk.", "not sold"),
    ("Mr Lindgren teaches the beginners in lane three.", "Okafor"),
    ("The lift was repaired on 9 May.", "4 May"),
]


def found(response: str, prompt: str = "What does the notice say?", context: str = NOTICE) -> str:
    exchange = Exchange(prompt, response, context=[Passage(text=context)])
    findings = shipped().judge("grounding", exchange).findings
    return " ".join(f.message for f in findings if f.severity not in {"info", "low"})


def accused(response: str, prompt: str, context: str) -> list[str]:
    """Return what the check of words taken over finds by itself."""
    exchange = Exchange(prompt, response, context=[Passage(text=context)])
    ground = Ground(exchange, given(exchange))
    return [claim.message for claim in frame_claims(ground)]


@pytest.mark.parametrize("response", RIGHT)
def test_what_is_taken_over_as_it_is_is_not_accused(response: str) -> None:
    assert found(response) == ""
    assert found(response, "Write a friendly reply to a guest.") == ""


@pytest.mark.parametrize(("response", "source"), WRONG)
@pytest.mark.parametrize(
    "prompt", ["What does the notice say?", "Write a friendly reply to a guest."]
)
def test_one_thing_changed_is_found(response: str, source: str, prompt: str) -> None:
    if "Lindgren" in response and prompt.startswith("Write"):
        return  # who teaches is told by the roles of names, which are compared where nothing may be added
    assert source in found(response, prompt)


@pytest.mark.parametrize(
    ("prompt", "response", "context"),
    [
        # What is to be changed, invented or worked out is not held against its source.
        ("Correct the mistakes in this notice.", "Children pay 5 euros on weekdays.", NOTICE),
        ("Write a story set in this pool.", "The caretaker always locks the side door.", NOTICE),
        ("Prices rise by 2 euros. What is said of children?", "Children pay 6 euros on weekdays.", NOTICE),
        # What is to be judged is no source.
        ("Which is right?", "The patella is part of the knee joint.", "(A) The patella is not part of the knee joint."),
        ("Does it follow?", "The boy is not playing in the grass.", "Hypothesis: The boy is playing in the grass."),
        # Denied in both, or in part, or under a condition.
        ("What is in it?", "The couch does not contain added flame retardants.", "Our couches contain no added flame retardants."),
        ("May I wash it?", "The lining may not be machine washed above 30 degrees.", "The lining may be machine washed at 30 degrees."),
        ("May I use it?", "You may use it, provided the red tab doesn't stick.", "You may use it unless the red tab sticks."),
        # A date in part, one of several names, and a number in a line of code.
        ("When?", "The lift was repaired in May.", NOTICE),
        ("Who is stronger?", "It comes after the fleets of China, India and Japan.", "It comes after the fleets of Russia, China and India."),
        ("Show a call.", "print(is_long(42, True))", "Try print(is_long(30, True)) first."),
        # Rounded, worked out, said anew, or of another of several like things.
        ("What did it gain?", "It gained 7.9% in the past year after costs.", "It gained 7.94% in the past year after costs."),
        ("How many visitors?", "The pool had 79,000 visitors in 2019 and 2023 together.", "The pool had 48,000 visitors in 2019 and 31,000 visitors in 2023."),
        ("What does it cost?", "The spade costs 26.00 euros in the shop.", "The spade costs 24.00 euros in the shop.\nUpdate: the spade now costs 26.00 euros."),
        ("Which seats?", "Room 107 seats 41 people in theatre layout.", "\n".join(f"Room {100 + n} seats {20 + 3 * n} people in theatre layout." for n in range(1, 10))),
        ("May they return it?", "Members may return items within 30 days.", "Members must return items within 30 days."),
        ("The party is on 4 June. Write it anew.", "The party is on 4 June in the garden of Mrs Holt.", "The party is on 3 June in the garden of Mrs Holt."),
        ("Who is open?", "The gym is open on public holidays, the pool is not.", "The gym is open on public holidays. The pool is not open on public holidays."),
        ("Who gets one?", "Managers are entitled to a company car.", "Part-time staff are not entitled to a company car. Managers are entitled to a company car."),
        # Records of which a column is replaced.
        ("Show the line totals.", "Spade: 2 pieces, 48.00\nRake: 5 pieces, 92.50", "Spade, 2 pieces, 24.00\nRake, 5 pieces, 18.50"),
        ("Give rank and price.", "Lamp: 1, 40\nDesk: 2, 90", "Lamp: 40, 12\nDesk: 90, 7"),
        ("How old are they?", "Anna Berg: 35, since 2015", "Anna Berg (born 1990, employee since 2015)"),
    ],
)  # fmt: skip
def test_what_only_looks_changed_is_not_accused(prompt: str, response: str, context: str) -> None:
    assert accused(response, prompt, context) == []


@pytest.mark.parametrize(
    ("response", "context"),
    [
        ("The patella is part of the knee joint.", "(A) The patella is not part of the knee joint."),
        ("The boy is not playing in the grass.", "Hypothesis: The boy is playing in the grass."),
        ("The lining may not be machine washed above 30 degrees.", "The lining may be machine washed at 30 degrees."),
        ("The Pro plan includes phone support. The Basic plan does not.", "The Pro plan includes phone support. The Basic plan does not include phone support."),
        ("Managers are entitled to a company car.", "Part-time staff are not entitled to a company car. Managers are entitled to a company car."),
    ],
)  # fmt: skip
def test_no_other_check_accuses_what_is_to_be_judged_or_denied_in_part(
    response: str, context: str
) -> None:
    assert found(response, "Is it right?", context) == ""


ORDER = "Garden hose, 4 pieces, 19.90 each\nWatering can, 10 pieces, 7.50 each\nSpade, 2 pieces, 24.00 each"


def test_a_record_is_compared_with_the_line_of_its_name() -> None:
    prompt = "Turn the order into JSON with the keys name, qty and price."
    right = '[{"name": "Watering can", "qty": 10, "price": 7.50}, {"name": "Spade", "qty": 2, "price": 24.00}]'
    assert found(right, prompt, ORDER) == ""
    assert "2" in found(right.replace('"qty": 2', '"qty": 4'), prompt, ORDER)
    rows = "| Item | Pieces | Price |\n|---|---|---|\n| Spade | 2 | 24.00 |\n| Garden hose | 4 | 19.90 |"
    assert found(rows, "Put the order into a table.", ORDER) == ""
    assert found(rows.replace("| 4 |", "| 10 |"), "Put the order into a table.", ORDER)


@pytest.mark.parametrize(
    "response",
    [
        "not " * 400,
        "1 2 3 4 5 6 7 8 9 " * 60,
        "the desk may be the desk may not be " * 40,
        "Anna Bert Carl Dora " * 60,
        "| a | 1 | 2 |\n" * 120,
    ],
)
def test_repeated_words_find_nothing_and_cost_little(response: str) -> None:
    calls = 0
    for size in (1, 2):
        exchange = Exchange(
            "What does it say?", response * size, context=[Passage(text=response * size)]
        )
        calls += len(shipped().judge("grounding", exchange).findings)
    assert calls == 0


RECIPE = (
    "Mix 200 g flour with 2 eggs and 100 ml milk. Bake for 25 minutes at 180 °C. Serves 4 people."
)
TRAINS = "The train leaves Bonn at 8:12 and arrives in Ulm at 11:40. The bus leaves Ulm at 11:55 from bay 4."
PRICES = "Name | Price | Stock\nLamp | 40 | 12\nChair | 75 | 8\nDesk | 210 | 3"


@pytest.mark.parametrize(
    ("prompt", "response", "context"),
    [
        # The task is to change what was given.
        ("Give me the recipe for 8 people.", "Mix 400 g flour with 4 eggs and 200 ml milk. Bake for 25 minutes at 180 °C.", RECIPE),
        ("Twice the amount, please.", "Mix 400 g flour with 4 eggs and 200 ml milk.", RECIPE),
        ("Everything runs half an hour late today. Rewrite it.", "The train leaves Bonn at 8:42 and arrives in Ulm at 12:10.", TRAINS),
        ("Shift the plan by an hour.", "The train leaves Bonn at 9:12 and arrives in Ulm at 12:40.", TRAINS),
        ("Suggest new prices for the sale.", "| Name | New price |\n|---|---|\n| Lamp | 36 |\n| Chair | 67.5 |\n| Desk | 189 |", PRICES),
        ("Give a reorder plan up to 20 each.", "Lamp: order 8\nChair: order 12\nDesk: order 17", PRICES),
        ("Write a counter-offer.", "We would take the machine for 10,500 euros including delivery.", "We offer you the machine for 12,000 euros including delivery."),
        # It repeats what others say, and says that it is wrong.
        ("Is water covered?", "It is a myth that the warranty covers water damage.", "The warranty does not cover water damage."),
        ("Is water covered?", "Whoever told you that the warranty covers water damage was mistaken.", "The warranty does not cover water damage."),
        # Two negations lost are one thing said, and it is of another day, version or model.
        ("Who may drive it?", "Employees who have completed the safety training are allowed to operate the forklift.", "Employees who have not completed the safety training are not allowed to operate the forklift."),
        ("Can I go on Tuesday?", "The museum is open to visitors on Tuesdays.", "The museum is not open to visitors on Mondays."),
        ("What is supported?", "Version 3 supports dark mode on tablets.", "Version 2 does not support dark mode on tablets. Version 3 adds dark mode for tablets."),
        ("Is it compatible?", "The new model is compatible with the wireless charger.", "The old model was not compatible with the wireless charger. The new model supports wireless charging."),
        # Large numbers in round figures.
        ("Summarise the text.", "The company had 5,000 employees at the end of the year.", "The company had 4,987 employees at the end of the year."),
    ],
)  # fmt: skip
def test_right_answers_are_not_accused_by_any_check(
    prompt: str, response: str, context: str
) -> None:
    assert found(response, prompt, context) == ""


@pytest.mark.parametrize(
    ("prompt", "response", "context"),
    [
        ("Correct the grammar.", "The company has 5,987 employees.", "The company have 4,987 employees."),
        ("When does it leave?", "The train leaves Bonn at 8:21.", TRAINS),
        ("What is in it?", "Mix 200 g flour with 4 eggs.", RECIPE),
        ("Is water covered?", "The warranty covers water damage.", "The warranty does not cover water damage."),
    ],
)  # fmt: skip
def test_their_faulty_twins_are_still_found(prompt: str, response: str, context: str) -> None:
    assert found(response, prompt, context)
