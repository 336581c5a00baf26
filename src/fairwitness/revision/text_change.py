"""Measures a change of text: how much of it is left, how much one edit removed, and the diff."""

from __future__ import annotations

import difflib
import string
from collections import Counter
from collections.abc import Iterator

# A response of which less than this share is left was deleted, not improved.
MIN_KEPT_SHARE = 0.5
LARGE_CUT_SHARE = 1 / 3
# Nearly every different word is still there: what went was said twice.
_REPETITION_ONLY_SHARE = 0.9
_MARKS = string.punctuation + "“”‘’…–—"
# Longer than any word; such a run, and one in a script without spaces, is counted by its characters.
_MAX_WORD_CHARS = 40
# Thai to Khmer, then from the CJK radicals to the kana and ideographs, Hangul (which has spaces) left out.
_UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x2E80, 0xABFF),
    (0xF900, 0xFAFF),
)
_ASTRAL_IDEOGRAPHS = (0x20000, 0x3FFFF)


def kept_share(original: str, text: str) -> float:
    """Return how much of the original is left, by words and by different words; removed repeats do not count."""
    before, after = words(original), words(text)
    if not before:
        return 1.0
    different = len(before.keys() & after.keys()) / len(before)
    return (
        different
        if different >= _REPETITION_ONLY_SHARE
        else min(different, after.total() / before.total())
    )


def removes_much(text: str, removed: str, replacement: str) -> bool:
    """Tell whether an edit removes more than a third of a text, by its words or by their letters."""
    before, gone = words(text), words(removed) - words(replacement)
    return gone.total() > LARGE_CUT_SHARE * before.total() or _letters(
        gone
    ) > LARGE_CUT_SHARE * _letters(before)


def words(text: str) -> Counter[str]:
    """Count a text's words, whatever their case and the marks around them."""
    return Counter(word for piece in text.split() for word in _words_of(piece))


def _words_of(piece: str) -> Iterator[str]:
    word = piece.strip(_MARKS).casefold()
    if len(word) > _MAX_WORD_CHARS or any(map(_is_unspaced, word)):
        yield from word
    else:
        yield word


def _is_unspaced(char: str) -> bool:
    point = ord(char)
    return point >= _UNSPACED[0][0] and any(
        low <= point <= high for low, high in (*_UNSPACED, _ASTRAL_IDEOGRAPHS)
    )


def _letters(counted: Counter[str]) -> int:
    return sum(len(word) * count for word, count in counted.items())


def unified_diff(before: str, after: str) -> str:
    """Return the change as a unified diff; lines end at line feeds alone, so that it can be applied."""
    lines = difflib.unified_diff(_lines(before), _lines(after), "before", "after")
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _lines(text: str) -> list[str]:
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])
