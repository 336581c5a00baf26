"""Pairs of a good and a bad answer in the 24 classes of faults a stranger would try, written without sight of the evaluator.

When the evaluator first met them, 117 of 352 bad answers passed, 33 of 332 good English ones did not pass, 3 good ones
failed, and 319 of 352 pairs were in order. What rules had accused wrongly was then mended. Of the bad ones two were looked
at: a length before a question, and "only the list"; later those with a calculation, a table, a broken block or a secret, so
what is found among them says little of others. `python -m model.verdicts` judges the whole file. Here the rules judge
it alone, without the model.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.evaluator.answers.test_closed_forms import is_held_up

FILE = Path(__file__).with_name("probe.jsonl")


def held_up(which: str) -> list[str]:
    pairs = map(json.loads, FILE.read_text().splitlines())
    return [one["id"] for one in pairs if is_held_up(one["prompt"], one[which])]


def test_no_good_answer_is_accused() -> None:
    assert held_up("good") == []


def test_as_many_bad_ones_are_found() -> None:
    assert len(held_up("bad")) >= 100
