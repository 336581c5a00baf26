"""Every wrong value of a protocol file is told in plain words: the key, what it must be, and what was found."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Meta

from fairwitness.evaluator.checks import KINDS
from fairwitness.evaluator.judges.spec import JudgeSpec
from fairwitness.evaluator.protocol import CriterionSpec, OverallSpec, ProtocolExample
from fairwitness.evaluator.protocol_chain import _Top
from fairwitness.evaluator.protocol_faults import fault

WRONG: list[Any] = [3, -1, 1e308, True, "", "no such value", "x" * 200_000, [], [3], [{}], {}, {"a": 3}, date(2026, 1, 1)]  # fmt: skip
TABLES = (*KINDS.values(), JudgeSpec, CriterionSpec, OverallSpec, ProtocolExample, _Top)


@pytest.mark.parametrize("kind", TABLES, ids=lambda kind: kind.__name__)
def test_no_wording_of_the_decoder_is_left(kind: Any) -> None:
    told = 0
    for field in msgspec.structs.fields(kind):
        for value in WRONG:
            try:
                msgspec.convert({field.encode_name: value}, kind)
            except msgspec.ValidationError as error:
                key, message = fault(error, kind, {field.encode_name: value})
            else:
                continue
            if message.endswith("is missing"):
                continue  # of another key: this value is one it may have
            told += 1
            assert not re.search(r"`|[Ee]xpected|[Ii]nvalid enum|\$|Type\(", message), message
            assert key[0].partition("[")[0] == field.encode_name or not key, (field, key)
            assert len(message) < 300
    assert told > 3


class _Numbers(msgspec.Struct):
    least: Annotated[int, Meta(ge=2)] = 2
    most: Annotated[float, Meta(le=9)] = 2
    over: Annotated[float, Meta(gt=0)] = 2
    under: Annotated[int, Meta(lt=5)] = 2
    between: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    either: int | list[str] = 2
    form: Annotated[str, Meta(pattern="^[a-z]+$")] = "a"
    inside: dict[str, int] = {}
    one: Annotated[list[int], Meta(min_length=2)] | None = None


@pytest.mark.parametrize(
    ("table", "key", "said"),
    [
        ({"least": 1}, "least", "must be a whole number of at least 2, not 1"),
        ({"most": 10}, "most", "must be a number of at most 9, not 10"),
        ({"over": 0}, "over", "must be a number over 0, not 0"),
        ({"under": 5}, "under", "must be a whole number under 5, not 5"),
        ({"between": 1}, "between", "must be a number from over 0 to under 1, not 1"),
        ({"either": "a"}, "either", 'must be a whole number or a list, not "a"'),
        ({"form": "A"}, "form", 'must be a text of the form ^[a-z]+$, not "A"'),
        ({"inside": {"a": 1, "b": "two"}}, "inside.b", 'must be a whole number, not "two"'),
        ({"one": [1]}, "one", "must be a list of at least 2 items, and has one"),
        ({"least": date(2026, 1, 1)}, "least", "must be a whole number of at least 2, not the date or time 2026-01-01"),
    ],
)  # fmt: skip
def test_what_is_expected_and_what_was_found(table: Any, key: str, said: str) -> None:
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(table, _Numbers)
    assert fault(error.value, _Numbers, table) == (tuple(key.split(".")), said)
