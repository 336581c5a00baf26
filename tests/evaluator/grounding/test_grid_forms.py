"""Tables between slashes, dashes and gaps, headings above them, bands in any column, the row of the request, and lists by a condition."""

from __future__ import annotations

import pytest

from fairwitness.evaluator.criteria.grounding import claims
from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.facts.grids import grids_of
from fairwitness.evaluator.facts.response_rows import rows_of
from fairwitness.evaluator.given import given
from fairwitness.evaluator.text import Text

KENNEL = """name | breed | years | boxes | fee
Rollo | Collie | 3 | 2 | $140
Juniper | Whippet | 6 | 1 | $110
Basil | Spaniel | 5 | 4 | $175
Otis | Terrier | 8 | 3 | $95

"""
OVEN = """Mark | °C | °C fan | °F
2 | 150 | 130 | 300
3 | 165 | 145 | 325
4 | 180 | 160 | 350
5 | 190 | 170 | 375

"""
ROWING = """Weigh-in classes for the regatta
Class 50 kg: up to 50.0
Class 57 kg: 50.1 to 57.0
Class 65 kg: 57.1 to 65.0
Class 72 kg: 65.1 to 72.0

"""
PARCEL = """weight   town  country  abroad
<=50g      3      5         8
<=150g     5      8        13
<=400g     8     13        21
<=900g    13     21        34

"""
GLOVES = """Size S: palm 16-18, finger 15-16
Size M: palm 19-21, finger 17-18
Size L: palm 22-24, finger 19-20
Size XL: palm 25-27, finger 21-22

"""
PILLS = """Tablet / morning / noon / evening
Lisinopril 10 mg / 1 / 0 / 0
Gliclazide 80 mg / 1 / 0 / 1
Simvastatin 40 mg / 0 / 0 / 1
Omeprazole 20 mg / 1 / 0 / 0

"""
STORE = """part | stock | min
hinges | 12 | 20
brackets | 44 | 30
dowels | 15 | 15
clamps | 3 | 8
rivets | 90 | 60

"""
RACE = """Adaeze 24:31
Milan 22:08
Soraya 1:00:12
Jonas 22:40
Petra 59:05
"""


def found(prompt: str, response: str) -> list[Claim]:
    exchange = Exchange(prompt, response)
    return list(claims(Ground(exchange, given(exchange))))


WRONG = [
    (KENNEL + "Write a short post about Basil for the website.", "Say hello to Basil! A Spaniel of five years. The fee is $110."),
    (OVEN + "The cake wants mark 4 and my oven has a fan. What do I set?", "180 °C on the fan setting."),
    (OVEN + "What is mark 3 in a fan oven?", "Mark 3 in a fan oven is 160 °C."),
    (ROWING + "Noor weighs 57.6 kg. Which class is she in?", "At 57.6 kg she is in Class 57 kg."),
    (PARCEL + "My letter is 170 g and goes abroad. What is the postage?", "A letter of that weight abroad costs 13."),
    (GLOVES + "Palm 23 cm, finger 19 cm. Which size fits?", "Size M fits you."),
    (PILLS + "Which tablets are in the evening?", "In the evening:\n- Gliclazide 80 mg\n- Omeprazole 20 mg"),
    (PILLS + "Which ones are in the morning?", "Morning:\n- Lisinopril 10 mg\n- Omeprazole 20 mg"),
    (STORE + "Which parts have stock at or below minimum?", "Hinges and clamps."),
    (STORE + "Which parts have stock below the minimum?", "- Hinges\n- Clamps\n- Rivets"),
    ("Sort from slowest to fastest:\n\n" + RACE, "Soraya 1:00:12\nPetra 59:05\nMilan 22:08\nAdaeze 24:31\nJonas 22:40"),
    ("Rank these runners, quickest first:\n\n" + RACE, "1. Milan\n2. Jonas\n3. Adaeze\n4. Soraya\n5. Petra"),
]  # fmt: skip

