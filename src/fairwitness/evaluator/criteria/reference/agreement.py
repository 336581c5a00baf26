"""Compares a response with an expected answer of each closed form."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from fairwitness.evaluator.criteria.reference.expected import YES_NO, Expected
from fairwitness.evaluator.facts.derivation import in_unit_of, tolerance
from fairwitness.evaluator.facts.polarity import whole
from fairwitness.evaluator.facts.quantities import Quantity, figures
from fairwitness.evaluator.facts.words import content_stems, stem
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text


class Agreement(NamedTuple):
    """Whether a response agrees with what is expected, None where that cannot be told; where it answers; what differs."""

    agrees: bool | None
    answer: Region
    differs: str = ""


def compare(response: Text, prompt: Text, wanted: Expected) -> Agreement:
    """Compare a response with an expected answer of a closed form."""
    return _COMPARISONS[wanted.kind](response, prompt, wanted.value)


def _number(response: Text, prompt: Text, wanted: Quantity) -> Agreement:
    stated = [item for item in figures(response).quantities if not item.label]
    last = stated[-1] if stated else None
    answer = response.sentence_at(last.start if last else 0)
    equal = [item for item in stated if _equal(item, wanted)]
    if not equal:
        return Agreement(False if stated else None, answer, "the number")
    concluding = any(answer.start <= item.start < answer.end for item in equal)
    return Agreement(
        True if concluding or len(equal) == len(stated) else _named_answer(response, equal), answer
    )


def _named_answer(response: Text, equal: list[Quantity]) -> bool | None:
    """Tell whether one of the right numbers is called the answer, or opens the response."""
    for item in equal:
        sentence = response.sentence_at(item.start)
        if sentence.start == response.sentences[0].start:
            return True
        if _ANSWER.search(response.value[sentence.start : item.start].encode()):
            return True
    return None


def _equal(stated: Quantity, wanted: Quantity) -> bool:
    if stated.unit and wanted.unit and stated.unit != wanted.unit:
        value = in_unit_of(stated, wanted)
        return value is not None and abs(value - wanted.value) <= tolerance(wanted)
    close = max(tolerance(stated) if stated.step < 1 else 0.0, 1e-9 * abs(wanted.value))
    return abs(stated.value - wanted.value) <= close or stated.other == wanted.value


def _option(response: Text, prompt: Text, wanted: str) -> Agreement:
    chosen = None
    for pattern in (_ALONE, _CHOSEN, _MARKED):
        found = response.matches(pattern)
        if found:
            # A later choice corrects an earlier one.
            chosen = found[-1] if pattern is _CHOSEN else found[0]
            break
    if chosen is None:
        return Agreement(None, response.sentence_at(0))
    letter = (chosen["a"] or chosen["b"]).upper()
    return Agreement(
        letter == wanted, Region(*chosen.span("a" if chosen["a"] else "b")), "the option"
    )


def _yes_no(response: Text, prompt: Text, wanted: bool) -> Agreement:
    first = response.sentence_at(0)
    opening = response.search(_OPENING)
    if opening is not None:
        said = YES_NO[opening["word"].lower()]
        return Agreement(said == wanted, Region(*opening.span("word")), "yes or no")
    # "91 is not a prime number": the question's own words, affirmed or denied.
    asked = {*content_stems(prompt, Region(0, len(prompt)))}
    statement = whole(response, first)
    if len(asked) >= 2 and len(asked & {*statement.stems}) >= 0.8 * len(asked):
        return Agreement((statement.negations % 2 == 0) == wanted, first, "yes or no")
    return Agreement(None, first)


def _name(response: Text, prompt: Text, wanted: tuple[str, ...]) -> Agreement:
    first = response.sentence_at(0)
    said = {stem(response.lower[word.start : word.end]) for word in response.words}
    present = [word for word in wanted if stem(word) in said]
    if len(present) == len(wanted) or (present and present[-1] == wanted[-1]):
        return Agreement(True, first)
    return Agreement(False, first)


def _list(response: Text, prompt: Text, wanted: tuple[str, ...]) -> Agreement:
    said = f" {' '.join(response.lower[w.start : w.end] for w in response.words)} "
    missing = [item for item in wanted if not _says(said, item)]
    first = response.sentence_at(0)
    return Agreement(not missing, first, ", ".join(f"“{item}”" for item in missing[:5]))


def _says(said: str, item: str) -> bool:
    words = Text(item).words
    plain = " ".join(item[word.start : word.end] for word in words)
    return f" {plain} " in said or f" {plain}s " in said or f" {plain.removesuffix('s')} " in said


def _json(response: Text, prompt: Text, wanted: Any) -> Agreement:
    region = _json_region(response)
    try:
        stated = json.loads(response.slice(region))
    except (ValueError, RecursionError):
        return Agreement(False, region, "the JSON, which is not valid")
    return Agreement(_same_json(stated, wanted), region, _json_difference(stated, wanted))


def _json_region(response: Text) -> Region:
    for block in response.code_blocks:
        if block.language in {"", "json"}:
            return block.body
    value = response.value
    starts = [at for at in (value.find("{"), value.find("[")) if at >= 0]
    end = max(value.rfind("}"), value.rfind("]")) + 1
    return Region(min(starts), end) if starts and end > min(starts) else Region(0, len(response))


def _same_json(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return bool(one == other)


def _json_difference(stated: Any, wanted: Any) -> str:
    if isinstance(stated, dict) and isinstance(wanted, dict):
        keys = sorted(
            str(key)
            for key in {*stated, *wanted}
            if key not in stated or key not in wanted or stated[key] != wanted[key]
        )
        return ", ".join(f"“{key}”" for key in keys[:5])
    return "the JSON"


_COMPARISONS: dict[str, Callable[[Text, Text, Any], Agreement]] = {
    "number": _number,
    "option": _option,
    "yes_no": _yes_no,
    "name": _name,
    "list": _list,
    "json": _json,
}
_ANSWER = Pattern(
    r"\b(?:answer|result|total|solution|therefore|thus|so|hence|altogether)\b|=", ignore_case=True
)
_OPENING = Pattern(r"^\W*(?P<word>yes|no|true|false|correct|incorrect)\b", ignore_case=True)
_ALONE = Pattern(r"^\W*(?:(?P<a>[A-Ja-j])\W*$|\(?(?P<b>[A-Ja-j])[).:])")
_CHOSEN = Pattern(
    r"\b(?i:answer|option|choice|choose|pick|select|letter)\b(?:\s(?i:is|would be|option|should be|choice))*\W{0,6}(?P<a>[A-J]|\b[a-j]\b)(?:[^\pL’']|$)"
    r"|\(?\b(?P<b>[A-J])\)?\s(?i:is (?:the )?(?:correct|right|answer|best))"
)
_MARKED = Pattern(r"\((?P<a>[A-Ja-j])\)|\*\*\(?(?P<b>[A-Ja-j])[).:*]")
