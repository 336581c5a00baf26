"""What a rule cannot tell from a right answer is not accused: a case, a difference, a denial of less than the source says."""

from __future__ import annotations

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.criteria.grounding.bounds import is_bound, is_limit
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.facts.quantities import figures
from fairwitness.evaluator.text import Text
from tests.evaluator.grounding.accusing import accused

FARES = (
    "Fares of the valley line. Adults pay $14, children $6, dogs $3. Bikes cost $5 on weekdays and $7 on Sundays. "
    "A group of 10 saves 15%. The ride from Alm to Sorn is 48 km long. Season card: $390."
)
ROOMS = "| Room | Seats | Price |\n|---|---|---|\n| Alder | 18 | £14 |\n| Birch | 26 | £17 |\n| Cedar | 32 | £31 |\n\nAll rooms: at least two hours."
PARCELS = "Parcels may weigh up to 20 kg. Letters after 1 April go by road. The depot is in Sorn."
CLINIC = "Allergies: penicillin\nRefund: only if the visit is called off\nMoney: one invoice, stopped by the bank"


@pytest.mark.parametrize(
    ("source", "response"),
    [
        # Worked out of several of many numbers.
        (FARES, "Two adults and three children with a bike each come to $71 on a weekday."),
        (FARES, "Ten adults together pay $119."),
        # A case that a given limit is applied to.
        (PARCELS, "A parcel of 12 kg is fine."),
        (PARCELS, "A letter of 10 April goes by road."),
        # A difference, or a least amount, is in no cell.
        (ROOMS, "Cedar is dearer than the next one, by £14."),
        (ROOMS, "The least you pay for Alder is £28."),
        # The first of some is not the first of all.
        (ROOMS, "Two rooms seat more than 20. The cheapest of these is Birch."),
        # Less is denied than the field has, or the field has a condition.
        (CLINIC, "No money was lost."),
        (CLINIC, "Who stays away gets no refund."),
        # A clause of time does not say whether it is so, and cells are no clause.
        ("Blocked: the works council had not agreed to the import.", "It waited until the works council agreed."),
        ("who      dish          nuts\nCarlos      chicken pie      no\nGus      carrot cake      yes", "The meat dish is Carlos's chicken pie."),
        # Who is written to is in no source.
        (PARCELS, "Dear Ms Farrow, parcels may weigh up to 20 kg."),
        # Who is banned is not allowed, and "no more than" is "not more than".
        ("Lorries over 7.5 tonnes are not allowed to cross.", "Lorries over 7.5 tonnes are banned."),
        ("Eight weeks of yoga did not reduce pain more than stretching.", "Eight weeks of yoga reduced pain no more than stretching."),
        # A contrast denies only what follows it.
        ("Claims go in Annex W, line 44; day rates in line 45.", "They go in line 45 of Annex W, not line 44."),
        # A country and its people, and a war that everybody knows of.
        ("The Finnish fund Kaski paid for the barque, which lay idle from 1914 to 1918 in Sorn.",
         "A fund in Finland paid for the barque, which lay idle in the First World War."),
    ],
)  # fmt: skip
def test_what_may_be_right_is_not_accused(source: str, response: str) -> None:
    assert accused(f"Summarise this for me.\n\n{source}", response) == []


@pytest.mark.parametrize(
    ("source", "response"),
    [
        (FARES, "A season card costs $930."),
        (FARES, "The ride from Alm to Sorn is 48 miles long."),
        (PARCELS, "Parcels may weigh up to 30 kg."),
        (ROOMS, "Alder costs £17 an hour."),
        (ROOMS, "Cedar (26) is the room to take."),
        (CLINIC, "There are no known allergies."),
        # The same word of forbidding or comparing on both sides is denied on one.
        ("Dogs are not banned from the beach in July.", "Dogs are banned from the beach in July."),
        (
            "VAT is excluded from the price of the room.",
            "VAT is not excluded from the price of the room.",
        ),
        ("Members do not pay less than guests.", "Members pay less than guests."),
        (
            "After midnight the pool is not open to guests.",
            "After midnight the pool is open to guests.",
        ),
    ],
)
def test_what_is_surely_wrong_is_found(source: str, response: str) -> None:
    assert accused(f"Summarise this for me.\n\n{source}", response)


@pytest.mark.parametrize(
    ("written", "limit", "bound"),
    [
        ("up to 20 kg", True, True),
        ("at most £20", True, True),
        ("for 3–5 days", True, True),
        ("cheaper by £11", False, True),
        ("35 minutes too late", False, True),
        ("it averages 61.8", False, True),
        ("Study desks - 58", False, False),
        ("it holds 24 people", False, False),
    ],
)
def test_a_limit_or_a_difference_is_told_from_a_value(
    written: str, limit: bool, bound: bool
) -> None:
    text = Text(written)
    last = figures(text).quantities[-1]
    assert (is_limit(text, last), is_bound(text, last)) == (limit, bound)


def test_a_figure_that_is_looked_up_among_many_is_compared_where_the_answer_repeats_the_words() -> (
    None
):
    prompt = (
        "Our new flat in Elm Road has 64 square metres on the second floor. The monthly rent is 950 euros, the deposit is"
        " 1,900 euros and heating costs about 80 euros. The lease begins on 1 March. How much is the deposit?"
    )
    assert accused(prompt, "The deposit is 950 euros.")
    assert not accused(prompt, "The deposit is 1,900 euros.")


def test_a_birthday_comes_round() -> None:
    prompt = "My son was born on 9 June 2015 and his aunt in 1980. When does he come of age, at 18?"
    assert not accused(prompt, "He turns 18 on 9 June 2033.")
    assert accused("He was born on 9 June 2015. When was he born?", "He was born on 9 June 2013.")


NOTICE = (
    "Sum up the notice for the residents.\n\nThe pool is shut on the 14th for cleaning. Lane swimming from 6.30 till nine, Saturday"
    " 8-13. Children leave the deep end by six. The café opens at 10 am on Sunday 4 May."
)


def test_days_and_times_in_short_forms_are_given() -> None:
    right = (
        "No swimming on 14 May; lanes from 6:30 am, on Saturdays until 1 pm; children out by 6 pm."
    )
    assert not accused(NOTICE, right)
    assert accused(NOTICE, "The café opens at 11 am on Sunday 4 May.")


def test_a_word_after_a_sign_opens_its_line() -> None:
    prompt = "Make a checklist from this note.\n\nLock the back door, then the front one. Lights off. The plants get water."
    assert not accused(
        prompt,
        "- [ ] Water the plants\n- [x] Turn off the lights\n🔒 Secure both doors, back first (Fri)",
    )


def test_numbered_questions_are_no_source_for_their_answers() -> None:
    prompt = "Give me only the answers:\n1. the capital of Norway\n2. who painted Guernica\n3. the longest river of France"
    response = "1. Oslo\n2. Pablo Picasso\n3. The Loire"
    assert shipped().judge("grounding", Exchange(prompt, response)).findings == ()
