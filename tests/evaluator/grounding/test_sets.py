"""Recall and precision on the sets of this folder, by class: the figures of the evaluator card."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from fairwitness.contract.conversation import Passage
from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange

HERE = Path(__file__).parent

# Each set is judged once.
pytestmark = pytest.mark.xdist_group("sets")

WITHIN = (
    "coherence.contradiction",
    "coherence.two_totals",
    "coherence.announced_count",
    "coherence.other_conclusion",
    "coherence.two_answers",
)


class Row(NamedTuple):
    """One response of a set, whether it is a good one, and whether the criterion found something above low."""

    kind: str
    response: str
    good: bool
    found: bool


@cache
def rows(name: str, criterion: str) -> tuple[Row, ...]:
    """Judge a set, once."""
    return tuple(_judged(name, criterion))


def _judged(name: str, criterion: str) -> Iterator[Row]:
    for case in tomllib.loads((HERE / f"{name}.toml").read_text())["case"]:
        for good in (True, False):
            for response in case.get("good" if good else "bad", ()):
                exchange = Exchange(
                    case["prompt"],
                    response,
                    context=[Passage(text=text) for text in case.get("context", ())],
                    reference=case.get("reference"),
                )
                findings = shipped().judge(criterion, exchange).findings
                found = any(
                    finding.severity not in {"info", "low"}
                    and (criterion != "coherence" or finding.detector in WITHIN)
                    for finding in findings
                )
                yield Row(case["kind"], response, good, found)


# Of each set: its criterion, and how many bad and good responses it has. When the rules first met them, they found
# 33 of 47, 19 of 28, 19 of 19 and 9 of 16 bad ones, and accused 2 of 74, 3 of 29, 0 of 28 and 0 of 20 good ones; of the
# first 48 and 63 of `short_prompts` 42 and 0.
SETS = {
    "given_text": ("grounding", 47, 74),
    "unseen": ("grounding", 28, 29),
    "expected_answer": ("reference", 19, 28),
    "plain_wording": ("grounding", 43, 43),
    "short_prompts": ("grounding", 58, 76),
    "within_response": ("coherence", 16, 20),
}


# Of the bad responses of a set, which share must be found; nine in ten where nothing is said.
FOUND = {"plain_wording": 36 / 43}


@pytest.mark.parametrize("name", SETS)
def test_most_bad_responses_are_found_and_no_good_one_is_accused(name: str) -> None:
    criterion, bad, good = SETS[name]
    measured = rows(name, criterion)
    counts = Counter((row.good, row.found) for row in measured)
    missed = [row for row in measured if not row.good and not row.found]
    accused = [row for row in measured if row.good and row.found]
    assert (sum(not row.good for row in measured), sum(row.good for row in measured)) == (bad, good)
    assert not accused
    assert counts[False, True] >= FOUND.get(name, 0.9) * bad, missed


def test_every_class_of_given_text_is_found() -> None:
    measured = [row for name in ("given_text", "unseen") for row in rows(name, "grounding")]
    found = Counter(row.kind for row in measured if not row.good and row.found)
    all_of = Counter(row.kind for row in measured if not row.good)
    assert {kind: (found[kind], count) for kind, count in all_of.items() if not found[kind]} == {}
