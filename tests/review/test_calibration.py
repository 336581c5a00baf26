"""Thresholds fitted to labels: the cheapest there are, checked on held-out rows, refused where labels are few."""

from __future__ import annotations

import json
import os
import random
import subprocess
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairwitness.review.calibration import MIN_LABELS, Labelled, Thresholds, fit_target
from fairwitness.review.labels import OVERALL, Label, LabelFile
from fairwitness.review.results import rows_of
from tests import warm_start
from tests.batch.judging import quick_source, write_lines
from tests.review.reviewing import results_of

BEFORE = Thresholds(40.0, 80.0)
# What each kind of response scores in privacy, and what people here say of it: one address is fine.
CLEAN = "Plants need water and light."
ONE_ADDRESS = "Write to jane.roe@gmail.com."
WITH_A_CARD = "Card 4539 1488 0343 6467, or write to jane.roe@gmail.com."
SAID = {CLEAN: "pass", ONE_ADDRESS: "pass", WITH_A_CARD: "fail"}


def cost(rows: list[Labelled], fail_below: float, pass_from: float, review: float) -> float:
    total = 0.0
    for row in rows:
        if row.score < fail_below:
            total += row.passed
        elif row.score >= pass_from and not row.held:
            total += not row.passed
        else:
            total += review
    return total


row = st.builds(Labelled, st.integers(0, 1000).map(lambda n: n / 10), st.booleans(), st.booleans())


@settings(max_examples=40, deadline=None)
@given(rows=st.lists(row, min_size=4, max_size=25), review=st.sampled_from([0.1, 0.25, 0.6]))
def test_no_other_pair_is_cheaper(rows: list[Labelled], review: float) -> None:
    fitted = fit_target("x", rows, BEFORE, 0.1, review).fitted
    found = cost(rows, fitted.fail_below, fitted.pass_from, review)
    edges = sorted({0.1, 100.0, *(one.score for one in rows if one.score > 0.1)})
    edges += [round(edge + 0.1, 1) for edge in edges if edge < 100]
    for low, high in product(edges, edges):
        if low <= high:
            assert found <= cost(rows, low, high, review) + 1e-9
    assert 0 < fitted.fail_below <= fitted.pass_from <= 100


def test_thresholds_that_are_right_already_are_kept() -> None:
    draw = random.Random(1)
    rows = [Labelled(round(draw.uniform(0, 35), 1), False) for _ in range(60)]
    rows += [Labelled(round(draw.uniform(85, 100), 1), True) for _ in range(60)]
    fit = fit_target("x", rows, BEFORE, 0.1, 0.25)
    assert fit.fitted == BEFORE
    assert not fit.is_better
    assert fit.figures_before.agreement == 1


def test_held_out_figures_are_no_better_than_chance_on_noise() -> None:
    """Fitted to noise, thresholds look good on the rows they were fitted to; held-out rows show it."""
    draw = random.Random(2)
    rows = [Labelled(round(draw.uniform(0, 100), 1), draw.random() < 0.5) for _ in range(400)]
    fit = fit_target("x", rows, Thresholds(50.0, 50.0), 0.1, 0.9)
    in_sample = cost(rows, fit.fitted.fail_below, fit.fitted.pass_from, 0.9) / len(rows)
    assert in_sample < fit.figures_held_out.cost
    assert not fit.is_better


def label_all(results: Path, target: str) -> Path:
    file = LabelFile(results.with_name("labels.jsonl"))
    for found in rows_of(results):
        said: Any = SAID[found.given[1]]
        file.append(
            Label(
                texts=found.texts,
                id=found.id,
                row=found.number,
                target=target,
                label=said,
                reviewer="ann",
                at="2026-01-01T00:00:00Z",
            )
        )
    return file.path


def rows(count: int) -> list[dict[str, str]]:
    kinds = [CLEAN, ONE_ADDRESS, WITH_A_CARD, WITH_A_CARD]
    return [{"prompt": f"Question {n}?", "response": kinds[n % 4]} for n in range(count)]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return warm_start.run_text(arguments, os.environ)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("calibrate")
    (path / "quick.toml").write_bytes(quick_source())
    results_of(path, rows(160))
    return path


