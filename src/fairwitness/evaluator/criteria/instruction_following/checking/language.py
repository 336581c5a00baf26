"""Tells whether a response is in the language asked for: by script where that decides, else by model."""

from __future__ import annotations

from fairwitness.evaluator.criteria.instruction_following.checking import evidence
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.language import (
    are_similar,
    identifier,
    is_english,
    likely_language,
    rather_english,
)

# The stretch of code points a language's own script takes up, where no other listed language shares it.
_SCRIPTS = {
    "bn": (0x0980, 0x09FF), "gu": (0x0A80, 0x0AFF), "pa": (0x0A00, 0x0A7F), "ta": (0x0B80, 0x0BFF),
    "te": (0x0C00, 0x0C7F), "kn": (0x0C80, 0x0CFF), "ml": (0x0D00, 0x0D7F), "th": (0x0E00, 0x0E7F),
    "ka": (0x10A0, 0x10FF), "hy": (0x0530, 0x058F), "el": (0x0370, 0x03FF), "he": (0x0590, 0x05FF),
    "ko": (0xAC00, 0xD7AF),
}  # fmt: skip
# Languages that share a script; the model is asked to choose among these only.
_FAMILIES = (
    frozenset({"hi", "mr", "ne"}),
    frozenset({"ar", "fa", "ur"}),
    frozenset({"ru", "uk", "bg"}),
)
_SHARED = {
    "hi": (0x0900, 0x097F), "mr": (0x0900, 0x097F), "ne": (0x0900, 0x097F), "ar": (0x0600, 0x06FF),
    "fa": (0x0600, 0x06FF), "ur": (0x0600, 0x06FF), "ru": (0x0400, 0x04FF), "uk": (0x0400, 0x04FF),
    "bg": (0x0400, 0x04FF), "ja": (0x3040, 0x30FF), "zh": (0x4E00, 0x9FFF),
}  # fmt: skip
_SAMPLE_CHARS = 800
_MIN_CHARS = 40
_MAX_SHORT_CHARS = 80
_ONLY_ENGLISH = frozenset("the and that with this you have they which their".split())


def language(demand: Demand, exchange: Exchange) -> Outcome:
    """The response is in the language asked for."""
    code, name = demand.terms
    value = exchange.response.value
    met = is_in(value, code) or (
        not demand.firm and (_is_partly_in(value, code) or not _is_surely_other(value, code))
    )
    if met and code != "en" and len(value) <= _MAX_SHORT_CHARS:
        met = not (rather_english(value, code) or _is_plainly_english(value))
    return Outcome(
        met=met,
        asked=f"a response in {name}",
        found="no clear sign of another language" if met else "mostly another language or script",
        spans=() if met else evidence.opening(exchange.response),
    )


def _is_plainly_english(value: str) -> bool:
    """Tell whether a short text has English words of grammar, one of them such as no other language has."""
    return is_english(value) and not _ONLY_ENGLISH.isdisjoint(value.lower().split())


def _is_surely_other(value: str, code: str) -> bool:
    sure = likely_language(value, or_similar=True)
    return sure is not None and not are_similar(sure, code)


def _is_partly_in(value: str, code: str) -> bool:
    """Tell whether the longest line, or a fair share of the letters, is in the language."""
    if is_in(max(value.split("\n"), key=len), code):
        return True
    low, high = _SCRIPTS.get(code) or _SHARED.get(code) or (1, 0)
    letters = [ord(char) for char in value if char.isalpha()]
    return 5 * sum(low <= letter <= high for letter in letters) > len(letters)


def is_in(value: str, code: str) -> bool:
    """Tell whether most of a text is in a language."""
    sample = value[:_SAMPLE_CHARS].lower()
    letters = [char for char in sample if char.isalpha()]
    if not letters:
        return True
    script = _SCRIPTS.get(code) or _SHARED.get(code)
    if script is not None:
        low, high = script
        own = sum(1 for char in letters if low <= ord(char) <= high)
        if code in {"ja", "zh"}:
            return _cjk(letters, code)
        if own * 2 < len(letters):
            return False
        if code in _SCRIPTS:
            return True
    else:
        latin = sum(1 for char in letters if char < "ɐ" or "Ḁ" <= char <= "ỿ")
        if latin * 2 < len(letters):
            return False
    return _classified(sample, code)


def _cjk(letters: list[str], code: str) -> bool:
    kana = sum(1 for char in letters if "぀" <= char <= "ヿ")
    han = sum(1 for char in letters if "一" <= char <= "鿿")
    if code == "ja":
        return kana * 10 >= len(letters) and (kana + han) * 2 >= len(letters)
    return han * 2 >= len(letters) and kana * 20 < len(letters)


def _classified(sample: str, code: str) -> bool:
    if len(sample) < _MIN_CHARS:
        return True  # too short to tell languages of one script apart
    family = next((group for group in _FAMILIES if code in group), None)
    for candidate, _ in identifier().rank(sample):
        if family is None or candidate in family:
            return bool(candidate == code)
    return False
