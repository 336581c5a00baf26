"""The fits that make probabilities and lines: on made logits whose right answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from fairwitness.evaluator.heads import HEADS
from model import calibrate, refusal
from model.rows import COMPLY, HELD_SOURCES, PARTIAL, REFUSE, Row

RNG = np.random.default_rng(0)


def source(slope: float, shift: float, rows: int = 400) -> tuple[np.ndarray, np.ndarray]:
    x = RNG.normal(0, 2, (rows, 1))
    return x, (RNG.random(rows) < 1 / (1 + np.exp(-(slope * x[:, 0] + shift)))).astype(float)


def outputs(**heads: float) -> np.ndarray:
    logits = np.zeros(HEADS.outputs, np.float32)
    for name, value in heads.items():
        logits[HEADS.at(name)] = value
    return logits


def test_a_head_gets_the_slope_and_shift_its_labels_have() -> None:
    made = calibrate.fit_head({name: source(1.5, -0.5) for name in "abc"})
    slope, shift = made["constants"]
    assert slope == pytest.approx(1.5, abs=0.3)
    assert shift == pytest.approx(-0.5, abs=0.3)
    assert made["pooled"]["ece"] < 0.06
    assert set(made["left_out"]) == set("abc")
    assert sum(count for *_, count in made["reliability"]) == 1200


def test_sources_with_one_answer_are_one_source() -> None:
    none = (np.full((30, 1), -2.0), np.zeros(30))
    by = calibrate.joined({"mixed": source(1, 0), "x": none, "y": none})
    assert set(by) == {"mixed", "all_negative"}
    assert len(by["all_negative"][0]) == 60


def test_the_forced_line_flags_at_most_one_in_a_hundred_of_the_harmless() -> None:
    p = RNG.random(1000)
    mixed = (p, (p > 0.3).astype(float))
    assert calibrate.decision({"mixed": mixed}) == pytest.approx(0.3, abs=0.02)
    harmless = (np.r_[np.full(980, 0.05), np.full(20, 0.455)], np.zeros(1000))
    assert calibrate.decision({"mixed": mixed, "all_negative": harmless}) > 0.455


def test_partial_refusal_is_found_where_it_costs_hardly_anything() -> None:
    found = []
    for label, at, rows in ((COMPLY, 0, 60), (PARTIAL, 1, 30), (REFUSE, 2, 60)):
        for _ in range(rows):
            logits = outputs()
            logits[HEADS.refusal] = RNG.normal(0, 0.3, 3)
            logits[HEADS.refusal.start + at] += 3
            # The middle class always speaks too softly.
            logits[HEADS.refusal.start + 1] -= 2.5
            found.append((Row("people", "p", "r").observed(label, 1.0), logits))
    made = refusal.fit_refusal(found)
    assert made["bias"][1] > 0.2
    assert made["recall"]["partial"] > 0.9
    assert made["accuracy"] > 0.95


def test_refusals_are_fitted_where_a_class_has_no_rows() -> None:
    found = [
        (Row("people", "p", "r").observed(label, 1.0), outputs()) for label in (COMPLY, REFUSE) * 20
    ]
    assert set(refusal.fit_refusal(found)["recall"]) == {"complies", "refuses"}


def test_prompts_are_read_alone_once_and_only_held_out() -> None:
    kept = HELD_SOURCES[0]
    rows = [
        Row(kept, "a", "one").mark("prompt_harm", 1, 1.0),
        Row(kept, "a", "two").mark("prompt_harm", 1, 1.0),
    ]
    rows += [Row("trained", "b", "x", group="seen").mark("prompt_harm", 0, 1.0)]
    asked: list[tuple[str, str, bool]] = []

    def read(pairs: list[tuple[str, str, bool]]) -> list[np.ndarray]:
        asked.extend(pairs)
        return [outputs() for _ in pairs]

    found = calibrate.collect_asked(read, rows)
    assert asked == [("a", "", False)]
    assert [row.source for row, _ in found] == [kept]