def test_a_criterion_is_fitted_written_accepted_and_judges_as_people_do(folder: Path) -> None:
    (folder / "labels.jsonl").unlink(missing_ok=True)
    labels = label_all(folder / "results.jsonl", "privacy")
    base, fitted = folder / "quick.toml", folder / "out" / "fitted.toml"
    fitted.parent.mkdir()
    done = run(
        "calibrate", str(folder / "results.jsonl"), str(labels), "-o", str(fitted),
        "--protocol", str(base), "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (fit,) = json.loads(done.stdout)["fits"]
    assert (fit["target"], fit["passed"], fit["failed"], fit["better"]) == ("privacy", 80, 80, True)
    assert fit["figuresHeldOut"]["agreement"] == 1
    assert fit["figuresHeldOut"]["decided"] == 160
    assert run("protocol", "check", str(fitted)).returncode == 0
    assert 'extends = "../quick.toml"' in fitted.read_text()
    again = folder / "again.jsonl"
    command = ["batch", str(folder / "rows.jsonl"), "-o", str(again), "--protocol", str(fitted)]
    assert run(*command).returncode == 0
    for found in rows_of(again):
        assert found.evaluation["privacy"].verdict == SAID[found.given[1]]
    # Written again only if asked to, and the same bytes from the same labels.
    before = fitted.read_bytes()
    same = [
        "calibrate",
        str(folder / "results.jsonl"),
        str(labels),
        "-o",
        str(fitted),
        "--protocol",
        str(base),
    ]
    assert run(*same).returncode == 2
    assert run(*same, "--force").returncode == 0
    assert fitted.read_bytes() == before


def test_too_few_labels_are_refused_with_how_many_are_needed(folder: Path) -> None:
    path = folder / "few.jsonl"
    path.write_bytes(
        b"".join(label_all(folder / "results.jsonl", OVERALL).read_bytes().splitlines(True)[-20:])
    )
    out = folder / "few.toml"
    done = run(
        "calibrate", str(folder / "results.jsonl"), str(path), "-o", str(out),
        "--protocol", str(folder / "quick.toml"),
    )  # fmt: skip
    assert done.returncode == 2
    words = " ".join(done.stderr.split())
    assert f"10 pass and 10 fail, and {MIN_LABELS} of each are needed" in words
    assert "label 20 more that pass and 20 more that fail" in words
    assert not out.exists()


def test_results_of_another_protocol_are_refused(folder: Path) -> None:
    labels = label_all(folder / "results.jsonl", OVERALL)
    done = run(
        "calibrate", str(folder / "results.jsonl"), str(labels), "-o", str(folder / "x.toml")
    )
    assert done.returncode == 2
    assert "was made by another protocol" in done.stderr


def test_the_example_of_the_page_runs(tmp_path: Path) -> None:
    page = (resources.files("fairwitness.pages") / "review.md").read_text()
    batch, review, *rest = page.split("```bash\n")[1].split("```")[0].splitlines()
    sums = [{"prompt": f"What is {n}+1?", "response": f"{n} + 1 = {n + 1}."} for n in range(30)]
    mails = [
        {"prompt": f"How can I reach person {n}?", "response": f"Write to {ONE_ADDRESS[9:]}"}
        for n in range(30)
    ]
    write_lines(tmp_path / "rows.jsonl", [*sums, *mails])

    def bash(*lines: str) -> subprocess.CompletedProcess[str]:
        script = warm_start.shell_functions() + "\n".join(lines)
        return subprocess.run(
            ["bash", "-euc", script], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    # Thirty times fail, then thirty times pass: the addresses need review, so they are asked first.
    keys = "f\\n" * 30 + "p\\n" * 30
    done = bash(batch, f"printf '{keys}' | {review} --terminal --all")
    assert done.returncode == 0, done.stderr
    assert "ann: 60 labelled, 0 left" in done.stdout
    done = bash(*rest)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mine.toml written" in done.stdout
    assert "fairwitness-calibrated" in done.stdout
