"""Finds what a source says in one part of a sentence and a response says of what stands in another.

"It opens at 9:30 on weekdays and at 11:00 on Saturdays": 9:30 is given, but not of Saturdays.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.criteria.grounding.sentence_parts import Item, Part, parts_of
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.moments import MONTHS, WEEKDAYS
from fairwitness.evaluator.facts.polarity import whole
from fairwitness.evaluator.facts.words import STOPWORDS, stem, words_in
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_SENTENCES = 40
# In a longer source other sentences may say what this one joins.
_MAX_UNITS = 4
_MAX_SENTENCE_CHARS = 200
_MIN_COVERAGE = 0.25
# A sentence with more of them tells more than one thing, and may join them as it likes.
_MAX_ITEMS = 2
_MAX_PARTS = 4
_MAX_HOMES = 3
_MIN_SHARED = 0.5
_NO_PART = Pattern(
    r"\b(?:left|remain\w*|fewer|less|total|altogether|combined|each|difference|average|at least|up to)\b",
    ignore_case=True,
)
_CHANGES = Pattern(
    r"\b(?:planned|originally|initially|instead|formerly|previously|replac\w+|moved|cancell?ed|postponed|rather than|no longer)\b",
    ignore_case=True,
)
_DAYS = frozenset(map(stem, (*WEEKDAYS, *MONTHS)))


def part_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim where a part of a sentence joins what the source says of one thing with the value of another."""
    text = ground.response
    if not ground.both_in_english or not ground.compared or len(ground.index.units) > _MAX_UNITS:
        return
    cut: dict[int, list[Part]] = {}
    for sentence in text.sentences[:_MAX_SENTENCES]:
        if sentence.end - sentence.start > _MAX_SENTENCE_CHARS or text.in_code(sentence.start):
            continue
        said = whole(text, sentence)
        if said.negations or said.supposing or text.value[sentence.end - 1] == "?":
            continue
        for part in parts_of(-1, text, sentence, ground.figures)[:_MAX_PARTS]:
            if 0 < len(part.items) <= _MAX_ITEMS and (part.words or part.names):
                claim = _exchanged(ground, sentence, part, _around(ground, part, cut))
                if claim is not None:
                    yield claim


def _around(ground: Ground, stated: Part, cut: dict[int, list[Part]]) -> list[Part]:
    """Return the parts of the given units that have a stated value, and of those nearest in their words."""
    numbers = [
        near.unit
        for near in ground.index.nearest(sorted(stated.stems() or map(stem, stated.names)), 2)
        if near.coverage >= _MIN_COVERAGE
    ]
    for item in stated.items:
        if item.value is not None:
            numbers += [n for n, _ in ground.index.by_value.get(item.value, ())[:_MAX_HOMES]]
    found: list[Part] = []
    for number in dict.fromkeys(numbers):
        if number not in cut:
            unit = ground.index.units[number]
            cut[number] = parts_of(number, unit.text, unit.region, ground.index.figures_in(number))
        found += cut[number]
    return found


def _exchanged(ground: Ground, sentence: Region, stated: Part, parts: list[Part]) -> Claim | None:
    text = ground.response
    known = set[str]().union(*(part.stems() for part in parts))
    if len(parts) < 2 or len(stated.stems() & known) < _MIN_SHARED * len(stated.stems()):
        return None
    said = {item.key for item in stated.items}
    for item in stated.items:
        homes = [
            part
            for part in parts
            if any(own.key == item.key and _same_measure(own, item) for own in part.items)
        ]
        if len(homes) != 1 or _whole_of(text, sentence):
            continue
        home = homes[0]
        # Stated with another value of its own part, it is where it belongs.
        if any(own.key in said - {item.key} for own in home.items):
            continue
        for part in parts:
            rival = _rival(item, part)
            if part is home or rival is None or rival.key in said or _replaces(ground, home):
                continue
            # "at 16:45, 17:05 and 17:45": what an enumeration opens with is said of all of it.
            if not home.words and home.unit == part.unit:
                continue
            if item.kind == "name" and {*item.key.split()} & {*rival.key.split()}:
                continue
            if item.kind == "name" and _is_plural(ground, part, rival):
                continue
            at = next(own.place.start for own in home.items if own.key == item.key)
            first = home.unit == part.unit and part.elliptic and home.opening
            words = stated.stems() - {stem(item.key)}
            theirs = home.stems(at if first else -1)
            bare = item.kind != "name" and not stated.stems()
            whose = bare and (stated.names, part.names, home.names)
            elsewhere = _of_other(words, part.stems(), theirs) or (whose and _of_other(*whose))
            named = _names_home(ground, sentence, item, home, part)
            if elsewhere and not named and not _fits(ground, sentence, item, home, part):
                unit = ground.index.units[part.unit]
                given = unit.text.slice(rival.place)
                message = f"States “{text.slice(item.place)}” where the source has “{given}”."
                span = Span(rival.place.start, rival.place.end, unit.source)
                severity: Severity = "low" if ground.to_change else "medium"
                return Claim("part", item.place, span, severity, " ".join(message.split()))
    return None


