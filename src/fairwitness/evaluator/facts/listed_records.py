"""Reads the records that a prompt lists, on lines or between semicolons or commas, and where a response names each."""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.facts.closed_kinds import CODE
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

MIN_RECORDS = 3
_MAX_RECORDS = 60
_MAX_LINE_CHARS, _MAX_PIECE_CHARS = 300, 120
_MAX_NAME_CHARS = 60
_MAX_TRIES = 50
_MIN_NAME_CHARS = 2
_MARK = Pattern(r"^[ \t]*(?:[-*•–+]|\(?\d{1,2}[.)]|\(?[a-z]\))[ \t]+")
_RULE = Pattern(r"^[\s|:=–-]*$")
# What parts a name from what is said of it.
_NAME_END = Pattern(
    r"\s[-–—=]\s|[:;,(|\t\"“]|\s[-–—]?[$€£]?\d|\s(?:at|for|costs?|is|was|on|from|aged?|with|has|by)\s",
    ignore_case=True,
)
_SENTENCE_GOES_ON = Pattern(r"[.?!]\s+\pL")
_EDGES = " \t*_`\"'“”‘’[]().,;:|"


class Record(NamedTuple):
    """A listed thing: where it stands, its name in lower case, and whether the name is a code such as "INV-201"."""

    place: Region
    name: str
    coded: bool


def records_of(text: Text, region: Region) -> list[Record]:
    """Return the records of a region, none where it is no list of at least three with names of their own."""
    pieces = _lines(text, region) or _between(text, region)
    if not MIN_RECORDS <= len(pieces) <= _MAX_RECORDS:
        return []
    found = [_record(text, piece) for piece in pieces]
    names = {one.name for one in found}
    if len(names) < len(found) or any(len(name) < _MIN_NAME_CHARS for name in names):
        return []
    return found


def _lines(text: Text, region: Region) -> list[Region]:
    lines = [
        Region(max(line.start, region.start), min(line.end, region.end))
        for line in text.lines
        if line.end > region.start and line.start < region.end
    ]
    lines = [line for line in lines if not _RULE.search(text.slice(line).encode())]
    marked = [line for line in lines if _MARK.search(text.slice(line).encode())]
    rows = [line for line in lines if text.slice(line).count("|") > 1]
    if len(marked) >= MIN_RECORDS:
        lines = marked
    elif len(rows) > MIN_RECORDS:
        lines = rows[1:]
    elif len(lines) < MIN_RECORDS or text.slice(lines[0]).rstrip().endswith(":"):
        lines = lines[1:]
    if len(lines) < MIN_RECORDS or any(end - start > _MAX_LINE_CHARS for start, end in lines):
        return []
    return lines


def _between(text: Text, region: Region) -> list[Region]:
    """Return the pieces of a run between semicolons, or else commas, up to the end of its sentence."""
    said = text.slice(region)
    mark = ";" if said.count(";") >= MIN_RECORDS - 1 else ", "
    first = said.find(mark)
    start = said.rfind(": ", 0, first if first >= 0 else 0) + 1
    found, at = [], start
    for piece in said[start:].split(mark):
        end = at + len(piece)
        stop = Text(piece).search(_SENTENCE_GOES_ON)
        last = stop is not None and mark == ";"
        if stop is not None and mark != ";":
            return []
        end = at + stop.start if stop is not None else end
        if end - at > _MAX_PIECE_CHARS:
            return []
        if piece.strip():
            found.append(Region(region.start + at, region.start + end))
        if last:
            break
        at += len(piece) + len(mark)
    return found


def _record(text: Text, place: Region) -> Record:
    said = text.slice(place)
    mark = Text(said).search(_MARK)
    body = Text(said[mark.end if mark else 0 :].strip(_EDGES).removeprefix("and "))
    code = body.search(CODE)
    if code is not None and code.start <= 1:
        return Record(place, code.text.lower(), True)
    end = body.search(_NAME_END)
    name = body.lower[: end.start if end and end.start else len(body)][:_MAX_NAME_CHARS]
    return Record(place, name.strip(_EDGES), False)


def named_in(records: list[Record], said: str) -> list[Record]:
    """Return the records whose name a lower-case text has as whole words, in the order of their first mention."""
    there = [(at, record) for record in records if (at := _whole(said, record.name)) >= 0]
    # "Tea" is not named by "iced tea", which is another record.
    found = [
        (at, record)
        for at, record in there
        if not any(other is not record and record.name in other.name for _, other in there)
    ]
    return [record for _, record in sorted(found, key=lambda each: each[0])]


def _whole(said: str, name: str) -> int:
    """Return where a name stands with no letter or digit right around it, else -1."""
    at = said.find(name)
    for _ in range(_MAX_TRIES):
        if at < 0:
            break
        around = said[at - 1 : at] + said[at + len(name) : at + len(name) + 1]
        if not any(map(str.isalnum, around)):
            return at
        at = said.find(name, at + 1)
    return -1
