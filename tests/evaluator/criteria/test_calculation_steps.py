"""Results of several steps that a short prompt determines: each with its usual slip, and with what makes it another question."""

from __future__ import annotations

import pytest

from fairwitness.evaluator.criteria.calculation.questions import wrong_answer
from fairwitness.evaluator.exchange import Exchange

CHAIN = "Boots cost €120, 25% off, and then another 20% off at the till. What do I pay?"
TAXED = "A lamp is $50 with 10% off, plus 8% sales tax. What is the final price?"
DINNER = "The bill is $80, 10% tax and 20% tip. How much do we pay in total?"
RATE = "A watch is $300. 1 USD = 0.90 EUR, and the bank adds a 2% fee. What will be charged?"
GROWTH = "My rent went from €800 to €880 a month. What percentage increase is that, and how much more per year?"
SPEED = "I ran 15 km in 1 hour 20 minutes. Average speed?"
BOXES = "We have 500 eggs and pack them 12 to a box. How many full boxes, and how many left over?"
FULL = "There are 96 books, 10 to a shelf. How many full shelves, and how many are left over?"
PARTS = "Compost, sand and loam 1:2:5, I need 80 kg in total. How much of each?"
PAY = "Mia did 35 hours at £12, plus 6 hours overtime at time and a half. What is her pay?"
DOUBLE = "40 regular hours at $20 and 5 overtime hours at double time: what do I get?"
EVENING = "The concert starts at 20:00, 30 min of support first, and then the band plays 1h45. When is it over?"
LARGER = "Which is larger, 3.12 or 3.9? (weights in kg)"

WRONG = [
    (CHAIN, "€66"),
    (CHAIN, "That is 45% off, so €120 × 0.55 = €66."),
    (TAXED, "$49.00"),
    (RATE, "€339.99, since $300 / 0.90 = €333.33 and 2% is €6.67."),
    (GROWTH, "A 9% increase, so €960 more per year."),
    (SPEED, "12.5 km/h"),
    (BOXES, "41 full boxes with 6 eggs left over."),
    (BOXES, "42 full boxes and 4 eggs left over."),
    (FULL, "8 full shelves, 16 books left over."),
    (PARTS, "- Compost: 10 kg\n- Sand: 25 kg\n- Loam: 45 kg"),
    (PAY, "£492"),
    (DOUBLE, "$900"),
    (EVENING, "At 21:45."),
    (LARGER, "3.12 kg is the larger one."),
]
RIGHT = [
    (CHAIN, "€72"),
    (CHAIN, "First €90, then €72. You save €48, which is 40% and not 45%."),
    (TAXED, "$48.60"),
    (TAXED, "$45 + $3.60 = **$48.60**"),
    (DINNER, "$104, with the tip on the food alone."),
    (DINNER, "$105.60, if the tip is on the bill with tax."),
    (RATE, "€275.40 (€270 and €5.40)"),
    (GROWTH, "10%, that is €960 more per year."),
    (SPEED, "11.25 km/h, about 5:20 min per km."),
    (SPEED, "About 11.3 km/h"),
    (BOXES, "41 full boxes (492 eggs) and 8 left over, so a 42nd for the rest."),
    (FULL, "9 full shelves and 6 books."),
    (PARTS, "One part is 10 kg: 10 kg compost, 20 kg sand, 50 kg loam."),
    (PAY, "£420 + £108 = £528"),
    (DOUBLE, "$1,000"),
    (EVENING, "About 22:15."),
    (EVENING, "At a quarter past ten."),
    (LARGER, "3.9, because 3.90 is more than 3.12."),
]
# One word more, and the numbers mean something else: nothing is worked out.
SILENT = [
    ("It is 30% off plus an extra 10% off on €50. So 40% off, right? Final price?", "€31.50"),
    ("Two products, one with 30% off, the other 40% off. What is the better one?", "The second."),
    ("A phone is £360, VAT at 20% is included. How much of that is VAT?", "£60; without it, £300."),
    ("A coat is £90, 20% off or 10% off with free shipping. What do I pay?", "£81"),
    ("A coat is £90 including 20% VAT, 10% off. What is the net price?", "£67.50"),
    ("It costs €200, 30% deposit and 5% interest per year. What do I pay?", "€260"),
    ("The price was €100, 20% off on the first, 50% off only on the second. Total price?", "€130"),
    ("Which version is higher, 3.12 or 3.9?", "3.12"),
    ("The film starts at 20:00 and runs 2h10 including 20 min of ads. When is it over?", "22:10"),
    ("The oven needs 20 minutes, the roast 2 hours, guests come at 19:00. When do I start?", "16:40"),
    ("I have 500 eggs and 12 boxes. How many full boxes?", "12"),
    ("A meeting starts at 9:00, 45 min for each of 2 groups, then lunch of 1 hour. When is it over?", "11:30"),
    ("The train leaves 10:00, takes 2 hours and is 20 minutes late. When does it arrive?", "12:20"),
]  # fmt: skip


@pytest.mark.parametrize(("prompt", "response"), WRONG)
def test_a_slip_is_found(prompt: str, response: str) -> None:
    compared, finding = wrong_answer(Exchange(prompt, response))
    assert compared
    assert finding is not None
    assert finding.severity == "high"


@pytest.mark.parametrize(("prompt", "response"), RIGHT)
def test_the_right_result_is_let_be_in_any_form(prompt: str, response: str) -> None:
    assert wrong_answer(Exchange(prompt, response))[1] is None


@pytest.mark.parametrize(("prompt", "response"), SILENT)
def test_another_question_is_not_worked_out(prompt: str, response: str) -> None:
    assert wrong_answer(Exchange(prompt, response))[1] is None


def test_the_message_quotes_the_answer_and_not_an_aside() -> None:
    prompt = "I buy soap for £10 a bar, add a 50% markup and then 20% VAT. What is the shelf price?"
    said = "**£17.00**\n\n- Markup: £5\n- VAT: £2\n\nShelf price: £17.00. Some round it to £16.99."
    _, finding = wrong_answer(Exchange(prompt, said))
    assert finding is not None
    assert "£17.00" in finding.message
    assert "£18" in finding.message
