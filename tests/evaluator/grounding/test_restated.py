"""In a source of many numbers, one stated in the source's own words is still held against it; one worked out is not."""

from __future__ import annotations

import pytest

from fairwitness.evaluator.facts.index import Index
from fairwitness.evaluator.text import Region, Text
from tests.evaluator.grounding.accusing import accused

MUSEUM = (
    "The Harbour Museum opened in 1978. Today the museum holds 5,200 objects, of which about 900 are on display. "
    "Tickets cost €9 for adults and €4 for children under 14. The lightship Vera, built in 1911, lies at the quay. "
    "The ship is 38 m long and had a crew of 12. The café seats 60 people and is run by Ana Lindqvist. "
    "In 2022 the museum had 83,000 visitors, 17% more than in 2021."
)
PATIENT = "Ivo Marsh, 58, was given 40 mg of atorvastatin daily. His blood pressure was 142/88."
BRIDGE = "The bridge cost $12 million. It carries 31,000 vehicles a day."


def summary_accused(source: str, response: str) -> list[str]:
    return accused(f"Summarise this for me.\n\n{source}", response)


@pytest.mark.parametrize(
    ("source", "response", "stated", "told"),
    [
        (MUSEUM, "The café seats 80 people.", "80", "60"),
        (MUSEUM, "The museum, opened in 1978, holds 7,200 objects.", "7,200", "5,200"),
        (MUSEUM, "The Vera was built in 1917.", "1917", "1911"),
        (MUSEUM, "In 2022 the museum had 83,000 visitors, 19% more than in 2021.", "19%", "17%"),
        # The same number of something else.
        (MUSEUM, "The lightship is 38 feet long.", "38 feet", "38 m"),
        # The mean of an age, a dose and a pressure is none.
        (PATIENT, "Ivo Marsh, 58, was given 80 mg of atorvastatin daily.", "80 mg", "40 mg"),
        # Nobody knows what ten or a thousand times a price is for.
        (BRIDGE, "The bridge cost $12 billion.", "$12 billion", "$12 million"),
        (BRIDGE, "The bridge carries 310,000 vehicles a day.", "310,000", "31,000"),
    ],
)
def test_another_number_in_the_same_words_is_found(
    source: str, response: str, stated: str, told: str
) -> None:
    assert summary_accused(source, response) == [
        f"States “{stated}” where the source has “{told}”."
    ]


@pytest.mark.parametrize(
    "response",
    [
        "The other 4,300 objects are not on display.",
        "The café and the ship's crew make 72 people.",
        "A family of two adults and three children pays €30.",
        "So a group of 20 adults would pay €180 for tickets.",
        "Some 71,000 visitors came to the museum in 2021.",
        "If the café seats 75 people, two coaches fit in.",
        "The ship is about 125 feet long.",
    ],
)
def test_a_number_that_was_worked_out_is_not(response: str) -> None:
    assert summary_accused(MUSEUM, response) == []


def test_a_number_in_words_is_not_taken_for_a_measured_cell() -> None:
    chart = (
        "Drug | Dose | When\nMetformin | 500 mg | twice daily\nFurosemide | 20 mg | once daily\n"
        "Paracetamol | 1 g | if needed"
    )
    assert summary_accused(chart, "- **Metformin:** one 500 mg dose two times a day.") == []
    assert summary_accused(chart, "- **Metformin:** 20 mg two times a day.") != []


@pytest.mark.parametrize(
    ("source", "response"),
    [
        # What a number rose to, and when a shop closes, is no limit that a case may lie within.
        ("The price of a seat rose to $40 in May. The hall is in Sorn.", "The price of a seat is $46."),
        ("The shop is open from 9:00 to 17:00. It is in Sorn.", "The shop closes at 18:00."),
    ],
)  # fmt: skip
def test_the_end_of_a_rise_or_of_a_day_is_a_value(source: str, response: str) -> None:
    assert summary_accused(source, response)


def test_a_case_within_a_limit_is_not_accused() -> None:
    assert (
        summary_accused("Playlists are limited to 500 songs.", "A playlist of 300 songs is fine.")
        == []
    )


def test_only_the_name_of_a_people_stands_for_its_country() -> None:
    text = Text("In Oslo the Finnish and the Swiss skiers met Adam Iceman and Greta Norling.")
    index = Index([("prompt", text, Region(0, len(text)))])
    assert {"fin", "swi"} <= index.peoples
    assert index.peoples.isdisjoint({"ice", "nor", "gre"})
