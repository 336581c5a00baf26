"""Pairs of answers that differ in one fault, written without sight of the rules: 12 of each of 13 classes.

When the rules first met them, 64% of the bad ones passed, 13 of 148 good English ones did not pass, and 4 good
ones failed. The good ones were then looked at, to mend what was accused wrongly; the bad ones were not.
Judging all takes two minutes, so every third one is judged here, four of each class; ALL_PAIRS=1 judges all.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import pytest

from fairwitness.contract.evaluation import Evaluation
from fairwitness.evaluator import shipped
from fairwitness.evaluator.readers.encoder import Encoder

FILE = Path(__file__).with_name("one_fault_pairs.jsonl")
EVERY = 1 if os.environ.get("ALL_PAIRS") == "1" else 3


def judged(which: str) -> list[Evaluation]:
    pairs = [json.loads(line) for line in FILE.read_text().splitlines()[::EVERY]]
    return [shipped().evaluate(pair["prompt"], pair[which]) for pair in pairs]


def test_good_answers_pass_and_their_faulty_twins_score_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Twins share their source and most sentences: what was compared for one need not be for the other.
    monkeypatch.setattr(Encoder, "compare", cache(Encoder.compare))
    good, bad = judged("good"), judged("bad")
    assert not [one for one in good if one.overall_verdict == "fail"]
    english = [
        one
        for one in good
        if all(detail.code != "language_unsupported" for detail in one.reason_details)
    ]
    held_back = [one for one in english if one.overall_verdict != "pass"]
    assert len(held_back) <= 0.08 * len(english)
    passed = [one for one in bad if one.overall_verdict == "pass"]
    lower = sum(b.overall_score < g.overall_score for g, b in zip(good, bad, strict=True))
    assert len(passed) <= 0.61 * len(bad)
    assert lower >= 0.72 * len(bad)
