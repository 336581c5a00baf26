"""Results that a short prompt asks for, where its few numbers leave only a handful of them."""

from __future__ import annotations

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.criteria.calculation.asked_amounts import asked_amounts
from fairwitness.evaluator.criteria.calculation.asked_days import asked_days
from fairwitness.evaluator.criteria.calculation.asked_results import asked_results
from fairwitness.evaluator.exchange import Exchange

WRONG = [
    ("Of 340 seedlings 289 survived. What percentage is that?", "88 %"),
    ("Membership went from 160 to 200. What is the growth in %?", "20 %"),
    ("2023: 4,000 tickets. 2024: 4,600 tickets. What is the increase in %?", "13 %"),
    ("Mortar is sand and cement 4:1. How much cement for 20 kg sand?", "6 kg"),
    ("cats:dogs is 2:7 at the shelter, 108 animals. how many of each?", "30 cats and 78 dogs."),
    ("1 part vinegar to 3 parts water, I want 2 litres. How much of each?", "667 ml and 1,333 ml"),
    ("Bag is 2.5 kg and 12% of it is shell. How many grams shell?", "250 g"),
    ("The bill is €238 gross incl. 19% VAT. What is the net amount?", "€192.78"),
    ("Ana worked 10 h, Ben 15 h. Split 500 by hours: who gets what?", "Ana 220, Ben 280."),
    ("Exam 60%, project 40%. Exam 70, project 90. What do I get?", "80"),
    ("Dose is 20 ml per 4 litres. My tank holds 14 l. How much?", "60 ml"),
    ("The tap gives 12 l per minute, the tub holds 180 l. How long?", "20 minutes"),
    ("The tap drips 2 litres an hour. Water is €5 per litre. What is it in 3 days?", "€702"),
]
RIGHT = [
    ("Of 340 seedlings 289 survived. What percentage is that?", "85 %, so 15 % died."),
    ("Of 340 seedlings 289 survived. What percentage died?", "15 %"),
    ("Membership went from 160 to 200. What is the growth in %?", "25 %"),
    ("2023: 4,000 tickets. 2024: 4,600 tickets. What is the increase in %?", "+15 %"),
    ("Mortar is sand and cement 4:1. How much cement for 20 kg sand?", "5 kg"),
    ("Mortar is sand and cement 4:1. How much of each for 20 kg?", "16 kg sand, 4 kg cement"),
    ("cats:dogs is 2:7 at the shelter, 108 animals. how many of each?", "24 cats, 84 dogs"),
    ("1 part vinegar to 3 parts water, I want 2 litres. How much of each?", "500 ml and 1.5 l"),
    ("1 part syrup to 6 parts water, 1 l. How much of each?", "About 143 ml and 857 ml."),
    ("Bag is 2.5 kg and 12% of it is shell. How many grams shell?", "300 g"),
    ("Bag is 2.5 kg and 12% of it is shell. How much is nut?", "2.2 kg"),
    ("The bill is €238 gross incl. 19% VAT. What is the net amount?", "€200, of which the tax is €38"),
    ("A coat is $80 with 25% off. What is the price?", "$60, you save $20."),
    ("Ana worked 10 h, Ben 15 h. Split 500 by hours: who gets what?", "Ana 200, Ben 300."),
    ("Exam 60%, project 40%. Exam 70, project 90. What do I get?", "78"),
    ("Dose is 20 ml per 4 litres. My tank holds 14 l. How much?", "70 ml, or seven 10 ml caps."),
    ("The tap gives 12 l per minute, the tub holds 180 l. How long?", "A quarter of an hour."),
    ("The tap gives 12 l per minute, the tub holds 180 l. How long?", "15 minutes"),
    ("The tap gives 12 l per minute, the tub holds 180 l. How long?", "900 seconds"),
    ("The tap drips 2 litres an hour. Water is €5 per litre. What is it in 3 days?", "€720"),
    ("I read 30 pages per hour, the book has 400 pages. How long?", "About 13 hours 20 minutes."),
    ("I read 30 pages per hour, the book has 400 pages. How long?", "13.3 hours"),
    ("A car does 6 litres per 100 km. How much for 450 km?", "27 litres"),
    ("We have 3 rooms at $90 per night for 4 nights. What is the total cost?", "$1,080"),
    ("A taxi is €2 per km. What does 12 km cost?", "€24, perhaps €26 at night."),
    ("Paint covers 10 m per litre. How much for 45 m?", "4.5 litres, so buy 5."),
    ("Cable is £3 per metre. How much is 250 cm?", "£7.50"),
    ("Eggs are 30 cents each. What do 14 eggs cost?", "$4.20"),
    ("Cheese is €18 per kg. How much is 350 g?", "€6.30"),
    ("What is the ratio 16:9 for a width of 1920 pixels?", "1080 pixels"),
    ("We drive 320 km at 80 km/h. How long is it?", "4 hours. With a rest of 20 minutes, 4 h 20."),
    ("My rent is $1,200 and my pay is $4,000. What percentage is that?", "30%, which is the usual limit."),
    ("My rent is $1,200 and my pay is $4,000. What percentage is that?", "Three tenths."),
    ("What cakes for 12 guests at 5 euros per guest?", "Lemon for 15 euros, plum for 25 euros."),
    ("What can we see in 3 days on 80 euros per day?", "The tower (18 euros), the zoo (20 euros)."),
    ("The score was 3:1 and 4500 people came. What happened?", "There were 12 police officers."),
    ("The map is 1:25,000. How far is 12 cm?", "3 km"),
    ("A class of 32 has 12 boys. What percentage are girls?", "62.5 %"),
    ("I earn $25 per hour, 38 hours a week. What is my monthly pay?", "Around $4,117."),
    ("Coffee is 18 g per cup, 3 cups a day. How long does 1 kg last?", "About 18 days."),
    ("A litre is 1.2 kg. How much does 5 litres weigh?", "6 kg"),
]  # fmt: skip


