"""Checks what a response picks from a list of names with one value each: the highest, those above a limit, their order."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.pairs import Pair, named, pairs_of
from fairwitness.evaluator.facts.written_numbers import read_digits
from fairwitness.evaluator.given.statements import question_of
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_PROMPT_CHARS = 3000
_MAX_WORDS = 40
_HIGHEST = "most|highest|largest|biggest|greatest|longest|tallest|oldest|heaviest|strongest|dearest|most expensive|priciest|warmest|hottest|busiest|richest|deepest|widest|latest"
_LOWEST = "least|lowest|smallest|fewest|shortest|youngest|lightest|weakest|cheapest|least expensive|coldest|quietest|poorest|shallowest|narrowest|earliest"
# Who took the least time was the fastest; of speeds it is the highest.
_SUPERLATIVE = Pattern(
    rf"\b(?P<high>{_HIGHEST})\b|\b(?P<low>{_LOWEST})\b|\b(?P<fast>fastest|quickest)\b|\b(?P<slow>slowest)\b",
    ignore_case=True,
)
_LIMIT = Pattern(
    r"\b(?P<above>over|above|(?:more|taller|older|longer|greater|higher|larger|heavier|bigger|later|warmer) than|exceed\w*)\s(?:than )?[$€£]?(?P<up>\d[\d.,]*)"
    r"|\b(?P<below>under|below|(?:less|fewer|shorter|younger|lower|smaller|lighter|cheaper|earlier|colder) than)\s[$€£]?(?P<down>\d[\d.,]*)",
    ignore_case=True,
)
_OF_PRICE = Pattern(r"cheap|dear|expensive|pric", ignore_case=True)
_RANKED = Pattern(r"\b(?:rank|sort|order|arrange|list)\b[^.?!]*\bfrom\b", ignore_case=True)
_SORTED = Pattern(r"\b(?:rank|sort|arrange|order (?:by|from|these|them|the))\b", ignore_case=True)
_OF_AGE = frozenset({"oldest", "earliest", "youngest", "latest"})
_YEARS = (1000, 2100)
# What is asked is not one of the list, or not the first of it.
_OTHERWISE = Pattern(
    r"\b(?:second|third|next|two|three|except|total|sum|average|mean|difference|altogether|together|combined|more|how (?:many|much) more|not|per|each|both|if|after|before|and|or)\b",
    ignore_case=True,
)
_DENIED = Pattern(
    r"\b(?:not|no|except|only|but|isn[’']t|aren[’']t|excluding|others?|rest|while|whereas)\b",
    ignore_case=True,
)


def pair_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for the wrong name, the wrong value or the wrong order, and for ages that are exchanged."""
    yield from _exchanged(ground)
    prompt, text = ground.prompt, ground.response
    asked = question_of(prompt) if len(prompt) <= _MAX_PROMPT_CHARS else None
    if asked is None or not text.sentences or len(text.words) > _MAX_WORDS:
        return
    pairs = pairs_of(prompt)
    if not pairs:
        return
    question = Text(prompt.slice(asked))
    found = (
        _ranked(pairs, question, text)
        or _within(pairs, question, text)
        or _extreme(pairs, prompt, question, text)
        or _looked_up(pairs, question, text)
    )
    if found is not None:
        message, pair = found
        span = Span(pair.place.start, pair.place.end, "prompt")
        yield Claim("pair", text.sentences[0], span, "medium", message)


def _exchanged(ground: Ground) -> Iterator[Claim]:
    """Yield a claim where a name has right beside it the number that the source has beside another name."""
    text = ground.response
    stated = text.matches(_ATTACHED, limit=_MAX_ATTACHED)
    if not stated or not ground.compared:
        return
    parts = ground.given.passages or ground.given.stated
    given: dict[str, set[str]] = {}
    places: dict[str, Span] = {}
    for part in parts:
        for match in Text(part.text.slice(part.region)).matches(_ATTACHED, limit=_MAX_ATTACHED):
            given.setdefault(match["name"], set()).add(match["value"])
            low, high = (part.region.start + at for at in match.span("value"))
            places.setdefault(match["name"], Span(low, high, part.source))
    for match in stated:
        name, value = match["name"], match["value"]
        others = [key for key, values in given.items() if value in values and key != name]
        if others and len(given.get(name, ())) == 1 and value not in given[name]:
            message = f"Gives “{value}” for “{name}”; in the source it belongs to “{others[0]}”."
            yield Claim("pair", Region(*match.span("value")), places[name], ground.against, message)


def _superlative(question: Text) -> Match | None:
    found = question.matches(_SUPERLATIVE, limit=3)
    return found[0] if len(found) == 1 else None


