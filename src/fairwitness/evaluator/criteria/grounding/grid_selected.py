"""Checks a list of the rows for which one column is below or above another, or a number: none wrong, none left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from operator import ge, gt, le, lt

from fairwitness.evaluator.criteria.grounding.grid_given import Grids
from fairwitness.evaluator.criteria.grounding.grid_reading import Reading, Said
from fairwitness.evaluator.criteria.grounding.ground import Claim
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.grid_labels import COLUMN, ROW, Mention
from fairwitness.evaluator.facts.grid_values import size_of, sizes_of
from fairwitness.evaluator.facts.grid_words import tokens_of
from fairwitness.evaluator.facts.words import content_stems
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MIN_ROWS, _MIN_LISTED = 4, 2
_MAX_REQUEST_CHARS = 400
_MAX_BETWEEN_CHARS = 40
_BOUNDS = {"to": le, "below": lt, "from": ge, "above": gt}
# "stock at or below minimum", "where spent is more than budget"
_COMPARED = Pattern(
    r"^\s*(?:level |value |is |are |was |were |has |have |fell |of )?"
    r"(?:(?P<to>(?:is |are )?(?:at or (?:below|under)|(?:below|less than|lower than|under) or equal to|no (?:more|higher) than|not (?:above|over|more than)|at most|<=|≤))"
    r"|(?P<from>(?:is |are )?(?:at or (?:above|over)|(?:above|more than|greater than|higher than|over) or equal to|no (?:less|lower|fewer) than|not (?:below|under|less than)|at least|>=|≥))"
    r"|(?P<below>(?:is |are )?(?:below|under|less than|lower than|fewer than|smaller than|<))"
    r"|(?P<above>(?:is |are )?(?:above|over|more than|greater than|higher than|larger than|>)))"
    r"(?: the| its| their| our)?\s*$",
    ignore_case=True,
)
_ASKS = Pattern(
    r"\b(?:which|what|who|whose|list|name|give|show|find|all|every)\b", ignore_case=True
)
# A second condition, or not all that meet the first.
_MORE_ASKED = Pattern(
    r"\b(?:and|or|but|unless|ignor\w+|skip\w*|leav\w+|except\w*|excluding|without|if|how many|how much|first|top|one|any|some|two|three|\pL{2,}est|most|least|not|also|both|sort\w*|order(?:ed)? by|today|still|yet)\b|n['’]t\b",
    ignore_case=True,
)
# What a list of names has beside them.
_LIST_WORDS = Pattern(r"^(?:[\s\d.,;:()*_|–—-]|\band\b|\bplus\b|\bkg\b|\bvs\b)*$", ignore_case=True)
_LEAD = Pattern(r"^[^:\n]{0,80}:\s")
_ITEM = Pattern(r"^\s*(?:[-*•+|]|\d{1,2}[.)])")
_OUTSIDE = Pattern(
    r"\b(?:not|no|fine|ok|okay|enough|except|without|exclud\w+|skip\w*|near|close|next|soon|almost|also|keep|watch|only just)\b|n['’]t\b|❌|✗",
    ignore_case=True,
)


def selected_faults(grids: Grids) -> Iterator[Claim]:
    """Yield a claim for the first row of the list that does not meet the condition, or that the response does not name."""
    if len(grids.readings) != 1:
        return
    reading = grids.readings[0]
    found = _wanted(grids.outside, reading) if len(reading.grid.rows) >= _MIN_ROWS else None
    if found is None:
        return
    column, right = found
    text, listed = grids.ground.response, _listed(grids, reading)
    if len({one.at for one in listed}) < _MIN_LISTED or not {one.at for one in listed} & right:
        return
    wrong = next((one for one in listed if one.at not in right), None)
    if wrong is not None:
        name = text.value[wrong.start : wrong.end]
        message = (
            f"Lists “{name}”, for which the table has “{reading.grid.said(wrong.at, column)}”."
        )
        yield _claim(grids, reading, Region(wrong.start, wrong.end), (wrong.at, column), message)
        return
    for row in sorted(right - {one.at for one in listed}):
        name = reading.grid.said(row, 0)
        if not _is_named(reading, row):
            message = (
                f"Leaves out “{name}”, for which the table has “{reading.grid.said(row, column)}”."
            )
            place = Region(listed[0].start, listed[-1].end)
            yield _claim(grids, reading, place, (row, column), message)
            return


def _claim(
    grids: Grids, reading: Reading, place: Region, cell: tuple[int, int], message: str
) -> Claim:
    source = reading.grid.rows[cell[0]][cell[1]]
    span = Span(source.start, source.end, reading.grid.source)
    return Claim("mark", place, span, "medium", message)


def _wanted(outside: Text, reading: Reading) -> tuple[int, set[int]] | None:
    """Return the compared column and the rows that meet the one condition of the request."""
    if len(outside) > _MAX_REQUEST_CHARS or not _ASKS.search(outside.value.encode()):
        return None
    found = []
    rest = outside.value
    for sentence in outside.sentences:
        mentions = reading.labels.mentions(outside, tokens_of(outside, sentence))
        if any(one.axis == ROW for one in mentions):
            return None
        for one, two in pairwise(mentions):
            between = outside.value[one.end : two.start]
            match = Text(between).search(_COMPARED) if len(between) <= _MAX_BETWEEN_CHARS else None
            if match is not None and one.axis == two.axis == COLUMN:
                found.append((one.at, two.at, _BOUNDS[match.which(_BOUNDS)]))
                rest = rest.replace(outside.value[one.start : two.end], " ")
    if len(found) != 1 or _MORE_ASKED.search(rest.encode()) or any(map(str.isdecimal, rest)):
        return None
    column, other, meets = found[0]
    rows = _meeting(reading, column, other, meets)
    return (column, rows) if rows else None


def _meeting(
    reading: Reading, column: int, other: int, meets: Callable[[float, float], bool]
) -> set[int]:
    """Return the rows for which one column is so to the other; none where a cell is no number."""
    ones, twos = reading.values.column(column), reading.values.column(other)
    if sizes_of(ones) is None or sizes_of(twos) is None:
        return set()
    sizes = [(size_of(one), size_of(two)) for one, two in zip(ones, twos, strict=True)]
    return {
        row
        for row, (one, two) in enumerate(sizes)
        if one is not None and two is not None and meets(one, two)
    }


def _listed(grids: Grids, reading: Reading) -> list[Mention]:
    """Return the rows of the first list of a response: a sentence of names alone, or lines that begin with one."""
    text = grids.ground.response
    found: list[Mention] = []
    for said in reading.sentences:
        rows = [one for one in said.mentions if one.axis == ROW]
        line = text.value.rfind("\n", 0, said.region.start) + 1
        if _OUTSIDE.search(text.slice(said.region).encode()):
            break
        if rows and _ITEM.search(text.value[line : line + 12].encode()):
            found += rows[:1]
        elif found:
            break
        elif rows and _is_list(text, said):
            return rows
    return found


def _is_list(text: Text, said: Said) -> bool:
    """Tell whether a sentence has nothing but names, figures and what joins them."""
    rest = text.slice(said.region)
    for one in reversed(said.mentions):
        low, high = one.start - said.region.start, one.end - said.region.start
        rest = rest[:low] + rest[high:]
    lead = Text(rest).search(_LEAD)
    return _LIST_WORDS.search(rest[lead.end if lead else 0 :].encode())


def _is_named(reading: Reading, row: int) -> bool:
    """Tell whether the response has a word of a row's name that no other row has."""
    names = [Text(reading.grid.said(at, 0)) for at in range(len(reading.grid.rows))]
    stems = [{*content_stems(name, Region(0, len(name)))} for name in names]
    others = {one for at, found in enumerate(stems) if at != row for one in found}
    text = reading.ground.response
    said = {*content_stems(text, Region(0, len(text)))}
    own = stems[row] - others
    return bool(own & said) if own else stems[row] <= said