RIGHT = [
    (KENNEL + "I have Juniper already. What is the fee of a Spaniel?", "The fee is $175."),
    (STORE + "Which parts have stock at or below minimum? Ignore dowels.", "Hinges and clamps."),
    (PILLS + "Which ones are in the morning?", "Lisinopril, Gliclazide and Omeprazole are in the morning; Simvastatin is in the evening."),
    (KENNEL + "Write a short post about Basil for the website.", "Say hello to Basil! A Spaniel of five years. The fee is $175."),
    (KENNEL + "What would it cost to take Otis instead of Juniper?", "The fee is $95, so you save $15."),
    (KENNEL + "I had Juniper in mind. Which dog is cheaper?", "The fee is $95 for Otis."),
    (KENNEL + "Is there a cheaper dog than Juniper?", "Yes, there is one with a fee of $95."),
    (KENNEL + "Tell me about Rollo.", "Rollo is a Collie, 3 years old, for a fee of $140. Otis would be $95."),
    (OVEN + "The cake wants mark 4 and my oven has a fan. What do I set?", "160 °C on the fan setting."),
    (OVEN + "The cake wants mark 4 and my oven has a fan. What do I set?", "Mark 4 is 180 °C, so set the fan oven to 160 °C."),
    (OVEN + "The cake wants mark 4. What is that?", "180 °C, or 350 °F."),
    (ROWING + "Noor weighs 57.6 kg. Which class is she in?", "At 57.6 kg she is in Class 65 kg (57.1–65.0)."),
    (ROWING + "Noor weighs 57.6 kg. Which class is she in?", "Class 65 kg. She is only 600 g above the Class 57 limit."),
    (ROWING + "Noor weighs 57.0 kg. Which class is she in?", "Exactly at the limit, so Class 57 kg."),
    (PARCEL + "My letter is 170 g and goes abroad. What is the postage?", "A letter of that weight abroad costs 21."),
    (PARCEL + "My letter is 150 g and goes abroad. What is the postage?", "It costs 13 abroad."),
    (GLOVES + "Palm 23 cm, finger 19 cm. Which size fits?", "Size L: 22-24 for the palm and 19-20 for the finger."),
    (GLOVES + "Palm 21 cm, finger 19 cm. The larger one counts. Which size?", "Size L."),
    (GLOVES + "Palm 21 cm, finger 19 cm. Go by the palm. Which size?", "Size M."),
    (PILLS + "Which tablets are in the evening?", "In the evening:\n- Gliclazide 80 mg\n- Simvastatin 40 mg"),
    (PILLS + "Which tablets are in the evening?", "Gliclazide and Simvastatin; Lisinopril and Omeprazole are for the morning."),
    (STORE + "Which parts have stock at or below minimum?", "Hinges, dowels and clamps."),
    (STORE + "Which parts have stock below the minimum?", "Hinges and clamps. Dowels are exactly at the minimum."),
    (STORE + "Which parts have stock below the minimum?", "Fine:\n- brackets\n- rivets\n\nTo order: hinges, clamps."),
    (STORE + "Which parts have stock above minimum and can be sold?", "Brackets."),
    (STORE + "Name two parts that have stock below the minimum.", "Hinges and clamps."),
    ("Sort from slowest to fastest:\n\n" + RACE, "Soraya 1:00:12\nPetra 59:05\nAdaeze 24:31\nJonas 22:40\nMilan 22:08"),
    ("Rank these runners, quickest first:\n\n" + RACE, "Milan, Jonas, Adaeze, Petra and Soraya."),
    ("Put these in order, quickest first:\n\nVan 110 km/h\nBike 25 km/h\nTrain 210 km/h\n", "1. Train\n2. Van\n3. Bike"),
]  # fmt: skip


@pytest.mark.parametrize(("prompt", "response"), WRONG)
def test_what_the_table_contradicts_is_found(prompt: str, response: str) -> None:
    assert found(prompt, response)


@pytest.mark.parametrize(("prompt", "response"), RIGHT)
def test_what_the_table_allows_is_let_be(prompt: str, response: str) -> None:
    assert [claim.message for claim in found(prompt, response)] == []


@pytest.mark.parametrize(
    ("written", "heads", "rows"),
    [
        ("Room / seats / screen\nElm / 12 / yes\nFir / 30 / no", ["Room", "seats", "screen"], 2),
        ("Poll, yes / unsure / no (%)\nQ1 Pay: 40 / 20 / 40\nQ2 Hours: 61 / 9 / 30", ["", "yes (%)", "unsure (%)", "no (%)"], 2),
        ("Weight: near / far\nup to 1 kg: 4.10 / 6.20\nup to 5 kg: 7.00 / 9.90", ["Weight", "near", "far"], 2),
        ("Talk – Hall – Start\nBees – North – 09:30\nFerns – South – 11:00", ["Talk", "Hall", "Start"], 2),
        ("        BUY    SELL\nNOK     11.2   10.4\nPLN     4.4    4.1", ["", "BUY", "SELL"], 2),
        ("Stop | 4A | 4B\nMill | 07:10 | 07:40\nQuay | 07:25 | 07:55", ["Stop", "4A", "4B"], 2),
        ("up to 1 h   free\nup to 2 h   3.00\nup to 4 h   5.00", ["", ""], 3),
    ],
)  # fmt: skip
def test_headings_are_found(written: str, heads: list[str], rows: int) -> None:
    (grid,) = grids_of("prompt", Text(written))
    assert (list(grid.heads), len(grid.rows)) == (heads, rows)


@pytest.mark.parametrize(
    "written",
    [
        "pumps:\n  - id: p1\n    site: yard\n  - id: p2\n    site: barn\n  - id: p3\n    site: mill",
        "pumps:\n  - {id: p1, site: yard}\n  - {id: p2, site: barn}\n  - {id: p3, site: mill}",
    ],
)
def test_yaml_is_read_as_rows(written: str) -> None:
    rows = rows_of(Text(written))
    assert [[cell.said for cell in row] for row in rows] == [["p1", "yard"], ["p2", "barn"], ["p3", "mill"]]  # fmt: skip
