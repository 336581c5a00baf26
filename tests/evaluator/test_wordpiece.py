"""Our WordPiece against the library the model was trained with: the same ids and the same offsets."""

from __future__ import annotations

import json
import unicodedata
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairwitness.evaluator.readers.wordpiece import KEPT_CHUNK_CHARS, UnknownTokenizer, WordPiece
from tests.evaluator.wordpiece_texts import CONTENT, OURS, library, made_texts

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


def test_made_texts_give_the_same_tokens() -> None:
    for text in made_texts(4000):
        assert OURS.encode(text) == library(text), repr(text)


@settings(max_examples=600)
@given(TEXT)
def test_any_text_gives_the_same_tokens(text: str) -> None:
    assert OURS.encode(text) == library(text)


def test_characters_become_what_the_library_makes_of_them() -> None:
    """Every character that is not an unassigned, private or plain letter, and one in 61 of those."""
    codes = [
        code
        for code in range(0x110000)
        if unicodedata.category(chr(code)) not in {"Cn", "Co", "Cs", "Lo"}
        or (code % 61 == 0 and not 0xD800 <= code <= 0xDFFF)
    ]
    for first in range(0, len(codes), 64):
        text = " ".join(
            f"a{chr(code)}b {chr(code)}\u0301\u0334x" for code in codes[first : first + 64]
        )
        assert OURS.encode(text) == library(text), hex(codes[first])


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\x00\u200b",
        "[CLS] said [SEP]twice[SEP][SEP] and [cls][MASK",
        "Ångström naïve Straße İstanbul ΟΔΟΣ ſ K",
        "e\u0301 \u0301e x\u0301\u0302y",
        "中文字and漢",
        "한국어 음절",
        "don't—stop…  now!?",
        "a" * 100 + " " + "a" * 101,
        "\x0bverti\x0ccal\x85next\u2028line\u00a0gap",
        "👩‍👩‍👧 🇫🇷 ☺️",
    ],
)
def test_chosen_texts_give_the_same_tokens(text: str) -> None:
    assert OURS.encode(text) == library(text)


def test_a_lone_surrogate_is_dropped_like_any_character_that_is_none() -> None:
    assert OURS.encode("a\ud800b c") == OURS.encode("a\ufffdb c") == library("a\ufffdb c")


def test_a_long_chunk_is_cut_as_a_short_one_is() -> None:
    long = "-".join(["tokenisation"] * 10)
    assert len(long) > KEPT_CHUNK_CHARS
    assert OURS.encode(long) == library(long)


def test_a_tokenizer_of_another_kind_is_refused() -> None:
    content = json.loads(CONTENT)
    content["normalizer"]["lowercase"] = False
    with pytest.raises(UnknownTokenizer, match="BERT"):
        WordPiece(json.dumps(content).encode())


HOSTILE = {
    "one long word": "a",
    "syllables": "가",
    "accents": "é\u0301",
    "sorted marks": "a\U0001e000\u0334",
    "brackets": "[",
    "nearly special": "[CLS",
    "ideographs": "中",
    "words of a hundred letters": "abcdefghijklmnopqrst" * 5 + " ",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_the_cost_is_linear(name: str) -> None:
    """Four times the text takes about four times as long, and eight thousand characters little."""

    def seconds(length: int) -> float:
        text = (HOSTILE[name] * length)[:length]
        fresh = WordPiece(CONTENT)
        best = 1.0
        for _ in range(3):
            started = perf_counter()
            fresh.encode(text)
            best = min(best, perf_counter() - started)
        return best

    short, long = seconds(8000), seconds(32000)
    assert short < 0.2
    assert long < 12 * short + 0.02
