"""Checks records that were to be sorted by a value of theirs or put into groups: in that order, none lost, none twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.index import within
from fairwitness.evaluator.facts.listed_records import MIN_RECORDS, Record, named_in, records_of
from fairwitness.evaluator.facts.quantities import YEAR, Quantity, figures
from fairwitness.evaluator.facts.units import MONEY
from fairwitness.evaluator.facts.words import content_stems
from fairwitness.evaluator.given import Passage
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_REQUEST_CHARS = 600
_MAX_RESPONSE_CHARS = 6000
_MIN_NAMED = 0.7
_MAX_LINES = 300
_HIGH = "highest|largest|biggest|greatest|longest|tallest|heaviest|most expensive|priciest|dearest|most|high|large|big"
_LOW = (
    "lowest|smallest|shortest|lightest|least expensive|cheapest|least|fewest|low|small|short|cheap"
)
_LATE, _EARLY = "newest|latest|most recent|youngest", "oldest|earliest"
_FAST, _SLOW = "fastest|quickest", "slowest"
_ENDS = rf"(?:(?P<fast>{_FAST})|(?P<slow>{_SLOW})|(?P<high>{_HIGH})|(?P<low>{_LOW})|(?P<late>{_LATE})|(?P<early>{_EARLY}))"
# Which end comes first: "from the highest to the lowest", "cheapest first", "in descending order".
_DIRECTION = Pattern(
    rf"\b{_ENDS}\b(?: [\pL-]+){{0,3}}?(?:[ -]first\b| (?:down |up )?to (?:the )?(?:{_HIGH}|{_LOW}|{_LATE}|{_EARLY}|{_FAST}|{_SLOW})\b)"
    r"|\b(?P<down>descending|decreasing|reverse[- ]chronological\w*)\b|\b(?P<up>ascending|increasing|chronological\w*)\b",
    ignore_case=True,
)
_SORTS = Pattern(
    r"\b(?:sort|sorted|order|ordered|rank|ranked|arrange|arranged|reorder|re-?arrange|list|put|organi[sz]e|show|give)\b",
    ignore_case=True,
)
_GROUPS = Pattern(
    r"\b(?:group|categori[sz]e|classify|cluster|bucket|(?:divide|split|organi[sz]e|assign|sort|put)\b[^.?!\n]{0,60}\b(?:into|under))\b",
    ignore_case=True,
)
_CONVERTS = Pattern(
    r"\b(?:convert|turn|put|make|transform|format|reformat|change|rewrite)\b[^.?!\n]{0,60}\b(?:json|csv|tsv|yaml|tables?|spreadsheet)\b",
    ignore_case=True,
)
# Only some of the records are wanted, or in an order of several parts.
_SOME = Pattern(
    r"\b(?:only|top|except|excluding|exclude|ignor\w+|skip\w*|leave out|omit|remove|drop|filter|without|that (?:are|were|have|cost)|those|which (?:of|one|are)|more than|less than|(?:over|under|above|below) [$€£]?\d+|at least|unpaid|overdue|duplicates?|merge|combine|relevant|examples?|some)\b",
    ignore_case=True,
)
_IN_PARTS = Pattern(
    r"\b(?:group\w*|within|(?:each|every) (?:category|group|type|class|team|section|department|year|month)|categor\w+|by (?:type|kind|name|importance|priority|region)|then by|alphabet\w*|length|per (?:head|kg|kilo\pL*|unit|litre|hour|person|\d+)|divided|difference|ratio|average|total)\b",
    ignore_case=True,
)
_RUN_TIME = Pattern(
    r"\b(?:(?P<hours>\d{1,2}):)?(?P<minutes>\d{1,3}):(?P<seconds>\d\d(?:\.\d{1,3})?)\b"
)
_OF_DATES = Pattern(r"\b(?:dates?|chronological\w*|when|years?)\b", ignore_case=True)
_OF_MONEY = Pattern(
    r"\b(?:price\w*|costs?|amounts?|expensive|cheap\w*|fees?|salar\w+|rents?|dearest|priciest|value)\b",
    ignore_case=True,
)
_ITEM = Pattern(r"^[ \t|]*(?:[-*•–+]|\(?\d{1,2}[.)]|[*_#])")
_SAID = Pattern(
    r"\b(?:left out|leave out|leaving out|omit\w*|exclud\w*|except\w*|not includ\w*|skipp\w*|duplicates?|merged)\b",
    ignore_case=True,
)


def sorted_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for the first record out of its order, and for the first that is lost or stands in two groups."""
    parts, text = ground.given.passages, ground.response
    request = Text(ground.given.instruction[:_MAX_REQUEST_CHARS])
    if len(parts) != 1 or ground.invents or len(text) > _MAX_RESPONSE_CHARS:
        return
    direction = request.matches(_DIRECTION, limit=3)
    groups = request.search(_GROUPS) or request.search(_CONVERTS)
    ways = {
        match.which(("fast", "slow", "high", "low", "late", "early", "down", "up"))
        for match in direction
    }
    sorts = len(ways) == 1 and request.search(_SORTS) and not request.search(_IN_PARTS)
    if not sorts and groups is None:
        return
    records = records_of(parts[0].text, parts[0].region)
    named = named_in(records, text.lower)
    if len(named) < max(MIN_RECORDS, _MIN_NAMED * len(records)):
        return
    if sorts:
        yield from _disordered(ground, parts[0], records, next(iter(ways)), request)
    if request.search(_SOME) or text.search(_SAID):
        return
    if groups is not None:
        yield from _twice(ground, records)
    yield from _lost(ground, parts[0], records, named)


