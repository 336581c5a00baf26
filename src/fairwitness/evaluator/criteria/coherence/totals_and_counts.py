"""Finds numbers of a response that disagree with each other: two totals, a list and its announced count, working and answer."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.facts.derivation import in_unit_of, same_kind, tolerance
from fairwitness.evaluator.facts.quantities import Quantity, figures
from fairwitness.evaluator.facts.words import content_stems
from fairwitness.evaluator.judgement import Finding
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_MATCHES = 40
_COUNTS = {
    word: value
    for value, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), start=2)
}  # fmt: skip
_MAX_COUNT = 20
_MAX_ITEM_WORDS = 3
_MAX_LINES = 120


def find(exchange: Exchange) -> list[Finding]:
    """Return what disagrees, at most one finding of each kind."""
    text = exchange.response
    found: list[Finding] = []
    for detect in (_two_totals, _announced_list, _announced_terms, _other_conclusion, _two_options):
        finding = next(detect(text), None)
        if finding is not None:
            found.append(finding)
    return found


def _finding(message: str, detector: str, *regions: Region) -> Finding:
    return Finding(
        severity="medium",
        message=message,
        detector=f"coherence.{detector}",
        spans=tuple(Span(region.start, region.end) for region in regions),
        suggestion="Make the two agree.",
    )


def _two_totals(text: Text) -> Iterator[Finding]:
    """Yield a finding where two sentences give the same total different values."""
    matches = text.matches(_TOTAL, limit=_MAX_MATCHES)
    if len(matches) < 2:
        return
    numbers = figures(text).quantities
    seen: dict[frozenset[str], tuple[Quantity, Region]] = {}
    for match in matches:
        line = text.sentence_at(match.start)
        stated = _quantity_at(numbers, Region(match.end, line.end))
        if stated is None or text.in_code(match.start):
            continue
        label = frozenset(content_stems(text, Region(line.start, match.end))) - _FILLERS
        other, before = seen.setdefault(label, (stated, line))
        if other is stated or _equal(other, stated):
            continue
        between = text.value[before.start : line.end]
        if _SEVERAL.search(between.encode()) or Text(between).search(_HEADING) is not None:
            continue
        one, two = (text.value[item.start : item.end] for item in (other, stated))
        message = f"Gives two different totals: “{one}” and “{two}”."
        regions = (Region(item.start, item.end) for item in (other, stated))
        yield _finding(message, "two_totals", *regions)


def _quantity_at(stated: list[Quantity], region: Region) -> Quantity | None:
    """Return the quantity that a region begins with, a sign of its currency aside."""
    at = bisect_left(stated, region.start - 1, key=lambda item: item.start)
    found = stated[at] if at < len(stated) else None
    near = found is not None and found.start <= min(region.end - 1, region.start + _GAP_CHARS)
    return found if near else None


def _equal(one: Quantity, other: Quantity) -> bool:
    if one.unit != other.unit and one.unit and other.unit:
        value = in_unit_of(one, other)
        return value is None or abs(value - other.value) <= max(
            tolerance(other), 0.02 * other.value
        )
    return abs(one.value - other.value) <= max(tolerance(one), tolerance(other))


def _announced_list(text: Text) -> Iterator[Finding]:
    """Yield a finding where "four tips:" stands above a list of five."""
    lines = [line for line in text.lines if text.slice(line).strip()]
    for at, line in enumerate(lines[:-1]):
        if line.end - line.start > 200 or not text.slice(line).rstrip(" *_").endswith(":"):
            continue
        said = Text(text.slice(line))
        match = said.search(_ANNOUNCES) or _of_things(said)
        wanted = _count(match["count"]) if match else 0
        items = (
            _items(text, lines[at + 1 : at + 1 + _MAX_LINES], text.slice(line)) if wanted else []
        )
        if match is None or not wanted or len(items) < 2 or len(items) == wanted:
            continue
        if _accounted_for(text, items, wanted):
            continue
        announced = Region(line.start + match.start, line.start + match.end)
        message = f"Announces {match['count']} items but lists {len(items)}."
        yield _finding(message, "announced_count", announced, items[-1])


def _accounted_for(text: Text, items: list[Region], wanted: int) -> bool:
    """Tell whether the items count parts of the whole, a surplus one is extra, or the text behind goes on with the list."""
    first = (Text(text.slice(item)).search(_COUNTED) for item in items)
    if sum(int(match["count"]) for match in first if match) == wanted:
        return True
    if len(items) > wanted:
        last = text.slice(items[-1]).lstrip(" \t-*•+0123456789.)")
        return len(items) == wanted + 1 and _EXTRA.search(last.encode())
    return _GOES_ON.search(text.value[items[-1].end : items[-1].end + _NEAR_CHARS].encode())


def _of_things(line: Text) -> Match | None:
    """Return the number of "Two things could move to the evening:", where the line begins with it and has no other."""
    match = line.search(_THINGS) or line.search(_THESE)
    if match is None or line.search(_OF_MORE) or len(line.matches(_ANY_NUMBER, limit=2)) > 1:
        return None
    opens = line.lower[: match.start].strip(" *_#") in {"", "there are", "here are"}
    return match if opens else None


def _count(word: str) -> int:
    return _COUNTS.get(word.lower()) or (
        int(word) if word.isdecimal() and 2 <= int(word) <= _MAX_COUNT else 0
    )


def _items(text: Text, lines: list[Region], above: str) -> list[Region]:
    """Return the items of the list that these lines begin with; none where what follows goes on in another form."""
    first = _marker(text.slice(lines[0]))
    if not first or not first[1]:
        return []
    indent, kind, _ = first
    items: list[Region] = []
    for at, line in enumerate(lines):
        if len(items) > _MAX_COUNT:
            return items
        marker = _marker(text.slice(line))
        if marker[1] == kind and marker[0] == indent:
            if kind == "number" and marker[2] != len(items) + 1:
                return []
            items.append(line)
        elif marker[0] <= indent:
            # A line that is no item ends the list; another list after it may go on with it.
            rest = lines[at + 1 : at + 13]
            return [] if any(_marker(text.slice(item))[1] for item in rest) else items
    return items


def _marker(line: str) -> tuple[int, str, int]:
    """Return a line's indent, the kind of its list marker, and its number."""
    bare = line.lstrip(" \t")
    indent = len(line) - len(bare)
    bare = bare.lstrip("*_#")
    digits = bare[: len(bare) - len(bare.lstrip("0123456789"))]
    if digits and len(digits) <= 2 and bare[len(digits) : len(digits) + 1] in {".", ")"}:
        return indent, "number", int(digits)
    return indent, "bullet" if line.lstrip(" \t")[:2] in {"- ", "* ", "• ", "+ "} else "", 0


