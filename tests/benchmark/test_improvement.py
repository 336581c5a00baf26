"""The measure of edit operators: each on answers where it has something to do, and every one of them kept somewhere."""

from __future__ import annotations

import pytest

from fairwitness.benchmark import improvement
from fairwitness.benchmark.published_results import results
from fairwitness.benchmark.row_evaluation import Judged
from fairwitness.benchmark.rows import Row
from fairwitness.benchmark.series import Series
from fairwitness.evaluator import Evaluator
from fairwitness.evaluator.version import evaluator_version
from fairwitness.revision.search import OPERATORS

# Fewer real answers than this decide nothing.
FEW = 10
GOOD = "Water boils at a lower temperature on a mountain, because the air presses on it less."


def row(prompt: str, **responses: str) -> Row:
    return {"prompt": prompt, "labels": {}, **responses}


ROWS = [
    row("How do I reach the team?", response="Write to jane.roe@gmail.com for help with it."),
    row("How do I reach the desk?", response_a="Write to mary.poe@gmail.com for help.", response_b=GOOD),
    row("How long do two calls of 15 minutes take?", response="Two calls take 15 + 15 = 35 minutes in all."),
    row("Describe the sea. Do not use any commas.", response="The sea is wide, deep and cold."),
    row("Why does water boil sooner on a mountain?", response=GOOD),
    row("Too long to show", response="word " * 2000),
    row("No answer", response=""),
]  # fmt: skip


def measured(ticks: list[tuple[int, int]]) -> dict[str, Series]:
    made = improvement.series(
        ROWS, Judged(Evaluator.shipped()), lambda done, total: ticks.append((done, total))
    )
    return {item.name: item for item in made}


def test_each_operator_is_tried_where_it_has_something_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(improvement, "MAX_ANSWERS", 2)
    monkeypatch.setattr(improvement, "TRIES_PER_OPERATOR", 1)
    ticks: list[tuple[int, int]] = []
    found = measured(ticks)
    assert len(found["answers improved"].points) == 2
    for operator in ("typed placeholder", "corrected result", "marks dropped"):
        assert [point.guess for point in found[f"{operator}: kept of tried"].points] == [1.0]
        (gain,) = found[f"{operator}: points gained"].points
        assert 0 < gain.guess < 1
    assert "decoding undone: kept of tried" not in found
    assert all(done <= total for done, total in ticks)


def test_the_rules_find_the_answers_without_the_encoder() -> None:
    texts = improvement._texts(ROWS)
    chosen = improvement._chosen(texts, lambda done: None)
    assert len(texts) == 6
    assert len(chosen["typed placeholder"]) == 2
    assert chosen["marks dropped"] == [(ROWS[3]["prompt"], ROWS[3]["response"])]
    assert (
        chosen["helpful refusal"] == []
    )  # the encoder's: taken from the answers of the overall figure


@pytest.mark.skipif(
    results().evaluator_version != evaluator_version(),
    reason="the published run is of another version of the evaluator",
)
def test_every_operator_was_kept_on_real_answers_or_leaves() -> None:
    """A handful of real answers decides nothing: an operator that meets no more is shown as it fared, and stays.

    Our own answers, where every operator must do what it is for, are in `own_improvement`.
    """
    (found,) = [item for item in results().sets if item.name == "improvement"]
    kept = {figure.name for figure in found.figures if figure.value}
    seldom = {figure.name for figure in found.figures if figure.count < FEW}
    missing = [
        item.name
        for item in OPERATORS
        if f"{item.name}: points gained" not in kept and f"{item.name}: kept of tried" not in seldom
    ]
    assert not missing