def _disordered(
    ground: Ground, part: Passage, records: list[Record], way: str, request: Text
) -> Iterator[Claim]:
    text = ground.response
    timed = way in {"fast", "slow"}
    values = _run_times(part, records) if timed else _values(part, records, request, way)
    order = _order(text, records)
    if values is None or len(order) < MIN_RECORDS:
        return
    down = (
        way in {"high", "down", "slow"}
        or (way == "late" and values[1])
        or (way == "early" and not values[1])
    )
    for (_, one), (place, other) in pairwise(order):
        first, second = values[0][one], values[0][other]
        if (first < second) if down else (first > second):
            message = f"Not in the requested order: “{_written(part, other)}” comes after “{_written(part, one)}”."
            yield Claim("list", place, Span(*other.place, part.source), "medium", message)
            return


def _run_times(
    part: Passage, records: list[Record]
) -> tuple[dict[Record, tuple[float, ...]], bool] | None:
    """Return the seconds of the one time of each record, "47:58" or "1:01:15": the fastest has the least."""
    found: dict[Record, tuple[float, ...]] = {}
    for record in records:
        times = Text(part.text.slice(record.place)).matches(_RUN_TIME, limit=2)
        if len(times) != 1:
            return None
        hours, minutes, seconds = (
            float(times[0][name] or 0) for name in ("hours", "minutes", "seconds")
        )
        found[record] = (3600 * hours + 60 * minutes + seconds,)
    return found, False


def _values(
    part: Passage, records: list[Record], request: Text, way: str
) -> tuple[dict[Record, tuple[float, ...]], bool] | None:
    """Return the one value of each record that it is sorted by, and whether it is a date."""
    if part.text.search(_BEFORE_CHRIST):
        return None
    read = figures(part.text)
    dated = way in {"late", "early"} or request.search(_OF_DATES) is not None
    found: list[tuple[float, ...]] = []
    kinds = set()
    for record in records:
        days = [m for m in within(read.moments, record.place) if m.is_date and m.day]
        amounts = [q for q in within(read.quantities, record.place) if not q.label]
        money = [q for q in amounts if q.dimension == MONEY]
        if dated and len(days) == 1:
            found.append((days[0].year, days[0].month, days[0].day))
            kinds.add("date")
            continue
        if money and (request.search(_OF_MONEY) or len(amounts) == len(money)):
            amounts = money
        if len(amounts) != 1 or amounts[0].approximate:
            return None
        found.append((_signed(part.text, amounts[0]),))
        kinds.add(
            "date" if amounts[0].dimension == YEAR else f"{amounts[0].dimension} {amounts[0].unit}"
        )
    years = {value[0] > 0 for value in found if len(value) > 1}
    if len(kinds) != 1 or len(years) > 1 or len({*map(len, found)}) != 1:
        return None
    dates = kinds == {"date"}
    # "Newest first" says nothing of prices, and "highest" nothing of dates.
    if dates and way in {"high", "low"}:
        return None
    if not dates and way in {"late", "early"} and not request.search(_OF_AGES):
        return None
    return dict(zip(records, found, strict=True)), dates