def _announced_terms(text: Text) -> Iterator[Finding]:
    """Yield a finding for "the four colours are red, green and blue"."""
    for match in text.matches(_TERMS, limit=_MAX_MATCHES):
        terms = [part.strip() for part in match["terms"].replace(" and ", ",").split(",")]
        terms = [term for term in terms if term]
        wanted = _count(match["count"])
        if (
            not wanted
            or any(len(term.split()) > _MAX_ITEM_WORDS for term in terms)
            or len(terms) == wanted
        ):
            continue
        message = f"Announces {match['count']} items but names {len(terms)}."
        yield _finding(message, "announced_count", Region(match.start, match.end))


def _other_conclusion(text: Text) -> Iterator[Finding]:
    """Yield a finding where the stated answer is a number that the working before it never reaches."""
    conclusions = text.matches(_CONCLUSION, limit=_MAX_MATCHES)
    if len(conclusions) != 1:
        return
    at = conclusions[0]
    numbers = figures(text).quantities
    answer = _quantity_at(numbers, Region(at.end, text.sentence_at(at.end).end))
    working = [item for item in numbers if item.end <= at.start]
    results = [match for match in text.matches(_RESULT, limit=200) if match.end <= at.start]
    if answer is None or answer.label or not results or text.in_code(at.start):
        return
    reached = _quantity_at(numbers, Region(results[-1].end, at.start))
    if reached is None or any(same_kind(item, answer) and _equal(item, answer) for item in working):
        return
    if at.start - reached.end > _NEAR_CHARS or not _is_whole(text, reached):
        return
    message = (
        f"The answer “{text.value[answer.start : answer.end]}” differs from the last result before it, "
        f"“{text.value[reached.start : reached.end]}”."
    )
    yield _finding(
        message,
        "other_conclusion",
        Region(answer.start, answer.end),
        Region(reached.start, reached.end),
    )


def _is_whole(text: Text, quantity: Quantity) -> bool:
    """Tell whether a number is a whole side of an equation, not the beginning of an expression."""
    after = text.value[quantity.end : quantity.end + 3].strip()
    return not after or after[0] in ".,;)*\n|$" or after[0].isalpha()


def _two_options(text: Text) -> Iterator[Finding]:
    """Yield a finding where two different letters are called the answer."""
    found = text.matches(_OPTION, limit=_MAX_MATCHES)
    if len(found) != 2 or _SEVERAL.search(text.utf8):
        return
    for one, other in pairwise(found):
        if one["letter"] != other["letter"]:
            message = f"Gives two answers: {one['letter']} and {other['letter']}."
            yield _finding(message, "two_answers", _region(one), _region(other))


