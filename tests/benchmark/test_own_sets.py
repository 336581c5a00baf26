"""The sets written for this project: what the evaluator must find in them, and how seldom it may alarm."""

from __future__ import annotations

import pytest

from fairwitness.benchmark import own_measures, own_sets
from fairwitness.benchmark.registry import MEASURES
from fairwitness.benchmark.row_evaluation import Judged
from fairwitness.evaluator import shipped


def shares(name: str) -> dict[str, float]:
    """Return the figures of one set."""
    (measure,) = [item for item in MEASURES if item.name == f"own_{name}"]
    assert measure.series is not None
    made = measure.series([], Judged(shipped()), lambda done, total: None)
    return {
        item.name: sum(point.guess for point in item.points) / len(item.points) for item in made
    }


@pytest.mark.parametrize("name", ["code", "unfinished", "active_content"])
def test_faults_are_found_and_good_answers_left_alone(name: str) -> None:
    found = shares(name)
    assert found[own_measures.FOUND] >= 0.9
    assert found[own_measures.ALARMED] <= 0.025


def test_data_code_and_names_are_no_foreign_language() -> None:
    assert shares("languages") == {own_measures.UNJUDGED: 1.0, own_measures.JUDGED: 0.0}


def test_revisions_keep_the_answer() -> None:
    assert shares("improvement")[own_measures.REVISED] >= 0.9


def test_every_row_is_labelled_and_has_both_texts() -> None:
    labels = {"bad", "good", "foreign", "english", "answer", "stray", "refusal"}
    for name in own_sets.NAMES:
        for row in own_sets.rows(name):
            assert row.prompt, row
            assert row.response, row
            assert row.label in labels or row.wanted or row.unwanted, row
