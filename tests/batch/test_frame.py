"""DataFrames of the real libraries in and out: index and columns kept, the rules of batch, the same evaluations."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from fairwitness import frame
from fairwitness.contract.errors import InvalidRequest
from tests.batch.judging import quick, some_rows

Make = Callable[[list[dict[str, Any]]], Any]
LIBRARIES: dict[str, Make] = {"pandas": pd.DataFrame, "polars": pl.DataFrame}
every_library = pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
ROWS = [{**row, "model": "a"} for row in some_rows(12)]


def cells(found: Any, name: str) -> list[Any]:
    column = found[name]
    values = column.to_list() if isinstance(found, pl.DataFrame) else column.tolist()
    return [None if value is pd.NA or value != value else value for value in values]


def evaluate(found: Any, **options: Any) -> Any:
    return frame.evaluate(found, protocol=quick().protocol, **{"workers": 1, **options})


@every_library
@pytest.mark.parametrize("workers", [1, 2])
def test_each_row_has_the_evaluation_of_its_texts(make: Make, workers: int) -> None:
    given = make(ROWS)
    found = evaluate(given, workers=workers)
    assert type(found) is type(given)
    assert list(found.columns)[:3] == ["prompt", "response", "model"]
    expected = [quick().evaluate(row["prompt"], row["response"]) for row in ROWS]
    assert cells(found, "overall_score") == [one.overall_score for one in expected]
    assert cells(found, "overall_verdict") == [one.overall_verdict for one in expected]
    assert [list(cell) for cell in cells(found, "reasons")] == [one.reasons for one in expected]
    assert cells(found, "findings") == [len(one.findings) for one in expected]
    for name in ("privacy", "calculation"):
        assert cells(found, f"{name}_score") == [one[name].score for one in expected]
        assert cells(found, f"{name}_verdict") == [one[name].verdict for one in expected]
    assert [json.loads(cell) for cell in cells(found, "evaluation")] == [
        one.to_dict() for one in expected
    ]
    assert set(cells(found, "protocol_digest")) == {quick().protocol.digest}
    assert list(given.columns) == ["prompt", "response", "model"], "what was given is as it was"


def test_a_pandas_index_is_kept_even_where_its_labels_repeat() -> None:
    given = pd.DataFrame(ROWS, index=["x", "y", "x"] * 4)
    given.index.name = "key"
    found = evaluate(given)
    pd.testing.assert_index_equal(found.index, given.index)
    pd.testing.assert_frame_equal(found[["prompt", "response", "model"]], given)
    shuffled = evaluate(pd.DataFrame(ROWS).sample(frac=1, random_state=1))
    straight = evaluate(pd.DataFrame(ROWS))
    pd.testing.assert_frame_equal(shuffled.sort_index(), straight)


@every_library
def test_columns_are_found_by_the_rules_of_batch(make: Make) -> None:
    chat = [
        {
            "id": n,
            "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": text}],
        }
        for n, text in enumerate(("2 + 2 = 5.", "Hello."))
    ]
    assert cells(evaluate(make(chat)), "calculation_verdict") == ["fail", "not_applicable"]
    named = make([{"q": "Sum?", "a": "2 + 2 = 5.", "id": 7}])
    assert cells(evaluate(named, prompt="q", response="a"), "calculation_verdict") == ["fail"]
    nested = make([{"item": {"question": "Sum?"}, "sample": {"output_text": "2 + 2 = 5."}}])
    assert cells(evaluate(nested), "calculation_verdict") == ["fail"]
    with pytest.raises(InvalidRequest) as raised:
        evaluate(named)
    assert "no prompt and response recognised; name them with prompt and response" in str(
        raised.value.details
    )


@every_library
def test_a_row_that_cannot_be_judged_is_named_or_kept_with_its_error(make: Make) -> None:
    given = make([{"prompt": "Sum?", "response": text} for text in ("2 + 2 = 5.", None, "4", "")])
    with pytest.raises(InvalidRequest) as raised:
        evaluate(given)
    assert raised.value.details == ("row 2: column 'response': must be text, not null",)
    found = evaluate(given, on_error="skip")
    assert [error is not None for error in cells(found, "error")] == [False, True, False, True]
    assert cells(found, "overall_score")[1] is None
    assert cells(found, "overall_verdict")[2] == "pass"


@every_library
def test_a_name_that_is_taken_is_refused_and_a_prefix_helps(make: Make) -> None:
    given = make(
        [{"prompt": "Sum?", "response": "2 + 2 = 5.", "overall_score": 1, "evaluation": "x"}]
    )
    with pytest.raises(InvalidRequest) as raised:
        evaluate(given)
    assert "column 'overall_score'" in str(raised.value.details)
    found = evaluate(given, prefix="fw_")
    assert cells(found, "overall_score") == [1]
    assert cells(found, "fw_calculation_verdict") == ["fail"]


@every_library
def test_an_empty_frame_gets_its_columns(make: Make) -> None:
    found = evaluate(make(ROWS)[:0])
    assert len(found) == 0
    assert "privacy_verdict" in found.columns


def test_what_is_no_frame_is_refused() -> None:
    wrong: Any
    for wrong in ([], {"prompt": ["a"]}, pd.Series(["a"]), pl.Series(["a"])):
        with pytest.raises(TypeError, match="not a pandas, polars or Arrow table"):
            frame.evaluate(wrong)
    with pytest.raises(TypeError, match="collect"):
        frame.evaluate(pl.LazyFrame({"prompt": ["a"], "response": ["b"]}))
    twice = pd.DataFrame([["a", "b"]], columns=["prompt", "prompt"])
    with pytest.raises(InvalidRequest):
        frame.evaluate(twice)


def test_an_arrow_table_comes_back_as_one(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    found = evaluate(pyarrow.Table.from_pylist(ROWS))
    assert isinstance(found, pyarrow.Table)
    assert found["calculation_verdict"].to_pylist() == cells(
        evaluate(pl.DataFrame(ROWS)), "calculation_verdict"
    )
