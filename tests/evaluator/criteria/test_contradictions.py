"""Statements that contradict each other are found; statements that only look alike are not."""

from __future__ import annotations

import pytest

from fairwitness.evaluator.criteria.coherence import contradictions, totals_and_counts
from fairwitness.evaluator.exchange import Exchange

ASK = "When can I visit the tower?"


@pytest.mark.parametrize(
    ("prompt", "response", "found"),
    [
        (ASK, "The tower is open. Bring a coat. The tower is not open.", True),
        (ASK, "The stairs aren't steep. The stairs are steep.", True),
        (ASK, "Visitors can climb the tower. Visitors can never climb the tower.", True),
        ("Is the tower open?", "Yes, the tower is not open.", True),
        ("Is the tower open?", "No, the tower is open.", True),
        ("Is a whale a fish?", "Yes. A whale is not a fish.", True),
        ("Is a whale a fish?", "No. A whale is not a fish.", False),
        ("Is the tower open?", "No, the tower is not open.", False),
        (ASK, "The tower was open. The tower is not open.", False),
        (ASK, "It is open. It is not open.", False),
        (ASK, "Myth: the tower is open. The tower is open. The tower is not open.", False),
        (ASK, "If it rains, the tower is open. The tower is not open.", False),
        (ASK, "Some visitors like the tower. Visitors do not like the tower.", False),
        ("Write a dialogue.", "The tower is open. The tower is not open.", False),
    ],
)
def test_contradiction(prompt: str, response: str, found: bool) -> None:
    assert bool(contradictions.find(Exchange(prompt, response))) is found


@pytest.mark.parametrize(
    ("response", "detector"),
    [
        ("The total is $930. In short, the total is $980.", "coherence.two_totals"),
        ("The total is 90 minutes. The total is 1.5 hours.", ""),
        ("Option A: the total is $930. Option B: the total is $780.", ""),
        ("Here are three tips:\n- a\n- b", "coherence.announced_count"),
        ("Here are three tips:\n- a\n  - deeper\n- b\n- c", ""),
        ("Here are three tips:\n1. a\n\n2. b\n\n3. c\n\nGood luck!", ""),
        ("The four colours are red, green and blue.", "coherence.announced_count"),
        ("The three colours are red, green and blue.", ""),
        ("So 12 - 5 = 7. The answer is 8.", "coherence.other_conclusion"),
        ("So 12 - 5 = 7. The answer is 7.", ""),
        ("The answer is B. Final answer: C", "coherence.two_answers"),
    ],
)
def test_numbers_that_disagree(response: str, detector: str) -> None:
    found = totals_and_counts.find(Exchange("How?", response))
    assert [finding.detector for finding in found] == ([detector] if detector else [])
