"""Sentences beside passages that have no label: where they come from, and that none is of the held-out side."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from model import lessons, unlabelled
from model.load_grounding import row_against
from model.rows import Pair, Row, held

A = "The pot boils first. Then the rice goes in for ten minutes. The lid stays on all the while."
B = "Bring the water to a boil. The rice cooks for twenty minutes without a lid. Salt it at the end."


def test_two_answers_are_held_against_each_other_without_a_label() -> None:
    rows = unlabelled.made(
        [Pair("x", f"How do I cook rice {n}?", A, B, 0.9, 1.0) for n in range(40)]
    )
    assert len(rows) == 160
    assert all(row.against and not row.targets and not held(row.source, row.group) for row in rows)
    assert all(row.prompt in A or row.prompt in B for row in rows)
    own = [row.response in row.prompt for row in rows]
    assert any(row.response in B for row in rows if row.prompt in A)
    # A sentence of the passage itself is there with one thing changed, or as it is where nothing could be.
    assert 0 < sum(own) < len(own) / 2
    assert unlabelled.made([Pair("x", "?", "short", "é" * 100, 0.9, 1.0)]) == []


def test_lessons_are_told_again_by_what_they_support_and_held_out_ones_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("grounding-d.jsonl", "grounding-zh.jsonl"):  # two of many, to be quick
        shutil.copy(lessons.FOLDER / name, tmp_path)
    monkeypatch.setattr(lessons, "FOLDER", tmp_path)
    taught = [row for row in lessons.rows() if row.against]
    out = {row.group for row in taught if held(row.source, row.group)}
    rows = unlabelled.retold(taught)
    assert rows
    assert not out & {row.group for row in rows}
    supported = {row.response for row in taught if row.targets.get("support", 0) > 0.5}
    for row in rows[:500]:
        left = row.prompt
        for text in sorted((t for t in supported if t in row.prompt), key=len, reverse=True):
            left = left.replace(text, "")
        assert row.prompt
        assert not left.strip()
        assert row.prompt != row.response


def test_a_sentence_is_held_once_more_against_the_stretch_that_is_nearest() -> None:
    passage = "The shop opens at nine. It sells Welsh wool to anyone who asks."
    rows = [
        row_against("fever_symmetric", passage, f"They sell Welsh wool, {n} kinds.", f"g{n}")
        for n in range(20)
    ]
    made = unlabelled.closer([*rows, Row("x", "What?", "That.", group="y")])
    assert 0 < len(made) <= 20
    assert {row.prompt for row in made} == {"It sells Welsh wool to anyone who asks."}
    assert all(row.against and not row.targets and row.source == "unlabelled" for row in made)
