"""Conclusions drawn from a result: journeys, what is needed whole, what two results come to, announced lists."""

from __future__ import annotations

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange


def found(criterion: str, response: str) -> str:
    findings = shipped().judge(criterion, Exchange("How is it worked out?", response)).findings
    return " ".join(f.message for f in findings if f.severity not in {"info", "low"})


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        (
            "45 km at 30 km/h takes 1 h 30 min.",
            "45 km at 30 km/h takes 1 h 50 min.",
            "gives 1 h 30 min",
        ),
        ("120 miles at 60 mph takes 2 hours.", "120 miles at 60 mph takes 3 hours.", "gives 2 h"),
        ("20 km at 80 km/h is 15 minutes.", "20 km at 80 km/h is 25 minutes.", "gives 15 min"),
        (
            "7.56 ÷ 1.2 = 6.3, so you need 7 boxes.",
            "7.56 ÷ 1.2 = 6.3, so you need 6 boxes.",
            "gives 7",
        ),
        (
            "Power: 120 × 0.5 = 60. Water: 19 × 4 = 76. Together you owe 136.",
            "Power: 120 × 0.5 = 60. Water: 19 × 4 = 76. Together you owe 146.",
            "gives 136",
        ),
        ("4:50 pm + 1 h 45 = 6:35 pm", "4:50 pm + 1 h 45 = 6:05 pm", "gives 6:35 pm"),
        ("18:00 − 15 minutes = 17:45", "18:00 − 15 minutes = 17:35", "gives 17:45"),
        ("11:30 pm plus 45 min is 12:15 am", "11:30 pm plus 45 min is 12:25 am", "gives 12:15 am"),
        (
            "The seconds (42 + 15 + 58 + 7) come to 122.",
            "The seconds (42 + 15 + 58 + 7) come to 82.",
            "gives 122",
        ),
        (
            "It was shut for 15 years, from 1931 to 1946.",
            "It was shut for 25 years, from 1931 to 1946.",
            "gives 15",
        ),
        (
            "**Profit: £305.30**\n412.70 − 107.40 = £305.30\n\nSo the fair cleared £305.30.",
            "**Profit: £305.30**\n412.70 − 107.40 = £305.30\n\nSo the fair cleared £350.30.",
            "gives 305.30",
        ),
    ],
)
def test_a_wrong_conclusion_is_found(right: str, wrong: str, message: str) -> None:
    assert found("calculation", right) == ""
    assert message in found("calculation", wrong)


@pytest.mark.parametrize(
    "response",
    [
        "30 miles at 48 km/h takes about 1 hour.",  # of two systems
        "5 ÷ 2 = 2.5, so you need 2 hours and a half.",
        "Anna has 3 × 4 = 12. Ben has 2 × 9 = 18. Together they make 12 + 18 = 30.",
        "One is 3 × 40 = 120. The other is 2 × 45 = 90. Together they weigh 100 less than the car.",
        "65 ÷ 10 = 6.5. So you need 6 boxes and 5 single bottles.",
        "12 × 0.2 = 2.4 litres, so you need 2 bottles of 1.5 litres.",
        "1.5 × 1.5 = 2.25, so you need 2 large eggs.",
        "Adults: 2 × 45 = $90\nChildren: 3 × 20 = $60\nWith the $10 voucher, together you pay $140.",
        "Adults: 2 × 45 = $90\nChildren: 3 × 20 = $60\nParking is $5. In total you pay $155.",
        "600 km at 100 km/h takes 6 hours and 30 minutes with a half-hour break.",
        "There and back, 30 km at 60 km/h takes 1 hour in all.",
        "90 km at 120 km/h takes 3/4 of an hour, or 45 minutes.",
        "The remaining 60 of 180 km at 60 km/h takes 1 hour.",
    ],
)
def test_what_is_no_such_conclusion_is_let_be(response: str) -> None:
    assert found("calculation", response) == ""


@pytest.mark.parametrize(
    "lead",
    [
        "Two things could wait:",
        "There are two steps to take from 1 May:",
        "There are two likely reasons why the door of an old oven sticks:",
    ],
)
def test_an_announced_count_is_compared_with_its_list(lead: str) -> None:
    assert found("coherence", f"{lead}\n1. Pack lunch.\n2. Iron the shirt.\n\nThat is all.") == ""
    wrong = f"{lead}\n1. Pack lunch.\n2. Iron the shirt.\n3. Lay the table.\n\nThat is all."
    assert "lists 3" in found("coherence", wrong)


@pytest.mark.parametrize(
    "lead",
    [
        "The first two steps are the same in each case:",
        "To find how she scored 14 points, follow this:",
        "At least two things could wait:",
        "**Week 2 tasks:**",
        "Python 3 features:",
        "The two types have these things in common:",
        "Ten ideas came in. My favourites:",
        "Ingredients for two kinds of cookies:",
    ],
)
def test_a_number_of_something_else_announces_nothing(lead: str) -> None:
    assert (
        found("coherence", f"{lead}\n1. Pack lunch.\n2. Iron it.\n3. Lay the table.\n\nDone.") == ""
    )


