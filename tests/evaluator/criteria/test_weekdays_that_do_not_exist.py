"""Days that some years have and others do not, and words that only look like days."""

from __future__ import annotations

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        ("Our kickoff is on Monday 3 March.", "It moves to Friday, 29 February."),
        ("The fair was on Thursday, 29 February.", "A week later it was Thursday 7 March."),
        ("When was it?", "Friday, 29 February 1900 was no day at all."),
        ("Tell me about them.", "She sat the 12 May 2025 paper, and the couple wed 14 May 2024."),
    ],
)
def test_nothing_is_said_of_them(prompt: str, response: str) -> None:
    assert shipped().judge("calculation", Exchange(prompt, response)).findings == ()


def test_a_top_speed_is_no_average() -> None:
    said = "The 300 km trip took 4 hours at a top speed of 130 km/h."
    found = shipped().judge("calculation", Exchange("How was the trip?", said)).findings
    assert {one.detector for one in found} <= {"calculation.wrong_result"}
