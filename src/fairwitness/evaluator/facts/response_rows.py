"""Reads the records of a response: objects of JSON, mappings of YAML, lines of CSV, rows of a table, each as cells with their headers."""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

MIN_ROWS = 3
_MAX_ROWS, _MAX_CELLS = 60, 12
_MIN_CELLS = 2
_OBJECT = Pattern(r"\{[^{}\[\]]{3,900}\}")
_PAIR = Pattern(
    r"\"(?P<key>[^\"\n]{1,40})\"\s*:\s*(?:\"(?P<text>[^\"\n]{0,200})\"|(?P<bare>[-\w.]{1,30}))"
)
# "{id: s01, room: attic}" and "- id: s01" with the lines below it
_FLOW_PAIR = Pattern(r"(?:[{,]\s*)(?P<key>\pL[\w ]{0,39}):\s+[\"']?(?P<text>[^,{}\"'\n]{1,200})")
_BLOCK_PAIR = Pattern(
    r"^\s*(?P<first>- )?\s*(?P<key>\pL[\w ]{0,39}):\s+[\"']?(?P<text>[^\"'\n#]{1,200})"
)
_RULE = Pattern(r"^[\s|:=-]*$")
_EDGES = ' \t*_`"'


class Cell(NamedTuple):
    """A value of a row: the name of its column and itself in lower case, and where it is."""

    header: str
    said: str
    place: Region


def rows_of(text: Text) -> list[list[Cell]]:
    """Return the rows of the one table, CSV or array of a response; none where there are several or they are uneven."""
    rows = (
        _objects(text)
        or _mappings(text)
        or _lines(text, "|")
        or _lines(text, ",")
        or _lines(text, ";")
    )
    if not MIN_ROWS <= len(rows) <= _MAX_ROWS:
        return []
    headers = [cell.header for cell in rows[0]]
    even = all([cell.header for cell in row] == headers for row in rows)
    return rows if even and len({*headers}) == len(headers) >= _MIN_CELLS else []


def _objects(text: Text) -> list[list[Cell]]:
    found = []
    for match in text.matches(_OBJECT, limit=_MAX_ROWS + 1):
        inner = Text(match.text)
        row = []
        quoted = inner.matches(_PAIR, limit=_MAX_CELLS)
        for pair in quoted or inner.matches(_FLOW_PAIR, limit=_MAX_CELLS):
            bare = bool(quoted) and bool(pair["bare"])
            low, high = pair.span("bare" if bare else "text")
            said = pair["bare"] if bare else pair["text"]
            place = Region(match.start + low, match.start + high)
            row.append(Cell(pair["key"].lower(), said.lower(), place))
        found.append(row)
    return found


def _mappings(text: Text) -> list[list[Cell]]:
    """Return the mappings of a list in YAML, each from its dash to the next."""
    found: list[list[Cell]] = []
    for line in text.lines:
        pair = Text(text.slice(line)).search(_BLOCK_PAIR)
        if pair is None or (not found and not pair["first"]):
            continue
        low, high = pair.span("text")
        place = _trimmed(text, Region(line.start + low, line.start + high))
        if pair["first"]:
            found.append([])
        if len(found) > _MAX_ROWS:
            return []
        found[-1].append(Cell(pair["key"].lower(), text.lower[place.start : place.end], place))
    return found if all(_MIN_CELLS <= len(row) <= _MAX_CELLS for row in found) else []


def _lines(text: Text, mark: str) -> list[list[Cell]]:
    """Return the lines that a mark parts into as many cells as the line of headers has."""
    lines = [line for line in text.lines if mark in text.value[line.start : line.end]]
    lines = [line for line in lines if not _RULE.search(text.slice(line).encode())]
    if not MIN_ROWS < len(lines) <= _MAX_ROWS or _are_apart(text, lines):
        return []
    headers = [text.lower[part.start : part.end] for part in _cells(text, lines[0], mark)]
    if any(any(map(str.isdecimal, header)) for header in headers):
        return []
    found = []
    for line in lines[1:]:
        parts = _cells(text, line, mark)
        if len(parts) != len(headers) or len(parts) > _MAX_CELLS:
            return []
        found.append(
            [
                Cell(header, text.lower[part.start : part.end], part)
                for header, part in zip(headers, parts, strict=True)
            ]
        )
    return found


def _are_apart(text: Text, lines: list[Region]) -> bool:
    """Tell whether other lines stand between some of these: they are of more than one table, or of none."""
    between = text.value[lines[0].start : lines[-1].end].split("\n")
    others = len(between) - len(lines)
    rules = sum(bool(_RULE.search(line.encode())) and bool(line.strip()) for line in between)
    return others > rules


def _cells(text: Text, line: Region, mark: str) -> list[Region]:
    """Return the cells of a line; a mark within quotation marks parts nothing."""
    found, start, quoted = [], line.start, False
    for at in range(line.start, line.end):
        char = text.value[at]
        if char == '"' and mark != "|":
            quoted = not quoted
        elif char == mark and not quoted:
            found.append(Region(start, at))
            start = at + 1
    found.append(Region(start, line.end))
    if mark == "|":
        found = [
            part
            for at, part in enumerate(found)
            if at not in {0, len(found) - 1} or text.slice(part).strip()
        ]
    return [_trimmed(text, part) for part in found]


def _trimmed(text: Text, part: Region) -> Region:
    said = text.slice(part)
    bare = said.strip(_EDGES)
    start = part.start + (len(said) - len(said.lstrip(_EDGES)) if bare else 0)
    return Region(start, start + len(bare))