@pytest.mark.parametrize(
    "response",
    [
        "Two steps:\n1. Mix it.\n2. Bake it.\n3. (Optional) Ice it.\n\nDone.",
        "Three questions:\n- Who pays?\n- When?\n\nAnd finally: who will use it?",
    ],
)
def test_an_extra_item_and_one_behind_the_list_are_counted(response: str) -> None:
    assert found("coherence", response) == ""


@pytest.mark.parametrize(
    ("prompt", "right", "wrong"),
    [
        ("What is the average of 128, 143, 97 and 152 calls?",
         "The average is 130 calls per day (520 ÷ 4).", "The average is 132 calls per day (520 ÷ 4)."),
        ("How much may we deduct?",
         "The deduction is 2 × 2% = 4% of €50,000.", "The deduction is 2 × 2% = 5% of €50,000."),
        ("Population went from 18,400 to 21,160. Percent growth?",
         "The population grew by 15% (an increase of 2,760).", "The population grew by 18%."),
        ("What is the total of the invoice?",
         "The total comes to 861.60 (718.00 plus 143.60 VAT).", "The total comes to 871.60 (718.00 plus 143.60 VAT)."),
    ],
)  # fmt: skip
def test_what_a_result_is_explained_by(prompt: str, right: str, wrong: str) -> None:
    assert not shipped().judge("calculation", Exchange(prompt, right)).findings
    assert shipped().judge("calculation", Exchange(prompt, wrong)).findings


@pytest.mark.parametrize(
    ("prompt", "right", "wrong"),
    [
        ("How long did it take?",
         "It started at 03:12:07 and finished at 03:42:01, so it ran for 29 minutes and 54 seconds.",
         "It started at 03:12:07 and finished at 03:42:01, so it ran for 28 minutes and 54 seconds."),
        ("Which was longer?",
         "Build 512 took 16 minutes (10:03–10:19).", "Build 512 took 19 minutes (10:03–10:19)."),
        ("When was it, and for how long?",
         "It was down from 22:40 until 00:10, so the outage lasted 90 minutes.",
         "It was down from 22:40 until 00:10, so the outage lasted 70 minutes."),
        ("My aunt was born on 17 November 1941. How old was she on 3 March 2020?",
         "She was 78; her next birthday was in November.", "She was 79."),
    ],
)  # fmt: skip
def test_time_between_two_stated_times_and_an_age_on_a_date(
    prompt: str, right: str, wrong: str
) -> None:
    assert not shipped().judge("calculation", Exchange(prompt, right)).findings
    assert shipped().judge("calculation", Exchange(prompt, wrong)).findings


@pytest.mark.parametrize(
    "response",
    [
        "I worked from 9:00 to 17:00, so it took 7 hours without the break.",
        "It ran from 10:03 to 10:19, so it took about 15 minutes.",
        "It ran from 10:03 to 10:19, so it took 15 minutes.",
        "The crew was there from 8:00 to 18:00, so the two of them took 20 hours in all.",
        "The train left at 23:10 and arrived at 6:40 the next day, so it took 31 hours 30 minutes.",
    ],
)
def test_a_span_of_which_more_is_said_is_not_worked_out(response: str) -> None:
    assert not shipped().judge("calculation", Exchange("How long?", response)).findings


def test_a_remark_in_brackets_is_no_calculation() -> None:
    response = "The price is $30 (2 times 3 nights); it is 3 days (2 plus travel) and 12 rooms (10 plus 2 spare)."
    assert not shipped().judge("calculation", Exchange("How much?", response)).findings


def test_a_list_that_counts_the_parts_of_what_is_announced_is_let_be() -> None:
    parts = "There are ten open orders:\n\n- Urgent: 3 (A, B and F)\n- Normal: 5\n- Later: 2"
    assert found("coherence", parts) == ""
    assert "lists 3" in found("coherence", parts.replace("ten", "nine"))


OPTIONS = "- **Breeze:** $18 + 7 × $2 = $32\n- **Summit (no limit):** a flat $30\n\n"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Summit is cheaper by $2.", "Breeze is cheaper by $2."),
        ("**Summit** works out cheaper.", "**Breeze** works out cheaper."),
        ("Summit saves you $2 a month.", "Breeze saves you $2 a month."),
    ],
)
def test_the_option_called_cheaper_is_the_one_that_costs_less(right: str, wrong: str) -> None:
    assert found("calculation", OPTIONS + right) == ""
    assert "the right answer is Summit ($30)" in found("calculation", OPTIONS + wrong)


@pytest.mark.parametrize(
    "response",
    [
        OPTIONS + "Breeze is cheaper only if you use less than 5 GB.",
        "- Monthly: $12 a month\n- Yearly: $96 a year\n\nYearly is cheaper.",
        "- Fuel: $40\n- Tolls: $12\n\nThe train is cheaper.",
    ],
)
def test_options_that_may_be_meant_otherwise_are_let_be(response: str) -> None:
    assert found("calculation", response) == ""
