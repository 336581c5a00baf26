"""Identifies a text's language where that is certain, and tells whether the encoder supports it.

Cheap checks first: common English words and the script settle almost every text. Only the rest goes to the
language identifier, and only a clear result on a long enough text is used.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any

from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

_COMMON_ENGLISH_WORDS = frozenset(
    "the and of to in is that for it with as are this on be by you not or have can your which from "
    "an was will more their these if at they but".split()
)
_MIN_CHARS = 24
_SAMPLE_CHARS = 300
# How much likelier than the next language, as a logarithm, counts as certain.
_MIN_LOG_MARGIN = 30.0
# Between two languages much less is enough.
_MIN_TWO_WAY_MARGIN = 15.0
_MIN_SPACES = 2
_JSON_STRING = Pattern(r'"((?:[^"\\\n]|\\.)*)"')
_MAX_STRINGS = 400
_MIN_SENTENCE_SPACES = 3
_NAMES_SHARE = 0.7  # German, which has most capitals, stays under a half
# Where a text keeps its language: asked for by several criteria, and the identifier is slow.
_KEPT = "language"
# Lists of names and terms are identified as these.
_UNRELIABLE = frozenset({"la", "eo", "vo", "io", "ia"})
# Similar languages that the identifier confuses.
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
    """Tell whether a text is in English, on which every signal was measured, or in no language that is certain."""
    return language_of(text) == "en"


def language_of(text: Text) -> str:
    """Return the code of a text's language; empty where it is in another script.

    A text too short to tell counts as English, and so do names and data without sentences.
    """
    kept: str | None = text.__dict__.get(_KEPT)
    if kept is None:
        kept = text.__dict__[_KEPT] = _language_of(text)
    return kept


def _language_of(text: Text) -> str:
    # Otherwise two English words would make a Chinese text English, since it has no spaces.
    if script(text.value) not in {"LATIN", ""}:
        return ""
    return certain_language(text) or "en"


def certain_language(text: Text) -> str | None:
    """Return the language of a text, English as well as others, where the identifier is certain of it."""
    if is_english(text.value):
        return "en"
    said = _json_sentences(text) if text.value.lstrip()[:1] in {"{", "["} else prose(text)
    words = _plain_words(said)
    return None if _are_names(words) else sure_language(words, or_similar=True)


def _json_sentences(text: Text) -> str:
    """Return the longer strings of a JSON text; its keys and short values are in no language."""
    found = (match[1] for match in text.matches(_JSON_STRING, limit=_MAX_STRINGS))
    return " ".join(said for said in found if said.count(" ") >= _MIN_SENTENCE_SPACES)


def _are_names(value: str) -> bool:
    """Tell whether most words are capitalised, as in a list of names or terms and in no language's sentences."""
    words = [word.strip("-*•.,;:()[]|\"'") for word in value[:_SAMPLE_CHARS].split()]
    words = [word for word in words if word[:1].isalpha()]
    capital = sum(word[0].isupper() and not word.isupper() for word in words)
    return bool(words) and capital >= _NAMES_SHARE * len(words)


def _plain_words(value: str) -> str:
    """Return the text without keys, digests, numbers and URLs, which belong to no language."""
    return " ".join(word for word in value.split() if not _is_code_word(word))


def _is_code_word(word: str) -> bool:
    return any(map(str.isdigit, word)) or "_" in word or "://" in word


def is_english(value: str) -> bool:
    """Tell whether a text is English by its most common words; if uncertain, it is not."""
    words = value.lower().split()
    common = sum(map(_COMMON_ENGLISH_WORDS.__contains__, words))
    return common >= 2 and common * 8 >= len(words)


def script(value: str) -> str:
    """Return the script of most letters, by the first word of their Unicode names; empty without letters."""
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
    """Return the language where the beginning and the end agree on it and it is far likelier than any other.

    With `or_similar`, similar languages may be nearly as likely.
    """
    # The identifier knows accented letters only as one character.
    value = unicodedata.normalize("NFC", value)
    first = likely_language(value, or_similar=or_similar)
    # The identifier is slow, so it runs a second time only where that can change the result.
    if first is None or len(value) <= _SAMPLE_CHARS:
        return first
    last = likely_language(value[-_SAMPLE_CHARS:], or_similar=or_similar)
    same = last is not None and (are_similar(first, last) if or_similar else first == last)
    return first if same else None


def are_similar(one: str, other: str) -> bool:
    """Tell whether two languages are the same, or so similar that the identifier confuses them."""
    return one == other or any(one in group and other in group for group in _SIMILAR_LANGUAGES)


def likely_language(value: str, *, or_similar: bool = False) -> str | None:
    """Return the language of a text's beginning where it is far likelier than any other (or any dissimilar one)."""
    value = unicodedata.normalize("NFC", value)[:_SAMPLE_CHARS]
    if len(value) < _MIN_CHARS:
        return None
    ranked: list[tuple[str, float]] = identifier().rank(value)
    first, best = ranked[0]
    others = (score for name, score in ranked[1:] if not (or_similar and are_similar(first, name)))
    far = best - next(others) >= min(_MIN_LOG_MARGIN, 0.25 * len(value))
    return first if far and first not in _UNRELIABLE else None


def rather_english(value: str, than: str) -> bool:
    """Tell whether a short text is far likelier English than one other language, where nothing else is possible."""
    if than == "en" or value.count(" ") < _MIN_SPACES or script(value) != "LATIN":
        return False
    scores: dict[str, float] = dict(identifier().rank(value[:_SAMPLE_CHARS]))
    return than in scores and scores["en"] - scores[than] >= _MIN_TWO_WAY_MARGIN


@cache
def identifier() -> Any:
    """Return the language identifier, loaded on first use: loading takes half a second and is rarely needed."""
    import py3langid

    return py3langid