# Counted the other way round.
_BEFORE_CHRIST = Pattern(r"\d ?(?:BC|BCE|B\.C\.)")


def _signed(text: Text, item: Quantity) -> float:
    """Return a number with the minus before it: "Oslo -4 °C"."""
    before = text.value[max(0, item.start - 2) : item.start]
    return (
        -item.value if before[-1:] in {"-", "−"} and before[:1] in {" ", "(", "|"} else item.value
    )


_OF_AGES = Pattern(r"\b(?:youngest|oldest|ages?)\b", ignore_case=True)


def _order(text: Text, records: list[Record]) -> list[tuple[Region, Record]]:
    """Return the records as the response lists them, one for each line, or all in one; none where it is no one list."""
    found: list[tuple[Region, Record]] = []
    whole: list[tuple[Region, Record]] = []
    for line in text.lines[:_MAX_LINES]:
        said = text.lower[line.start : line.end]
        named = named_in(records, said)
        if len(named) == 1:
            found.append((line, named[0]))
        elif len(named) == len(records):
            whole += [
                (Region(line.start + at, line.start + at + len(one.name)), one)
                for one in named
                if (at := said.index(one.name)) >= 0
            ]
        elif named:
            return []
    if found and whole:
        return []
    order = found or whole
    return order if len({one for _, one in order}) == len(order) else []


def _twice(ground: Ground, records: list[Record]) -> Iterator[Claim]:
    """Yield a claim for a code that begins two items of the response."""
    text = ground.response
    coded = [record for record in records if record.coded]
    seen: set[str] = set()
    for line in text.lines:
        said = text.lower[line.start : line.end]
        head = said.strip(" \t*_-•–+>")
        if not _ITEM.search(said.encode()):
            continue
        for record in coded:
            if not head.startswith(record.name) or head[len(record.name) :][:1].isalnum():
                continue
            if record.name in seen:
                message = f"“{record.name.upper()}” is listed twice."
                yield Claim(
                    "list",
                    line,
                    Span(*record.place, ground.given.passages[0].source),
                    "low",
                    message,
                )
                return
            seen.add(record.name)


def _below_heading(part: Passage, records: list[Record]) -> list[Record]:
    """Return the records without the first where it alone has no number: it names their columns."""
    numbered = [any(map(str.isdecimal, part.text.slice(one.place))) for one in records]
    return records[1:] if numbered[1:] and all(numbered[1:]) and not numbered[0] else records


def _lost(
    ground: Ground, part: Passage, records: list[Record], named: list[Record]
) -> Iterator[Claim]:
    text = ground.response
    stems = {*content_stems(text, Region(0, len(text)))}
    for record in _below_heading(part, records):
        if record in named or record.name in text.lower:
            continue
        words = Text(record.name)
        # In other words, or shortened: a part of the name is enough.
        if not record.coded and stems & {*content_stems(words, Region(0, len(words)))}:
            continue
        if record.coded and record.name.lstrip("#") in text.lower:
            continue
        message = f"The list leaves out “{_written(part, record)}”."
        last = text.sentences[-1]
        yield Claim("list", last, Span(*record.place, part.source), "medium", message)
        return


def _written(part: Passage, record: Record) -> str:
    said = part.text.lower[slice(*record.place)]
    at = record.place.start + max(0, said.find(record.name))
    return part.text.value[at : at + len(record.name)]
