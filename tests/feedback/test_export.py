"""Exports: JSON Lines exactly as sent; CSV in which no reader, whatever its separator, finds a formula."""

from __future__ import annotations

import csv
import io
import json
import re

from hypothesis import given
from hypothesis import strategies as st

from fairwitness.feedback import Entry
from fairwitness.feedback.export import COLUMNS, csv_lines, harmless, json_lines, record

STARTS = "=+-@＝＋－＠"
TEXTS = st.text(
    st.sampled_from(f"{STARTS}ab1,;|\t\r\n\"' \u00a0\0\x1b\u202e()!") | st.characters(), max_size=30
).filter(lambda text: not any("\ud800" <= char <= "\udfff" for char in text))


def entry(message: str) -> Entry:
    return Entry("id-1", 1_767_268_800_123, "bug", message, rating=4, request_id="=r")


@given(TEXTS)
def test_json_lines_are_exact(message: str) -> None:
    lines = json_lines([record(entry(message), message or None)]).split("\n")
    assert lines[1:] == [""]
    found = json.loads(lines[0])
    assert found["message"] == message
    assert found["receivedAt"] == "2026-01-01T12:00:00.123Z"
    assert ("contact" in found) == bool(message)


@given(TEXTS)
def test_no_reader_of_the_csv_finds_a_formula(message: str) -> None:
    text = csv_lines([record(entry(message), message)], header=True)
    proper = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    # A reader that minds no quotes splits wherever its separator stands.
    naive = [cell for separator in ",;|\t" for cell in re.split(f"[\r\n{separator}]", text)]
    for cell in proper + naive:
        assert cell.lstrip('" \u00a0')[:1] not in set(STARTS), cell


@given(TEXTS)
def test_the_csv_has_one_row_an_entry(message: str) -> None:
    text = csv_lines([record(entry(message), None)] * 2, header=True)
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[0] == list(COLUMNS)
    assert [len(row) for row in rows] == [len(COLUMNS)] * 3
    assert all(
        char.isprintable() or char in "\t\r\n" for row in rows for cell in row for char in cell
    )


def test_plain_texts_stay_as_they_are() -> None:
    for text in ("It works.", "a - b", "2+2=4", "ann@example.org", "line\nline", "“quoted”"):
        assert harmless(text) == text


def test_texts_that_could_run_are_disarmed() -> None:
    assert harmless("=1+1") == "'=1+1"
    assert harmless("  @SUM(A1)") == "  '@SUM(A1)"
    assert harmless("hello;=1+1") == "hello;'=1+1"
    assert harmless("a\n-1") == "a\n'-1"
    assert harmless('x"=1') == "x\"'=1"
    assert harmless("\0=1") == "\ufffd'=1"
