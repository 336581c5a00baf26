"""Which of the things a prompt lists is the most or the least, and how far two of them are apart."""

from __future__ import annotations

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange

FERRIES = "Crossing times: Alba 55 minutes, Brae 70 minutes, Corran 40 minutes. Which ferry is the fastest?"
PARCELS = (
    "Which parcel is the heaviest?\n\nred box     4.2 kg\nblue box    3.9 kg\ngreen tube  4.6 kg"
)
SHOTS = "Throws in metres: Ines 11.2, Kai 10.9, Olu 12.4. Who threw the second longest, and by how much did the winner beat them?"


def found(prompt: str, response: str) -> list[str]:
    judged = shipped().judge("calculation", Exchange(prompt, response))
    return [finding.message for finding in judged.findings]


@pytest.mark.parametrize(
    ("prompt", "right", "wrong", "result"),
    [
        (
            FERRIES,
            "The Corran is the fastest, at 40 minutes.",
            "The Alba is the fastest, at 55 minutes.",
            "is Corran (40 minutes)",
        ),
        (FERRIES, "Corran.", "Brae.", "is Corran"),
        (
            PARCELS,
            "The green tube is the heaviest at 4.6 kg.",
            "The heaviest one weighs 4.2 kg: the red box.",
            "is green tube",
        ),
        (
            SHOTS,
            "Ines threw the second longest. Olu beat Ines by a margin of 1.2 metres.",
            "Kai threw the second longest.",
            "is Ines",
        ),
        (
            "Results over 40:\n1. Petra 1:23:48\n2. Joan 1:26:05\n3. Mei 1:26:51\n\nHow far behind was second place?",
            "Joan finished 2 minutes 17 seconds after Petra.",
            "Joan finished 3 minutes 17 seconds after Petra.",
            "gives 2 min 17 s",
        ),
        (
            SHOTS,
            "Ines came second, and the gap between Olu and Ines is 1.2.",
            "Ines came second, and the gap between Olu and Ines is 2.2.",
            "gives 1.2",
        ),
    ],
)
def test_the_wrong_one_of_a_list_is_found(prompt: str, right: str, wrong: str, result: str) -> None:
    assert found(prompt, right) == []
    assert any(result in message for message in found(prompt, wrong))


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        # Another end of the list than the one asked for, or not of all of it.
        (FERRIES, "The Corran is the fastest and the Brae the slowest."),
        (FERRIES, "The Alba is the fastest of those that take cars."),
        (FERRIES, "If the Corran is fully booked, the fastest is the Alba."),
        # The list is narrowed by the question.
        (
            "Tents: Fir 2.1 kg, Ash 1.4 kg, Oak 3.0 kg. Which is the lightest with an awning? Ash has none.",
            "The Fir is the lightest.",
        ),
        # No list of names: a riddle.
        (
            "One can cross the bridge in 1 minute, another in 2 minutes, the slowest in 10 minutes. How long do all take?",
            "First the two fastest cross, in 2 minutes.",
        ),
        # Two are level.
        ("Scores: Ada 7, Bob 7, Cy 3. Who has the highest?", "Ada has the highest."),
    ],
)
def test_what_may_be_meant_otherwise_is_let_be(prompt: str, response: str) -> None:
    assert found(prompt, response) == []
