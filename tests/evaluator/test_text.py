"""The views of a text: offsets are code points of the original, whatever the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairwitness.evaluator.patterns import Pattern, PatternSet
from fairwitness.evaluator.text import Text


@given(st.text(max_size=200))
def test_views_are_slices_in_order(value: str) -> None:
    text = Text(value)
    for regions in (text.words, text.lines, text.paragraphs, text.sentences, text.code):
        position = 0
        for region in regions:
            assert position <= region.start <= region.end <= len(value)
            position = region.end
    assert "\n".join(text.slice(line) for line in text.lines).replace("\r", "") == value.replace(
        "\r\n", "\n"
    ).replace("\r", "")


@given(st.text(max_size=200), st.sampled_from([r"\w+", r"[^a]", r"a*", r".", r"(?P<x>\S)\s?"]))
def test_matches_are_verbatim(value: str, source: str) -> None:
    for match in Text(value).matches(Pattern(source)):
        assert value[match.start : match.end] == match.text


@given(st.text(max_size=100))
def test_lower_moves_no_offset(value: str) -> None:
    assert len(Text(value).lower) == len(value)


@pytest.mark.parametrize(
    ("value", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Smith met Mr. Jones. They spoke.", ["Dr. Smith met Mr. Jones.", "They spoke."]),
        ("It costs 3.50 in the U.S. today.", ["It costs 3.50 in the U.S. today."]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("第一句。第二句！", ["第一句。", "第二句！"]),
        ("- one\n- two", ["- one", "- two"]),
        ("", []),
    ],
)
def test_sentences(value: str, sentences: list[str]) -> None:
    text = Text(value)
    assert [text.slice(region) for region in text.sentences] == sentences


def test_code_blocks() -> None:
    text = Text("Before\n```python\nprint(1)\n```\nuse `x` now\n~~~\nopen")
    first, second = text.code_blocks
    assert (first.language, text.slice(first.body), first.closed) == ("python", "print(1)\n", True)
    assert (second.language, text.slice(second.body), second.closed) == ("", "open", False)
    assert text.in_code(text.value.index("print"))
    assert text.in_code(text.value.index("`x`") + 1)
    assert not text.in_code(text.value.index("now"))


def test_pattern_groups_and_flags() -> None:
    match = Text("Ünder Dr. Who").search(
        Pattern(r"(?P<title>dr)\. (?P<name>\w+)(?P<no>x)?", ignore_case=True)
    )
    assert match is not None
    assert (match["title"], match["name"], match["no"]) == ("Dr", "Who", "")
    assert match.span("name") == (10, 13)
    assert match.span("no") == (-1, -1)


def test_pattern_set_tells_which_occur() -> None:
    first, second = Pattern("foo"), Pattern("bar", ignore_case=True)
    assert PatternSet([first, second]).occurring(b"a BAR") == [second]


@pytest.mark.parametrize("bad", ["(?=x)", r"(a)\1", "["])
def test_patterns_that_could_backtrack_do_not_compile(bad: str) -> None:
    with pytest.raises(Exception, match=r".*"):
        Text("x").search(Pattern(bad))
