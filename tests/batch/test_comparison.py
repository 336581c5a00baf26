"""Comparing runs: figures that hold against chance, ties called ties, and words that say no more than is known."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairwitness
from fairwitness.batch import comparison, paired_statistics
from fairwitness.batch.gates import against_baseline
from fairwitness.batch.paired_statistics import corrected, estimate, rows_needed
from fairwitness.batch.rows import BadInput
from fairwitness.batch.scored_runs import load
from fairwitness.cli.main import main
from tests.batch.judging import run_over, some_rows, write_lines
from tests.batch.test_command import ask, folder

__all__ = ["folder"]


def judged(path: Path, better: float, seed: int = 1, rows: int = 200, **more: Any) -> Path:
    """Results over the same rows, some of whose answers were made better."""
    draw = random.Random(seed)
    given = [
        {**row, "id": f"r{n}", "lang": "de" if n % 3 else "en", **more}
        for n, row in enumerate(some_rows(rows))
    ]
    for row in given:
        if draw.random() < better:
            row["response"] = "2 + 2 = 4."
    output = path.with_suffix(".results.jsonl")
    run_over(write_lines(path, given), output)
    return output


def test_a_mean_difference_and_its_interval_are_those_of_the_rows() -> None:
    draw = np.random.default_rng(3)
    values = np.round(draw.normal(1.0, 5.0, 400), 1)
    found = estimate(values)
    assert found.mean == pytest.approx(values.mean())
    # Against the textbook: the bootstrap of a mean is near mean ± 1.96 standard errors.
    error = values.std(ddof=1) / 20
    assert found.low == pytest.approx(values.mean() - 1.96 * error, abs=0.1)
    assert found.high == pytest.approx(values.mean() + 1.96 * error, abs=0.1)
    assert rows_needed(found.spread, 1.96 * error) == pytest.approx(400, abs=1)
    assert estimate(values) == found, "the same figures every time"


def test_chance_is_seldom_taken_for_a_difference_and_intervals_cover_the_truth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """300 experiments without a difference: about 5% seem to have one, and about 95% of intervals cover it.

    A tenth of the resamples: their share is of how exactly each figure is known, not of how often it is wrong.
    """
    monkeypatch.setattr(paired_statistics, "RESAMPLES", 1_000)
    draw = np.random.default_rng(11)
    found = [estimate(np.round(draw.normal(0, 8, 60), 1)) for _ in range(300)]
    alarms = sum(one.p < 0.05 for one in found) / 300
    covered = sum(one.low <= 0 <= one.high for one in found) / 300
    assert 0.02 < alarms < 0.09
    assert 0.9 < covered < 0.98


def test_the_sign_flip_test_is_the_exact_one_where_that_can_be_counted() -> None:
    values = np.array([1.0, 2.0, 3.0, -1.0, 2.0, 4.0])
    signs = np.array(np.meshgrid(*[[-1, 1]] * 6)).reshape(6, -1)
    exact = np.mean(np.abs(signs.T @ np.abs(values)) >= values.sum())
    assert estimate(values).p == pytest.approx(exact, abs=0.01)


def test_many_comparisons_are_corrected() -> None:
    assert corrected([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert corrected([0.5, 0.9]) == [1.0, 1.0]
    assert corrected([]) == []


def test_what_moved_is_said_with_examples_and_slices(tmp_path: Path) -> None:
    first = load(judged(tmp_path / "a.jsonl", 0.0), "lang")
    second = load(judged(tmp_path / "b.jsonl", 0.4), "lang")
    found = comparison.compare(first, second, examples=3)
    assert found.in_words.startswith("B scores higher than A by ")
    assert found.overall.is_shown
    assert found.overall.difference == pytest.approx(
        np.mean(second.scores) - np.mean(first.scores), abs=0.01
    )
    assert [item.name for item in found.criteria] == ["privacy", "calculation"]
    assert all(item.is_shown for item in found.criteria)
    assert {item.name: item.rows for item in found.slices} == {"de": 133, "en": 67}
    assert set(found.flips) == {"needs_review → pass"}
    assert len(found.examples) == 3
    assert found.examples[0].criteria == ["calculation"]
    changes = [abs(flip.second_score - flip.first_score) for flip in found.examples]
    assert changes == sorted(changes, reverse=True)
    assert found.notes == []
    back = comparison.compare(second, first)
    assert back.in_words.startswith("B scores lower than A by ")
    assert back.overall.difference == pytest.approx(-(found.overall.difference or 0))


def test_no_difference_and_too_few_rows_are_called_so(tmp_path: Path) -> None:
    first = load(judged(tmp_path / "a.jsonl", 0.0))
    assert (
        "No difference: all 200 pairs have the same score."
        in comparison.compare(first, first).in_words
    )
    near = load(judged(tmp_path / "b.jsonl", 0.01))
    found = comparison.compare(first, near)
    assert found.in_words.startswith("No difference was shown: B - A is +")
    assert not found.overall.is_shown
    few = load(judged(tmp_path / "c.jsonl", 0.5, rows=6))
    said = comparison.compare(few, first)
    assert said.in_words.startswith("Too few pairs to tell (6)")
    assert not any(item.is_shown for item in [said.overall, *said.shares, *said.criteria])
    assert "194 judged rows of" in said.notes[0]


def test_rows_are_paired_by_id_and_strangers_are_noticed(tmp_path: Path) -> None:
    first, second = judged(tmp_path / "a.jsonl", 0.0), judged(tmp_path / "b.jsonl", 0.3)
    lines = second.read_text().splitlines()
    second.write_text("\n".join(reversed(lines)) + "\n")
    straight = comparison.compare(load(first), load(second))
    assert straight.pairs == 200
    assert straight.notes == []
    changed = [{**json.loads(line), "prompt": "Another?", "protocolDigest": "x"} for line in lines]
    write_lines(second, changed)
    found = comparison.compare(load(first), load(second))
    made_by = [one.protocol_digest for some in found.made_by.values() for one in some]
    assert made_by == [json.loads(lines[0])["protocolDigest"], "x"]
    notes = found.notes
    assert "not all judged by the same protocol" in notes[0]
    assert notes[1].startswith("200 pairs have different prompts")
    write_lines(second, [{**row, "id": f"x{row['id']}"} for row in changed])
    with pytest.raises(BadInput, match="judge both with the same --id"):
        comparison.compare(load(first), load(second))
    with pytest.raises(BadInput, match="no column 'town'; there are prompt, response"):
        load(first, "town")


def test_a_ranking_calls_ties_ties(tmp_path: Path) -> None:
    runs = [
        load(judged(tmp_path / f"{name}.jsonl", better, seed))
        for name, better, seed in (
            ("low", 0.0, 1),
            ("same", 0.5, 2),
            ("top", 0.5, 3),
            ("best", 1.0, 4),
        )
    ]
    found = comparison.rank(runs)
    names = [(one.rank, Path(one.name).name.partition(".")[0]) for one in found.runs]
    assert names[0] == (1, "best")
    assert {names[1], names[2]} == {(2, "same"), (2, "top")}
    assert names[3] == (4, "low")
    ties = {Path(one.name).name.partition(".")[0]: len(one.ties) for one in found.runs}
    assert ties == {"best": 0, "same": 1, "top": 1, "low": 0}
    assert (
        "is ahead of all others on 200 rows that all 4 have, corrected for 6 comparisons"
        in found.in_words
    )


def test_the_command_prints_words_and_figures(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    first, second = judged(tmp_path / "a.jsonl", 0.0), judged(tmp_path / "b.jsonl", 0.4)

    def told(*arguments: str) -> tuple[object, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["compare", *arguments])
        said = capfd.readouterr()
        return ended.value.code, said.out, said.err

    code, out, _ = told(str(first), str(second), "--by", "lang", "--interval", "0.7")
    assert code == 0
    assert "B scores higher than A by " in out
    assert "needs_review → pass" in out
    assert "Rows for an interval of ±0.7 points: " in out
    code, out, _ = told(str(first), str(second), str(first), "--json")
    assert code == 0
    assert [run["rank"] for run in json.loads(out)["runs"]] == [1, 2, 2]
    for bad in ((str(first), "absent.jsonl"), (str(first), str(second), "--interval", "0")):
        code, out, err = told(*bad)
        assert (code, out) == (2, "")
        assert err.startswith("fairwitness: ")


def scored(path: Path, scores: list[float]) -> Path:
    """Results with these scores; under 50 a row fails."""
    evaluation = fairwitness.evaluate("What is 2+2?", "2 + 2 = 4.").to_dict()
    rows = []
    for number, score in enumerate(scores):
        verdict = "fail" if score < 50 else "pass"
        found = {**evaluation, "overallScore": score, "overallVerdict": verdict}
        rows.append({"id": number, "evaluation": found})
    return write_lines(path, rows)


@pytest.mark.parametrize(
    ("scores", "shown"),
    [
        (
            [90.0] * 7 + [80.0] * 5,
            (False, False),
        ),  # the interval is below 0, and chance explains it
        ([90.0] * 6 + [80.0] * 6, (True, False)),
        ([90.0] * 12, (False, False)),
        ([95.0] * 12, (False, False)),
        ([90.0] * 9 + [10.0] * 3, (False, False)),
        ([10.0] * 12, (True, True)),
    ],
    ids=str,
)
def test_a_baseline_says_what_compare_says(
    tmp_path: Path, scores: list[float], shown: tuple[bool, bool]
) -> None:
    old = scored(tmp_path / "old.jsonl", [90.0] * len(scores))
    new = scored(tmp_path / "new.jsonl", scores)
    compared = comparison.compare(load(old), load(new))
    failed = next(one for one in compared.shares if one.name == "fail %")
    worse = [(compared.overall, -1), (failed, 1)]
    gates = against_baseline(new, old)
    assert [gate.value for gate in gates] == [one.difference for one, _ in worse]
    assert [not gate.met for gate in gates] == list(shown)
    assert [one.is_shown and (one.difference or 0) * way > 0 for one, way in worse] == list(shown)


@pytest.mark.parametrize(("last", "met"), [(90.0, True), (95.0, True), (80.0, False)])
def test_with_too_few_pairs_any_difference_for_the_worse_counts(
    tmp_path: Path, last: float, met: bool
) -> None:
    old = scored(tmp_path / "old.jsonl", [90.0] * 9)
    new = scored(tmp_path / "new.jsonl", [90.0] * 8 + [last])
    assert comparison.compare(load(old), load(new)).in_words.startswith("Too few pairs to tell (9)")
    score, failed = against_baseline(new, old)
    assert (score.met, failed.met) == (met, True)
    assert "9 of the 10 pairs that tell a change from chance: any difference counts" in score.gate


def test_a_baseline_is_a_gate_with_an_interval(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_lines(folder / "rows.jsonl", [{**row, "id": n} for n, row in enumerate(some_rows(60))])
    worse = [{**row, "id": n, "response": "2 + 2 = 5."} for n, row in enumerate(some_rows(60))]
    write_lines(folder / "worse.jsonl", worse)
    assert ask(capfd, "rows.jsonl", "-o", "old.jsonl")[0] == 0
    code, out, _ = ask(capfd, "rows.jsonl", "-o", "new.jsonl", "--baseline", "old.jsonl")
    assert code == 0
    assert (
        "met: mean score no lower than in old.jsonl (60 pairs, 95% interval +0.0 to +0.0 points) (0)"
        in out
    )
    code, out, _ = ask(capfd, "worse.jsonl", "-o", "worse.out.jsonl", "--baseline", "old.jsonl")
    assert code == 1
    assert "NOT MET: mean score no lower than in old.jsonl (60 pairs, 95% interval -" in out
    assert "met: rows that fail no more than in old.jsonl" in out
    code, out, err = ask(capfd, "rows.jsonl", "-o", "third.jsonl", "--baseline", "absent.jsonl")
    assert code == 2
    assert "--baseline: absent.jsonl: no such file" in err
    assert not (folder / "third.jsonl").exists()