def _region(match: Match) -> Region:
    return Region(match.start, match.end)


_NEAR_CHARS = 200
_GAP_CHARS = 12
_FILLERS = frozenset(
    {"short", "therefo", "theref", "thus", "hence", "finall", "overal", "summar", "conclu", "so"}
)
# Two totals under two headings are of two things.
_HEADING = Pattern(
    r"^[ \t]*(?:#{1,6}[ \t]\S[^\n]*|[*_]{2}[^*_\d\n]{2,60}[*_]{2}:?|[\pL][\pL &/-]{1,40}:)[ \t]*$",
    multiline=True,
)
_TOTAL = Pattern(
    r"\b(?:grand |overall )?total(?: [\pL]+){0,4}?(?: is| was| comes to| amounts to| equals|\W{0,4}[:=])\W{0,4}",
    ignore_case=True,
)
# Where several things are added up, several totals are right.
_SEVERAL = Pattern(
    r"\b(?:options?|scenarios?|plans?|cases?|methods?|questions?|examples?|before|after|without|adjusted|updated|corrected|instead|"
    r"mistake|years?|months?|weeks?|first|second|respectively|tables?|subtotal|sub-total|running|initial\w*|new)\b",
    ignore_case=True,
)
_NUMBER = r"(?P<count>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_ANNOUNCES = Pattern(
    rf"\b(?:here are|there are|these are|the following|follow these|takes|consider these|try these)\s(?:the\s|my\s|some\s|exactly\s|just\s|only\s)?(?:top\s|main\s|key\s|simple\s|quick\s)?{_NUMBER}\s(?:\pL+[- ]?){{1,8}}:?[*_]{{0,2}}:?\s*$",
    ignore_case=True,
)
_THINGS = Pattern(
    rf"\b{_NUMBER}\s(?:[\pL-]+\s){{0,2}}?(?:things|points|steps|tips|reasons|ways|options|items|changes|ideas|questions|facts|factors|methods|examples|mistakes|types|kinds|parts|stages|benefits|features|tasks|suggestions|rules|conditions|differences|problems|issues)\b[^:,.!?]{{0,80}}:[*_\s]*$",
    ignore_case=True,
)
_THESE = Pattern(
    rf"^\W*{_NUMBER}\s(?:[\pL-]+\s){{1,3}}?(?:are|were|meet|match|qualify|fit)\b[^:,.!?]{{0,60}}:[*_\s]*$",
    ignore_case=True,
)
_ANY_NUMBER = Pattern(rf"\b(?:[2-9]|\d\d+|{'|'.join(_COUNTS)}|both)\b", ignore_case=True)
# What is listed is a part of them, more than them, or something else about them.
_OF_MORE = Pattern(
    r"\b(?:at least|up to|about|of (?:the|these|those|my|your|our)|first|last|next|other|more|remaining|each|every|between|than|per|if|or|question|case"
    r"|these|this|following|includ\w+|in common|differ\w*|sorted|out of|found)\b",
    ignore_case=True,
)
# "- Major: 4 (#418, #427)": of the ten announced above.
_COUNTED = Pattern(r":[*_]{0,2}\s(?P<count>\d{1,3})\b")
# An item beyond those announced, and what stands for one that is not in the list.
_EXTRA = Pattern(r"^\W*\(|^\W*(?:optional|bonus|enjoy|p\.?s\b|if\b|and\b)", ignore_case=True)
_GOES_ON = Pattern(
    r"\b(?:third|fourth|fifth|sixth|finally|also|lastly|another|one more|last)\b", ignore_case=True
)
_TERMS = Pattern(
    rf"\b[Tt]he {_NUMBER} (?:[\pL-]+ ){{1,6}}(?:are|were):? (?P<terms>(?:[\pL-]+(?: [\pL-]+){{0,2}}, )+(?:and )?[\pL-]+(?: [\pL-]+){{0,2}}(?: and [\pL-]+(?: [\pL-]+){{0,2}})?)\."
)
_CONCLUSION = Pattern(
    r"\b(?:the (?:final |correct )?answer is|final answer(?: is)?\W{0,6}|answer\s?:)[*_\s$:]{0,5}(?:[a-z]\s?=\s?)?",
    ignore_case=True,
)
_RESULT = Pattern(r"[=≈]\s?")
_OPTION = Pattern(
    r"\b(?i:the (?:correct |final )?answer is|final answer(?: is)?|answer)\W{0,6}(?P<letter>[A-E])(?:[).:*\s,]|$)"
)