def _names_home(ground: Ground, sentence: Region, item: Item, home: Part, other: Part) -> bool:
    """Tell whether the sentence, before it comes to a value, names what only the part of the source with it does."""
    said = _told(ground.response, Region(sentence.start, item.place.start))
    if home.unit == other.unit:
        return bool(said & ((home.stems() | _leading_up(ground, item, home)) - other.stems()))
    mine, theirs = _of_units(ground, home, other)
    if ground.asked & (theirs - mine) and not ground.asked & (mine - theirs):
        return False  # the question is about the other
    return bool(said & (mine - theirs))


def _leading_up(ground: Ground, item: Item, home: Part) -> set[str]:
    """Return what a unit says between the number before a value and the value: "tomorrow dry, 15 degrees"."""
    unit = ground.index.units[home.unit]
    at = next(own.place.start for own in home.items if own.key == item.key)
    ends = [q.end for q in ground.index.figures_in(home.unit).quantities if q.end <= at]
    return _told(unit.text, Region(max(ends, default=unit.region.start), at))


def _is_plural(ground: Ground, part: Part, name: Item) -> bool:
    """Tell "Applicants who ..." at the start of a sentence from a name."""
    opens = name.place.start == ground.index.units[part.unit].region.start
    return opens and name.key.endswith("s") and " " not in name.key


def _same_measure(one: Item, other: Item) -> bool:
    """Tell whether two values may be the same: of one unit, or one without any."""
    return one.kind == other.kind or not (one.measure and other.measure)


def _fits(ground: Ground, sentence: Region, item: Item, home: Part, other: Part) -> bool:
    """Tell whether the sentence as a whole speaks of what the unit of its value does, more than of the other's."""
    if home.unit == other.unit:
        return False
    said = _told(ground.response, sentence) - _told(ground.response, item.place)
    mine, theirs = _of_units(ground, home, other)
    return len(said & (mine - theirs)) > len(said & (theirs - mine))


def _of_units(ground: Ground, *parts: Part) -> list[set[str]]:
    """Return what the unit of each part speaks of."""
    units = [ground.index.units[part.unit] for part in parts]
    return [_told(unit.text, unit.region) for unit in units]


def _told(text: Text, region: Region) -> set[str]:
    """Return the stems of a region's words of content, and its numbers as they are written."""
    words = (text.lower[word.start : word.end] for word in words_in(text, region))
    return {stem(word) for word in words if word not in STOPWORDS}


def _replaces(ground: Ground, home: Part) -> bool:
    """Tell whether a unit says what was meant to be and what took its place: either may be named with either."""
    unit = ground.index.units[home.unit]
    return _CHANGES.search(unit.text.slice(unit.region).encode())


def _whole_of(text: Text, sentence: Region) -> bool:
    """Tell whether a sentence speaks of all or of what is left, which no part of a source has to state."""
    return _NO_PART.search(text.slice(sentence).encode())


def _of_other(words: set[str], mine: set[str], theirs: set[str]) -> bool:
    """Tell whether words are those of one part and not of the other, whose value they stand with."""
    days = words & mine & _DAYS
    if days and theirs & _DAYS and not theirs & days:
        return True
    return bool(words & (mine - theirs)) and not words & (theirs - mine)


def _rival(item: Item, part: Part) -> Item | None:
    """Return what a part has in the place of an item: after the same word, or the only one of its kind."""
    alike = [own for own in part.items if own.kind == item.kind]
    beside = [own for own in alike if own.before == item.before != ""]
    return beside[0] if len(beside) == 1 else alike[0] if len(alike) == 1 else None
