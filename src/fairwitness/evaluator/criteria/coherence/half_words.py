"""Tells a word cut in half from a complete English word, by the vocabulary of the packaged tokenizer.

An unknown word proves nothing; one that is unknown and begins a known longer word is half of it.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from functools import cache
from importlib import resources

_MIN_LETTERS = 3
# What a whole word the tokenizer does not know by itself may take on: "cling" in "clinging".
_SUFFIXES = frozenset("s es d ed er ers ing ings ly y ness al able est ment ments".split())


def is_half(word: str) -> bool:
    """Tell whether a lower-case word is none by itself and the beginning of a known one."""
    if len(word) < _MIN_LETTERS or not (word.isascii() and word.isalpha() and word.islower()):
        return False
    known = _words()
    at = bisect_left(known, word)
    if known[at : at + 1] == [word]:
        return False
    longer = (other for other in known[at : at + 20] if other.startswith(word))
    return any(other[len(word) :] not in _SUFFIXES for other in longer)


@cache
def _words() -> list[str]:
    """Return the known words in order; read once, and only when a text ends without an end."""
    source = resources.files("fairwitness.evaluator") / "model" / "tokenizer.json"
    vocabulary = json.loads(source.read_text("utf-8"))["model"]["vocab"]
    return sorted(word for word in vocabulary if word.isascii() and word.isalpha())
