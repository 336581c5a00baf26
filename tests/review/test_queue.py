"""What is asked first, and a whole review at the terminal."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from fairwitness.contract.evaluation import Evaluation, ReasonDetail, VerdictItem
from fairwitness.review.queue import drawn, ordered, place
from fairwitness.review.results import rows_of
from tests import warm_start
from tests.batch.judging import quick_source, some_rows, write_lines
from tests.review.reviewing import results_of

TERMINAL = ["review", "--terminal"]


def evaluated(score: float, confidence: float, weight: float, name: str = "one") -> Evaluation:
    item = VerdictItem(
        criterion_id=name,
        title=name,
        verdict="needs_review",
        score=score,
        confidence=confidence,
        weight=weight,
        summary="",
        finding_ids=[],
    )
    detail = ReasonDetail(code="near_threshold", criterion_id=name, message="")
    return Evaluation(
        overall_score=70,
        overall_verdict="needs_review",
        reasons=["near_threshold"],
        reason_details=[detail],
        verdicts=[item],
        findings=[],
    )


def order_of(*evaluations: Evaluation) -> list[int]:
    places = [place(number, one, "overall") for number, one in enumerate(evaluations)]
    return [one.number for one in ordered(one for one in places if one)]


def test_heavier_and_less_sure_come_first() -> None:
    light, heavy = evaluated(50, 0.9, 0.3, "a"), evaluated(50, 0.9, 0.9, "b")
    assert order_of(light, heavy) == [1, 0]
    sure, unsure = evaluated(5, 0.95, 0.5, "a"), evaluated(5, 0.5, 0.5, "b")
    assert order_of(sure, unsure) == [1, 0]
    end, middle = evaluated(95, 0.9, 0.5, "a"), evaluated(55, 0.9, 0.5, "b")
    assert order_of(end, middle) == [1, 0]


def test_the_same_cause_again_counts_less() -> None:
    many = [evaluated(50, 0.9, 0.9, "common") for _ in range(9)]
    assert (
        order_of(*many, evaluated(50, 0.9, 0.4, "rare")).index(9) == 5
    )  # 0.9 / sqrt(5) > 0.4 > 0.9 / sqrt(6)


def test_a_criterion_that_does_not_apply_is_not_asked() -> None:
    assert place(1, evaluated(50, 0.5, 0.5, "one"), "one") is not None
    with pytest.raises(KeyError):
        place(1, evaluated(50, 0.5, 0.5, "one"), "two")


def test_a_drawn_sample_is_the_same_every_time_and_spread() -> None:
    texts = [(number, f"text {number}") for number in range(1000)]
    first = drawn(texts, 100)
    assert first == drawn(reversed(texts), 100)
    assert len(set(first)) == 100
    assert 350 < sum(first) / 100 < 650


def test_a_review_at_the_terminal(tmp_path: Path) -> None:
    results = results_of(tmp_path, some_rows(20))
    command = [*TERMINAL, str(results), "--reviewer", "ann"]
    keys = "x\np\nn\na note\nf\nu\ns\nq\n"
    done = warm_start.run_text([*command, "--json"], os.environ, keys)
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "results.jsonl.labels.jsonl").read_text().splitlines()
    given = [(one["label"], one["note"]) for one in map(json.loads, lines)]
    assert given == [("pass", ""), ("fail", "a note"), ("undo", ""), ("skip", "")]
    state = json.loads(done.stdout)
    assert state["labelled"] == 2
    again = warm_start.run_text(command, os.environ, "q\n")
    assert again.returncode == 0, again.stderr
    assert f"ann: 2 labelled, {state['left']} left" in again.stdout
    assert "2 + 2 = 5" in again.stdout or "jane.roe@gmail.com" in again.stdout


def test_bad_input_is_named(tmp_path: Path) -> None:
    results = results_of(tmp_path, some_rows(8))
    notes = tmp_path / "notes.jsonl"
    notes.write_text('{"prompt": "a", "response": "b"}\n')
    for arguments, words in (
        ([str(results), "--criterion", "none"], "has no criterion 'none'; there are privacy"),
        ([str(tmp_path / "no.jsonl")], "no such file"),
        ([str(notes)], "notes.jsonl:1: not a result of `fairwitness batch`"),
        ([str(results), "--reviewer", "a\x1b"], "printable"),
        ([str(results), "--sample", "0"], "at least 1"),
    ):
        done = warm_start.run_text([*TERMINAL, *arguments], os.environ)
        assert done.returncode == 2, done.stderr
        assert words in " ".join(done.stderr.split()), done.stderr


def test_every_text_of_a_conversation_is_shown_and_parquet_is_read(tmp_path: Path) -> None:
    rows = [
        {
            "messages": [
                {"role": "user", "content": f"Question {n}?"},
                {"role": "assistant", "content": "Which one?"},
                {"role": "user", "content": "The first."},
            ],
            "response": f"Write to jane.roe@gmail.com, {n}.",
            "notes": ["The first is blue."],
        }
        for n in range(3)
    ]
    given = write_lines(tmp_path / "rows.jsonl", rows)
    (tmp_path / "quick.toml").write_bytes(quick_source())
    found = {}
    for name in ("results.jsonl", "results.parquet"):
        output = tmp_path / name
        flags = ["--messages", "messages", "--response", "response", "--context", "notes"]
        command = [
            "batch",
            str(given),
            "-o",
            str(output),
            "--protocol",
            str(tmp_path / "quick.toml"),
        ]
        done = warm_start.run_text([*command, *flags], os.environ)
        assert done.returncode == 0, done.stderr
        found[name] = [(row.texts, row.parts, row.id) for row in rows_of(output)]
    assert found["results.jsonl"] == found["results.parquet"]
    (_, parts, _), *_ = found["results.jsonl"]
    assert [(part.source, part.title) for part in parts] == [
        ("messages[0]", "User"),
        ("messages[1]", "Assistant"),
        ("messages[2]", "User"),
        ("context[0]", "Context 1"),
        ("response", "Response"),
    ]
    shown = warm_start.run_text([*TERMINAL, str(tmp_path / "results.parquet")], os.environ, "q\n")
    assert shown.returncode == 0, shown.stderr
    for text in ("Question", "Which one?", "The first is blue.", "jane.roe@gmail.com[f1]"):
        assert text in shown.stdout
