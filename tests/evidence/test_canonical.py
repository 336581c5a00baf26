"""The reader takes only what every JSON library reads alike, and the canonical form is the same for all."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairwitness.evidence.canonical import BadDocument, canonical, digest, read, shown

WHOLES = st.integers(-(2**53) + 1, 2**53 - 1)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
NUMBERS = st.floats(allow_nan=False, allow_infinity=False).filter(
    lambda number: abs(number) < 2**53 or not number.is_integer()
)
VALUES = st.recursive(
    st.none() | st.booleans() | WHOLES | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_every_spelling_of_a_value_has_one_canonical_form(value: Any) -> None:
    expected = canonical(value)
    spellings = [
        expected,
        json.dumps(value).encode(),
        json.dumps(value, indent=3, ensure_ascii=False).encode(),
        json.dumps(value, sort_keys=True, separators=(" ,\t", " :\n")).encode(),
        msgspec.json.encode(value),
    ]
    assert {canonical(read(spelling)) for spelling in spellings} == {expected}


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(BadDocument):
        assert canonical(read(canonical(read(data)))) == canonical(read(data))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("97.0", "97"),
        ("9.7e1", "97"),
        ("-0.0", "0"),
        ("1E-7", "0.0000001"),
        ("0.1", "0.10000000000000001"),
        ('"\\u00e9"', '"é"'),
    ],
)
def test_equal_values_spelt_differently_are_equal(one: str, other: str) -> None:
    assert digest(read(one.encode())) == digest(read(other.encode()))


def test_numbers_take_the_form_the_rfc_prints() -> None:
    numbers = [333333333.33333329, 4.50, 2e-3, 1e-27, 1e-7, 0.000001]
    assert canonical(numbers) == b"[333333333.3333333,4.5,0.002,1e-27,1e-7,0.000001]"


def test_keys_are_ordered_by_utf16_units() -> None:
    assert canonical({"\ufb33": 1, "😀": 2, "€": 3}) == '{"€":3,"😀":2,"\ufb33":1}'.encode()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": 1, "a": 1}', "appears twice"),
        ('{"x": [{"b": 1, "\\u0062": 2}]}', "appears twice"),
        ("97.00000000000000001", "is one that JSON parsers disagree on"),
        ("97.000000000000001", "is one that JSON parsers disagree on"),
        ("1e400", "is one that JSON parsers disagree on"),
        ("1e16", "is one that JSON parsers disagree on"),
        ("1e-99999999999999999999", "is one that JSON parsers disagree on"),
        ("9007199254740993", "too large"),
        ("9" * 10_000, "too large"),
        ("0." + "1" * 10_000, "is one that JSON parsers disagree on"),
        ("NaN", "not JSON"),
        ("-Infinity", "not JSON"),
        ('"\\ud800"', "lone surrogate"),
        ('{"\\udfff": 1}', "lone surrogate"),
        ("[" * 40 + "]" * 40, "too deeply"),
        ("[" * 100_000, "too deeply"),
        ("{", "not valid JSON (line 1, column 2)"),
        ("1 2", "not valid JSON"),
        ("\ufeff{}", "not valid JSON"),
        ("", "not valid JSON"),
    ],
)
def test_what_readers_disagree_on_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadDocument, match=why.replace("(", r"\(").replace(")", r"\)")):
        read(text.encode())


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(BadDocument, match="not valid UTF-8"):
        read(b'"\xff"')


def test_what_has_no_canonical_form_is_an_error_not_a_guess() -> None:
    for value in (float("nan"), float("inf"), 2**53, "\ud800"):
        with pytest.raises(ValueError):
            canonical(value)


def test_shown_values_cannot_move_a_cursor() -> None:
    assert shown("\x1b[2J\n\u202e").isascii()
    assert shown("\x1b[2J\n\u202e").isprintable()
    assert len(shown("x" * 1000)) < 100
