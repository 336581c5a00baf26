"""Compares records put into JSON, CSV or a table with the parts of the source that tell of each: no value of another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.response_rows import Cell, rows_of
from fairwitness.evaluator.facts.told_records import ToldRecords
from fairwitness.evaluator.facts.words import stem, words_in
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_SOURCE_CHARS = 6000
_MAX_FOREIGN = 2
_MIN_OWN = 3
_MIN_WORD_CHARS = 4
_CONVERTS = Pattern(
    r"\b(?:json|csv|tsv|tables?|spreadsheet|yaml|comma[- ]separated|array of objects)\b",
    ignore_case=True,
)
# Values that one part of the source tells for several records.
_SHARED = Pattern(
    r"\b(?:respectively|both|all (?:of (?:them|these)|three|four|five|six)|each of (?:them|these)|the former|the latter|vice versa|ditto)\b",
    ignore_case=True,
)
_CARRIED = Pattern(
    r"\b(?:same|also|again|too|likewise|as well|another|there (?:i|we|he|she|they)|both|all|like|than|swap\w*|instead|exchang\w*)\b",
    ignore_case=True,
)
_NUMBERING = frozenset(
    {"id", "no", "no.", "nr", "nr.", "#", "number", "index", "row", "rank", "position"}
)
_YES, _NO = (
    frozenset({"true", "yes", "y", "✓", "✔"}),
    frozenset({"false", "no", "n", "✗", "✘", "x"}),
)
_NOT = Pattern(r"\b(?:not|no|never|without|neither|nor|non|cannot)\b|n['’]t\b", ignore_case=True)
_UNSURE = Pattern(
    r"\b(?:should|will|would|need\w*|must|due|to be|if|until|partly|half|maybe|probably|soon|unknown|unsure|may|might|only|except|yet|longer|used to|was|were|but|although)\b|\?",
    ignore_case=True,
)
_CLAUSE_END = Pattern(r"[,;:.(!?\n]|\s(?:and|but|while)\s")


class _Foreign(NamedTuple):
    cell: Cell
    right: Region


def converted_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each cell whose value the source tells of another record, and for a wrong yes or no."""
    parts = ground.given.passages
    if len(parts) != 1 or ground.invents or ground.to_change or ground.given.works_out:
        return
    part = parts[0]
    source = part.text.slice(part.region)
    if not _CONVERTS.search(ground.given.instruction.encode()) or len(source) > _MAX_SOURCE_CHARS:
        return
    rows = rows_of(ground.response)
    if not rows or _SHARED.search(source.encode()):
        return
    told = ToldRecords(part.text, part.region, rows)
    if not told.parts:
        return
    found = [*_taken_from_others(told)]
    for column in range(len(rows[0])):
        found += _wrong_polarity(told, [row[column] for row in rows])
    for cell, right in found:
        was = " ".join(part.text.slice(right).split())
        said = ground.response.slice(cell.place)
        message = f"States “{said}” where the source has “{was}” for this record."
        yield Claim("record", cell.place, Span(*right, part.source), "medium", message)


def _taken_from_others(told: ToldRecords) -> list[_Foreign]:
    """Return the cells with a value of another record, where almost all others are as the source has them."""
    own_cells = 0
    foreign: list[_Foreign] = []
    for column, first in enumerate(told.rows[0]):
        if first.header.strip() in _NUMBERING:
            continue
        states = [_state(told, number, column) for number in range(len(told.rows))]
        own = sum(state is True for state in states)
        found = [state for state in states if isinstance(state, _Foreign)]
        # Cells without a value of their own: the column tells of something else, or the source is parted otherwise.
        own_cells += own - sum(state is False for state in states)
        if own and own + len(found) == len(states) and own >= len(found) - 1:
            foreign += found
    sure = len(foreign) <= _MAX_FOREIGN and own_cells >= max(_MIN_OWN, 2 * len(foreign))
    return foreign if sure else []


def _state(told: ToldRecords, number: int, column: int) -> bool | _Foreign | None:
    """Return True for a value in its own part of the source, the right one where it is another's, None where it is nowhere.

    False is a value of another part without a value of its own beside it.
    """
    cell, mine = told.rows[number][column], told.parts[number]
    places = told.places(cell)
    if any(mine.contains(place.start) for place in places):
        return True
    if not any(part.contains(place.start) for part in told.parts for place in places):
        return None
    if _CARRIED.search(told.text.slice(mine).encode()):
        return False
    right = told.own_value(number, column, places[0])
    return False if right is None else _Foreign(cell, right)


def _wrong_polarity(told: ToldRecords, cells: list[Cell]) -> list[_Foreign]:
    """Return the one "true" or "no" that the part of its record denies, where others are told as they are."""
    if not all(cell.said in _YES | _NO for cell in cells):
        return []
    header = cells[0].header.replace("_", " ").replace("?", "")
    words = [word for word in header.split() if word.isalpha()]
    if not words or len(words[-1]) < _MIN_WORD_CHARS:
        return []
    wrong, right = [], 0
    for cell, part in zip(cells, told.parts, strict=True):
        found = _told(told.text, part, stem(words[-1]))
        if found is not None and found[0] is (cell.said in _YES):
            right += 1
        elif found is not None:
            wrong.append(_Foreign(cell, found[1]))
    return wrong if len(wrong) == 1 and right else []


def _told(text: Text, part: Region, wanted: str) -> tuple[bool, Region] | None:
    """Return whether a part of the source says a word or denies it, and where; None where it does neither plainly."""
    found: list[tuple[bool, Region]] = []
    for start, end in words_in(text, part):
        word = text.lower[start:end]
        bare = word.removeprefix("non-").removeprefix("un")
        if stem(word) != wanted and stem(bare) != wanted:
            continue
        clause = text.value[part.start : start]
        cuts = Text(clause).matches(_CLAUSE_END)
        low = part.start + (cuts[-1].end if cuts else 0)
        after = Text(text.value[end : min(part.end, end + 60)]).search(_CLAUSE_END)
        high = end + (after.start if after else 0)
        said = text.value[low:high]
        if _UNSURE.search(said.encode()):
            return None
        denied = _NOT.search(text.value[low:start].encode()) or stem(word) != wanted
        low += len(said) - len(said.lstrip())
        found.append((not denied, Region(low, end)))
    return found[0] if found and len({yes for yes, _ in found}) == 1 else None
