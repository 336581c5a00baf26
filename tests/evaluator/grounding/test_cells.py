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
        ("- **Weaving:** Tuesday, room B2", "States “B2” where the row has “Loft”."),
        ("Weaving is taught by Ms Ferro.", "States “Ms Ferro” where the row has “Mr Adeyi”."),
        ("Bookbinding is on Thursday in the Loft.", "States “Loft” where the row has “B4”."),
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
