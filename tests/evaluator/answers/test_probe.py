"""Pairs of a good and a bad answer in the 23 classes of faults a stranger would try, written without sight of the evaluator.

When the evaluator first met them, 117 of 352 bad answers passed, 33 of 332 good English ones did not pass, 3 good ones
failed, and 319 of 352 pairs were in order. What rules had accused wrongly was then mended; the bad ones were left alone.
`python -m model.verdicts` judges the whole file. Here the rules judge it alone, without the model.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.evaluator.answers.test_closed_forms import is_held_up

FILE = Path(__file__).with_name("probe.jsonl")


@pytest.mark.parametrize(("which", "least", "most"), [("good", 0, 2), ("bad", 84, 352)])
def test_rules_find_as_many_and_accuse_no_more(which: str, least: int, most: int) -> None:
    pairs = map(json.loads, FILE.read_text().splitlines())
    held_up = [one["id"] for one in pairs if is_held_up(one["prompt"], one[which])]
    assert least <= len(held_up) <= most, held_up
