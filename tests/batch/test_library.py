"""`fairwitness.evaluate_many`: lazy, in order, the same as one by one, and a bad row is named in its turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import psutil
import pytest

import fairwitness
from fairwitness.batch import library
from fairwitness.contract.errors import InvalidRequest
from tests.batch.judging import quick, some_rows


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "shipped", quick)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_many_are_what_one_by_one_are(workers: int) -> None:
    rows = [(row["prompt"], row["response"]) for row in some_rows(30)]
    found = list(fairwitness.evaluate_many(rows, workers=workers))
    assert found == [quick().evaluate(*row) for row in rows]
    assert isinstance(found[0], fairwitness.Evaluation)


CHAT = [
    {"role": "user", "content": "When does it open?"},
    {"role": "assistant", "content": "At nine."},
    {"role": "user", "content": "Write to whom?"},
]


@pytest.mark.parametrize("workers", [1, 2])
def test_rows_may_give_what_one_evaluation_takes(workers: int) -> None:
    response = {"content": "Done.", "toolCalls": [{"name": "send", "arguments": {"to": "a@b.org"}}]}
    rows: list[dict[str, Any]] = [
        {"prompt": "To whom?", "response": "jane.roe@gmail.com", "context": "Mail jane.roe@gmail.com."},
        {"prompt": "To whom?", "response": "jane.roe@gmail.com", "context": [{"id": "a", "text": "Nobody."}], "id": 7},
        {"messages": CHAT, "response": "jane.roe@gmail.com", "reference": "jane.roe@gmail.com"},
        {"prompt": None, "messages": CHAT, "response": response, "context": None},
        {"prompt": "To whom?", "response": "jane.roe@gmail.com", "context": ["One.", "Two."], "reference": "Nobody."},
    ]  # fmt: skip
    found = list(fairwitness.evaluate_many(rows, workers=workers))
    asked = [{name: value for name, value in row.items() if name != "id"} for row in rows]
    assert found == [quick().evaluate(row.pop("prompt", None), row.pop("response"), **row) for row in asked]  # fmt: skip
    assert "context_not_read" in found[0].reasons


def test_rows_are_taken_as_they_are_needed_and_no_process_stays() -> None:
    taken = 0

    def endless() -> Iterator[dict[str, str]]:
        nonlocal taken
        while True:
            taken += 1
            yield {"prompt": f"Question {taken}", "response": "An answer."}

    before = set(psutil.Process().children())
    evaluations = fairwitness.evaluate_many(endless(), workers=2)
    assert len(list(islice(evaluations, 200))) == 200
    assert taken <= 200 + 2 * 64
    assert set(psutil.Process().children()) - before
    evaluations.close()  # type: ignore[attr-defined]
    assert set(psutil.Process().children()) == before


BAD_ROWS: list[tuple[Any, str, type[Exception]]] = [
    (("Hi", ""), "row 3: response: must not be empty", InvalidRequest),
    (("Hi", "\ud800"), "row 3: response: contains a lone surrogate", InvalidRequest),
    (("Hi", 7), "row 3: response must be a str, not int", TypeError),
    ({"prompt": "Hi"}, "row 3: must be", TypeError),
    (7, "row 3: must be", TypeError),
    ("Hi", "row 3: must be", TypeError),
    (
        {"prompt": "Hi", "response": "Hello.", "context": 7},
        "row 3: context must be a list, not int",
        TypeError,
    ),
    (
        {"prompt": "Hi", "response": "Hello.", "messages": CHAT},
        "row 3: prompt: give prompt or messages",
        InvalidRequest,
    ),
    (
        {"messages": [{"role": "king", "content": "Hi"}], "response": "Hello."},
        "row 3: messages\\[0\\]",
        InvalidRequest,
    ),
    (
        {"prompt": "Hi", "response": "Hello.", "reference": 7},
        "row 3: reference must be a str",
        TypeError,
    ),
]


# Rows are looked at before they are handed to processes, which cost a second each time: with those, three are enough.
@pytest.mark.parametrize(
    ("workers", "row", "fault", "kind"),
    [(1, *bad) for bad in BAD_ROWS] + [(2, *bad) for bad in BAD_ROWS[:3]],
)
def test_a_bad_row_is_named_after_the_rows_before_it(
    workers: int, row: Any, fault: str, kind: type[Exception]
) -> None:
    evaluations = fairwitness.evaluate_many([("Hi", "Hello.")] * 2 + [row], workers=workers)
    assert next(evaluations)
    assert next(evaluations)
    with pytest.raises(kind, match=fault):
        next(evaluations)


def test_no_workers_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match="workers must be at least 1"):
        fairwitness.evaluate_many([], workers=0)
