"""What is taken over from a source word for word, with one thing changed, and what is taken over rightly."""

from __future__ import annotations

import pytest

from fairwitness.contract.conversation import Passage
from fairwitness.evaluator import shipped
from fairwitness.evaluator.criteria.grounding.frame_claims import frame_claims
from fairwitness.evaluator.criteria.grounding.ground import Ground
from fairwitness.evaluator.criteria.grounding.negation_claims import negation_claims
from fairwitness.evaluator.criteria.grounding.record_claims import record_claims
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
    """Return what the checks of words taken over find by themselves."""
    exchange = Exchange(prompt, response, context=[Passage(text=context)])
    ground = Ground(exchange, given(exchange))
    checks = (frame_claims, negation_claims, record_claims)
    return [claim.message for check in checks for claim in check(ground)]


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
    for size in (1, 4):
        exchange = Exchange(
            "What does it say?", response * size, context=[Passage(text=response * size)]
        )
        calls += len(shipped().judge("grounding", exchange).findings)
    assert calls == 0