def _is_down(pairs: list[Pair], match: Match) -> bool:
    """Tell whether a superlative means the lowest value."""
    timed = all(pair.timed for pair in pairs)
    kind = match.which(("high", "low", "fast", "slow"))
    # What was made or born in the lowest year is the oldest.
    if match.text.lower() in _OF_AGE and all(_is_year(pair.value) for pair in pairs):
        return match.text.lower() in {"oldest", "earliest"}
    return kind == "low" or (kind == "fast" and timed) or (kind == "slow" and not timed)


def _is_year(value: float) -> bool:
    return _YEARS[0] <= value <= _YEARS[1] and value == int(value)


def _has_other_numbers(pairs: list[Pair], prompt: Text) -> bool:
    """Tell whether the prompt tells a number that is none of the list's."""
    values = {pair.value for pair in pairs}
    read = (read_digits(match.text.rstrip(".,")) for match in prompt.matches(_NUMBER, limit=60))
    return any(one is not None and one[0] not in values for one in read)


def _extreme(
    pairs: list[Pair], prompt: Text, question: Text, text: Text
) -> tuple[str, Pair] | None:
    match = _superlative(question)
    if match is None or question.search(_OTHERWISE) or question.search(_SORTED):
        return None
    if _OF_PRICE.search(match.text.encode()) and _has_other_numbers(pairs, prompt):
        return None  # what is cheapest for nine visits is not the lowest price
    values = [pair.value for pair in pairs]
    best = min(values) if _is_down(pairs, match) else max(values)
    right = [pair for pair in pairs if pair.value == best]
    stated = named(pairs, text, text.sentences[0])
    if len(right) != 1 or len(stated) != 1 or stated[0] is right[0]:
        return None
    message = f"Names “{stated[0].name}”; by the given values, “{right[0].name}” is right."
    return message, right[0]


def _within(pairs: list[Pair], question: Text, text: Text) -> tuple[str, Pair] | None:
    limits = question.matches(_LIMIT, limit=2)
    if len(limits) != 1 or text.search(_DENIED):
        return None
    match = limits[0]
    parsed = read_digits((match["up"] or match["down"]).rstrip(".,"))
    if parsed is None:
        return None
    above = bool(match["above"])
    right = [p for p in pairs if (p.value > parsed[0] if above else p.value < parsed[0])]
    stated = named(pairs, text, Region(0, len(text)))
    for pair in stated:
        if pair not in right and not _is_remark(pairs, right, pair, text):
            return f"Names “{pair.name}”, whose value does not fit “{match.text}”.", pair
    missing = [pair for pair in right if pair not in stated]
    return (f"Leaves out “{missing[0].name}”.", missing[0]) if stated and missing else None


def _is_remark(pairs: list[Pair], right: list[Pair], pair: Pair, text: Text) -> bool:
    """Tell whether a name stands only behind the answer, in a sentence of its own: "Cho passed with exactly 50"."""
    naming = [each for each in text.sentences if pair in named(pairs, text, each)]
    alone = not any(one in right for each in naming for one in named(pairs, text, each))
    listed = any(text.value[each.start] in "-*•|0123456789" for each in naming)
    return alone and not listed and naming[0] != text.sentences[0] and bool(right)


def _ranked(pairs: list[Pair], question: Text, text: Text) -> tuple[str, Pair] | None:
    if not question.search(_RANKED):
        return None
    found = question.matches(_SUPERLATIVE, limit=3)
    stated = named(pairs, text, Region(0, len(text)))
    if len(found) != 2 or len(stated) != len(pairs):
        return None
    right = sorted(pairs, key=lambda pair: pair.value, reverse=not _is_down(pairs, found[0]))
    for mine, wanted in zip(stated, right, strict=True):
        if mine.value != wanted.value:
            return f"Ranks “{mine.name}” in the place of “{wanted.name}”.", wanted
    return None


def _looked_up(pairs: list[Pair], question: Text, text: Text) -> tuple[str, Pair] | None:
    """Return what is wrong with the value of the one name that is asked for: it is another's."""
    asked = named(pairs, question, Region(0, len(question)))
    if len(asked) != 1 or question.search(_OTHERWISE) or _superlative(question):
        return None
    digits = text.matches(_NUMBER, limit=3)
    parsed = read_digits(digits[0].text.rstrip(".,")) if len(digits) == 1 else None
    if parsed is None or parsed[0] == asked[0].value or asked[0].timed:
        return None
    if parsed[0] not in {pair.value for pair in pairs}:
        return None
    return f"States “{digits[0].text}”, which is not the value of “{asked[0].name}”.", asked[0]


_MAX_ATTACHED = 40
# "Sara, 34," and "Paul (29)": whose number it is.
_ATTACHED = Pattern(
    r"\b(?P<name>[A-Z]\pL+)(?:,? \(?(?:aged? )?| is | was )(?P<value>\d{1,3})(?:[,;.)]|$| and\b| years)",
    multiline=True,
)
_NUMBER = Pattern(r"\d[\d.,]*")
