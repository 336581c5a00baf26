"""Which language a text is in, told only where it is sure; and whether the encoder can judge it.

Cheap signs first: common English words and scripts settle almost every text. Only what they leave
open is given to the identifier, and only a long, one-sided answer of its is believed.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any

from fairwitness.evaluator.text import Text

_COMMON_ENGLISH_WORDS = frozenset(
    "the and of to in is that for it with as are this on be by you not or have can your which from "
    "an was will more their these if at they but".split()
)
_MIN_CHARS = 24
_SAMPLE_CHARS = 300
# How much likelier than the next language, as a logarithm, counts as sure.
_MIN_LOG_MARGIN = 30.0
# Lists of names and terms read as these.
_UNRELIABLE = frozenset({"la", "eo", "vo", "io", "ia"})
# Kindred languages that identifiers take for each other, and readers hardly mind.
_SIMILAR_LANGUAGES = (
    frozenset({"no", "nb", "nn", "da", "sv"}),
    frozenset({"hr", "bs", "sr", "sl", "mk", "bg"}),
    frozenset({"id", "ms", "jv", "tl"}),
    frozenset({"cs", "sk"}),
    frozenset({"ru", "uk", "be", "bg", "kk", "ky", "mn"}),
    frozenset({"es", "pt", "gl", "ca", "an"}),
    frozenset({"fr", "oc", "ca", "wa"}),
    frozenset({"de", "lb", "nl", "af"}),
    frozenset({"hi", "mr", "ne"}),
    frozenset({"ar", "fa", "ur", "ps", "ug", "ku"}),
    frozenset({"bn", "as"}),
    frozenset({"az", "tr"}),
)


def is_supported(text: Text) -> bool:
    """Tell whether the encoder, trained on English, can be asked about this text.

    What is too short to tell is given the benefit of the doubt; another script never is.
    """
    # Two English words among signs without spaces between them would else make a Chinese text English.
    if script(text.value) not in {"LATIN", ""}:
        return False
    return is_english(text.value) or sure_language(_plain_words(prose(text)), or_similar=True) in {
        None,
        "en",
    }


def _plain_words(value: str) -> str:
    """Return the text without what is no word of any language: keys, digests, moves, numbers, addresses."""
    return " ".join(word for word in value.split() if not _is_code_word(word))


def _is_code_word(word: str) -> bool:
    return any(map(str.isdigit, word)) or "_" in word or "://" in word


def is_english(value: str) -> bool:
    """Tell English by its commonest words; unsure means no."""
    words = value.lower().split()
    common = sum(map(_COMMON_ENGLISH_WORDS.__contains__, words))
    return common >= 2 and common * 8 >= len(words)


def script(value: str) -> str:
    """Return the script of most letters, by the first word of their names; empty where there are none."""
    sample = value[:400]
    if sample.isascii():
        return "LATIN" if any(map(str.isalpha, sample)) else ""
    counts: dict[str, int] = {}
    for char in sample:
        if char.isalpha():
            name = "LATIN" if char < "\u0250" else unicodedata.name(char, "?").split(" ")[0]
            counts[name] = counts.get(name, 0) + 1
    return max(counts, key=lambda name: counts[name], default="")


def prose(text: Text) -> str:
    """Return the text without its code."""
    if not text.code:
        return text.value
    pieces, start = [], 0
    for region in text.code:
        pieces.append(text.value[start : region.start])
        start = region.end
    return " ".join([*pieces, text.value[start:]]).strip()


def sure_language(value: str, *, or_similar: bool = False) -> str | None:
    """Name the language where beginning and end agree on it and it stands far before every other.

    With `or_similar`, a language that its kin come close to counts as well: which of them it is stays open.
    """
    # The identifier knows letters with accents as one character only; both forms are the same text.
    value = unicodedata.normalize("NFC", value)
    first = likely_language(value, or_similar=or_similar)
    # Asking costs more than the other rules together: a second time only where it can decide.
    if first is None or len(value) <= _SAMPLE_CHARS:
        return first
    last = likely_language(value[-_SAMPLE_CHARS:], or_similar=or_similar)
    same = last is not None and (are_similar(first, last) if or_similar else first == last)
    return first if same else None


def are_similar(one: str, other: str) -> bool:
    """Tell whether two languages are one, or so near that identifiers take them for each other."""
    return one == other or any(one in group and other in group for group in _SIMILAR_LANGUAGES)


def likely_language(value: str, *, or_similar: bool = False) -> str | None:
    """Name the language of a text's beginning where it stands far before every other, or all but its kin."""
    value = unicodedata.normalize("NFC", value)[:_SAMPLE_CHARS]
    if len(value) < _MIN_CHARS:
        return None
    ranked: list[tuple[str, float]] = identifier().rank(value)
    first, best = ranked[0]
    others = (score for name, score in ranked[1:] if not (or_similar and are_similar(first, name)))
    far = best - next(others) >= min(_MIN_LOG_MARGIN, 0.25 * len(value))
    return first if far and first not in _UNRELIABLE else None


@cache
def identifier() -> Any:
    """Return the language identifier; loading takes half a second and most exchanges never need it."""
    import py3langid

    return py3langid