def _wrong(prompt: str, response: str) -> bool:
    exchange = Exchange(prompt, response)
    found = [*asked_results(exchange), *asked_amounts(exchange)]
    assert all(not check.sure for check in found)
    return any(check.outcome == "wrong" for check in found)


@pytest.mark.parametrize(("prompt", "response"), WRONG)
def test_result_that_nothing_leads_to(prompt: str, response: str) -> None:
    assert _wrong(prompt, response)


@pytest.mark.parametrize(("prompt", "response"), RIGHT)
def test_right_results(prompt: str, response: str) -> None:
    assert not _wrong(prompt, response)


@pytest.mark.parametrize(
    ("prompt", "response", "wrong"),
    [
        ("How many days from 3 May to 20 June 2025?", "50 days", True),
        ("How many days from 3 May to 20 June 2025?", "48 days, or 49 with both ends.", False),
        ("How many days from 3 May to 20 June 2025?", "Six weeks and six days.", False),
        ("How many nights from 28 December to 4 January?", "7 nights", False),
        ("How many nights from 28 December to 4 January?", "9 days", True),
        ("How many days is it from 29 February to 1 April?", "32 days", False),
        ("How many working days from 3 May to 20 June 2025?", "35 days", False),
        ("Which weekday is 4 July 2025?", "A Friday.", False),
        ("Is 4 July 2025 on a weekend?", "It is a Saturday, lucky you.", True),
        ("Is 4 July 2025 on a weekend?", "No, the weekend begins on Saturday.", False),
        ("Tracks 3:10, 4:25, 2:50. Total?", "10:25", False),
        ("Tracks 3:10, 4:25, 2:50. Total?", "10:15", True),
        ("Tracks 3:10, 4:25, 2:50. Total?", "10 min 25 s", False),
        ("Films 1:42:10, 58:30, 2:01:05. What is the sum?", "4:41:45", False),
        ("Films 1:42:10, 58:30, 2:01:05. What is the sum?", "4:41 h", False),
        ("Films 1:42:10, 58:30, 2:01:05. What is the sum?", "4:31:45", True),
        ("Films 1:42:10, 58:30, 2:01:05. Sum? I have 5 h", "4 h 42 min, 18:15 to spare in 5:00:00", False),
        ("Films 1:42:10, 58:30, 2:01:05. Sum?", "1:42:10 + 58:30 = 2:40:40, and 4:41:45 in the end", False),
    ],
)  # fmt: skip
def test_days_and_lengths(prompt: str, response: str, wrong: bool) -> None:
    found = [*asked_days(Exchange(prompt, response))]
    assert any(check.outcome == "wrong" for check in found) is wrong
    assert not any(check.sure for check in found if check.outcome == "wrong")


@pytest.mark.parametrize(
    "prompt",
    [
        "The first 2 hours are free, then 3 euros per hour. How much for 5 hours?",
        "Buy 3 get 1 free at $4 each. How much for 8?",
        "It is 12 l per minute until half full, tub 180 l. How long?",
    ],
)
def test_what_does_not_run_through_is_left(prompt: str) -> None:
    assert not _wrong(prompt, "77 euros, $77, 77 minutes.")


def test_finding_is_of_middle_weight() -> None:
    prompt = "Of 340 seedlings 289 survived. What percentage is that?"
    (finding,) = shipped().judge("calculation", Exchange(prompt, "88 %")).findings
    assert finding.severity == "medium"
    assert finding.spans[1].source == "prompt"
