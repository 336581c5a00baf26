"""Reads an expected answer: of which closed form it is, and what it comes to."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from fairwitness.evaluator.facts.quantities import Quantity, figures
from fairwitness.evaluator.facts.words import STOPWORDS
from fairwitness.evaluator.text import Text

YES_NO = {
    "yes": True,
    "no": False,
    "true": True,
    "false": False,
    "correct": True,
    "incorrect": False,
}
_MAX_NUMBER_WORDS = 5
_MAX_NAME_WORDS = 5
_MAX_ITEM_WORDS = 4
_MIN_ITEMS = 3
_OPTIONS = frozenset("ABCDEFGHIJabcdefghij")


class Expected(NamedTuple):
    """An expected answer: its kind, and the value of that kind.

    `json` has data, `yes_no` a bool, `option` a letter in upper case, `number` a Quantity, `list` the items and `name`
    the words of a name or short phrase. `open` is anything else: it is not compared.
    """

    kind: str
    value: Any = None


def expected(reference: Text) -> Expected:
    """Return what an expected answer is."""
    bare = reference.value.strip().strip(".").strip()
    if bare[:1] in {"{", "["}:
        try:
            return Expected("json", json.loads(bare))
        except ValueError:
            pass
    if bare.lower() in YES_NO:
        return Expected("yes_no", YES_NO[bare.lower()])
    letter = bare.strip("()[]. ")
    if len(letter) == 1 and letter in _OPTIONS:
        return Expected("option", letter.upper())
    words = bare.split()
    found = figures(reference)
    if len(found.quantities) == 1 and not found.moments and len(words) <= _MAX_NUMBER_WORDS:
        return Expected("number", found.quantities[0])
    items = _items(bare)
    if items:
        return Expected("list", items)
    if 1 <= len(words) <= _MAX_NAME_WORDS and not found.moments and not found.quantities:
        return Expected("name", _telling(bare))
    return Expected("open")


def _items(bare: str) -> tuple[str, ...]:
    """Return the items of a list of short terms, one a line or with commas between them."""
    lines = [line.strip(" -*•\t") for line in bare.splitlines() if line.strip()]
    parts = lines if len(lines) >= _MIN_ITEMS else bare.replace(" and ", ", ").split(",")
    items = [part.strip().lstrip("0123456789.) ").lower() for part in parts if part.strip()]
    short = all(1 <= len(item.split()) <= _MAX_ITEM_WORDS for item in items)
    return tuple(dict.fromkeys(items)) if short and len(items) >= _MIN_ITEMS else ()


def _telling(bare: str) -> tuple[str, ...]:
    text = Text(bare.lower())
    words = [text.value[word.start : word.end] for word in text.words]
    return tuple(word for word in words if word not in STOPWORDS) or tuple(words)


__all__ = ["YES_NO", "Expected", "Quantity", "expected"]
