"""Words and names of a given table that a response states of another row."""

from __future__ import annotations

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange

ROTA = """| Course | Day | Room | Tutor |
|---|---|---|---|
| Pottery | Monday | B2 | Ms Ferro |
| Weaving | Tuesday | Loft | Mr Adeyi |
| Bookbinding | Thursday | B4 | Ms Ferro |

Write a short reminder about the weaving and the bookbinding course."""


def found(response: str) -> list[str]:
    judged = shipped().judge("grounding", Exchange(ROTA, response))
    return [f.message for f in judged.findings if f.detector == "grounding.cell"]


@pytest.mark.parametrize(
    ("response", "message"),
    [
        ("- **Weaving:** Tuesday, room B2", "States “B2” where the table has “Loft”."),
        ("Weaving is taught by Ms Ferro.", "States “Ms Ferro” where the table has “Mr Adeyi”."),
        ("Bookbinding is on Thursday in the Loft.", "States “Loft” where the table has “B4”."),
    ],
)
def test_a_word_of_another_row_is_found(response: str, message: str) -> None:
    assert found(response) == [message]


@pytest.mark.parametrize(
    "response",
    [
        "- **Weaving:** Tuesday, Loft, Mr Adeyi\n- **Bookbinding:** Thursday, B4, Ms Ferro",
        "Weaving is in the Loft, not in B2.",
        "Ms Ferro teaches pottery and bookbinding.",
        "Weaving moved from B2 to the Loft.",
    ],
)
def test_what_the_row_has_is_let_be(response: str) -> None:
    assert found(response) == []


STOCK = "| Item | Qty |\n|---|---|\n| Bolts | 340 |\n| Nuts | 295 |\n| Washers | 512 |\n\n"


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("How many nuts are there?", "295", "340"),
        ("Which item has the highest qty?", "Washers have the highest.", "Bolts have the highest."),
    ],
)
def test_a_table_of_two_columns_is_one_too(question: str, right: str, wrong: str) -> None:
    def differs(response: str) -> bool:
        return bool(shipped().judge("grounding", Exchange(STOCK + question, response)).findings)

    assert differs(wrong)
    assert not differs(right)


BIKES = "| Model | Weight (kg) | Price | Since | Range (km) | Luggage (cm2) |\n|---|---|---|---|---|---|\n| Swift | 17 | $1,290 | 2016 | 60 | 900 |\n| Heron | 21 | $990 | 2019 | 75 | 750 |\n| Kite | 14 | $1,740 | 2021 | 45 | 600 |\n\n"


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("Which bike has the longest range?", "The Heron.", "The Swift."),
        ("Which bike has the longest range?", "Heron has the longest range by far.", "Swift has the longest range by far."),
        ("Describe the Swift.", "The Swift weighs 17 kg.", "The Swift weighs 21 kg."),
        ("Describe the Swift.", "The Swift has been sold since 2016.", "The Swift is a 2019 model."),
        ("Describe the Kite.", "The Kite carries luggage on 600 cm2.", "The Kite carries luggage on 900 cm2."),
    ],
)  # fmt: skip
def test_a_row_and_a_unit_or_an_end_are_enough(question: str, right: str, wrong: str) -> None:
    def differs(response: str) -> bool:
        return bool(shipped().judge("grounding", Exchange(BIKES + question, response)).findings)

    assert differs(wrong)
    assert not differs(right)


TANK = "Extract as JSON: town, litres, price.\n\nNotes: In Bath we used 41.6 litres at a price of 7.35 euros per litre."


@pytest.mark.parametrize("fence", ["{}", "```json\n{}\n```", "```\n{}\n```"])
def test_values_of_data_are_compared_fenced_or_not(fence: str) -> None:
    def found(price: str) -> list[str]:
        data = fence.format(f'{{"town": "Bath", "litres": 41.6, "price": {price}}}')
        judged = shipped().judge("grounding", Exchange(TANK, data))
        return [f.message for f in judged.findings if f.severity != "low"]

    assert found("7.35") == []
    assert len(found("7.53")) == 1


def test_numbers_of_a_program_are_not() -> None:
    code = "```python\nprint(41.6 * 7.53)\n```"
    assert shipped().judge("grounding", Exchange(TANK, code)).findings == ()


BOATS = "| Boat | Price | Seats |\n|---|---|---|\n| Kite | 310 | 4 |\n| Heron | 240 | 6 |\n| Swift | 275 | 2 |\n\n"


@pytest.mark.parametrize(
    ("question", "right", "wrong", "row"),
    [
        (
            "Which is cheapest?",
            "Heron is the cheapest boat.",
            "Kite is the cheapest boat.",
            "Heron",
        ),
        (
            "Which has the most seats?",
            "Heron has the most seats.",
            "Swift has the most seats.",
            "Heron",
        ),
        ("Which boat has the most seats?", "The Heron.", "The Swift.", "Heron"),
        ("Which boat has the lowest price?", "Heron, at 240.", "Kite, at 310.", "Heron"),
        ("Which has the fewest seats?", "The Swift, with 2.", "The Kite, with 4.", "Swift"),
        ("Which boat is the most expensive?", "The Kite.", "The Swift.", "Kite"),
    ],
)
def test_a_row_that_is_no_extreme_is_told_with_the_right_one(
    question: str, right: str, wrong: str, row: str
) -> None:
    asked = BOATS + question
    assert shipped().judge("grounding", Exchange(asked, right)).findings == ()
    found = shipped().judge("grounding", Exchange(asked, wrong)).findings
    assert f"it is “{row}”" in found[0].message
