"""Reads the tables of a text as grids, however they are written: with pipes, commas, tabs or gaps, or as lines of the same fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fairwitness.evaluator.facts.grid_heads import (
    GAP,
    STRICT,
    has_digit,
    heads_above,
    is_head,
    named_columns,
)
from fairwitness.evaluator.facts.units import NO_UNITS
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import unit_of

_MAX_GRIDS, _MAX_LINES = 4, 400
_MAX_ROWS, _MAX_COLUMNS, _MAX_CELLS = 60, 14, 420
_MAX_LINE_CHARS = 300
_MAX_CELL_CHARS, _MAX_CELL_WORDS = 60, 8
_MIN_ROWS, _MIN_LOOSE_ROWS = 2, 3
_BULLET = Pattern(r"^[ \t]*(?:[-*•+–][ \t]+|\(?(?:\d{1,2}|[A-H])[.)][ \t]+)?")
_RULE = Pattern(r"^[ \t]*\|?[ \t:|+-]*-{2,}[ \t:|+-]*$")
# "Aspen: seats 24, step-free", "Mon – open: Hal, close: Simone"
_RECORD = Pattern(
    r"^(?P<key>[^:;,|]{1,40}?)[*_]{0,2}(?::[*_]{0,2}|[ \t]+[-–—])[ \t]+(?P<rest>\S.*)$"
)
# Between the name of a row and its first cell: "Q3 Pay: 43 / 21", "0-2 km  10 / 10"
_LEAD = Pattern(r":[ \t]+|[ \t]{2,}")
_DASH = Pattern(r"[ \t][-–—][ \t]")
_SENTENCE = Pattern(r"[.!?][ \t]+\p{Lu}")
# "Marlow Rovers 10 7 1 2"
_NUMBERS = Pattern(
    r"^(?P<key>\pL[^\d,;:|]{1,39}?)(?P<rest>(?:[ \t]+[-+−]?[\d.,:/%]+){2,14})[ \t]*$"
)
_EDGES = " \t*_`"


class Grid(NamedTuple):
    """A table: what its columns are called, where the cells of its rows are, the first of which names the row."""

    source: str
    text: Text
    region: Region
    heads: tuple[str, ...]
    rows: tuple[tuple[Region, ...], ...]

    def said(self, row: int, column: int) -> str:
        """Return what a cell says."""
        return self.text.slice(self.rows[row][column])


class _Line(NamedTuple):
    form: str
    cells: tuple[Region, ...]
    ruled: bool = False


def grids_of(source: str, text: Text) -> list[Grid]:
    """Return the tables of a text, in order."""
    found: list[Grid] = []
    run: list[_Line] = []
    above: Region | None = None
    before: Region | None = None
    blank = Region(len(text), len(text))
    for region in [*text.lines[:_MAX_LINES], blank]:
        if run and _RULE.search(text.slice(region).encode()) and run[0].form == "pipes":
            run[-1] = run[-1]._replace(ruled=len(run) == 1)
            continue
        line = _line(text, region)
        same = line is not None and run and _fits(run, line)
        if not same:
            grid = _grid(source, text, run, above)
            found += [grid] if grid is not None else []
            run, above = [], before
        if line is not None:
            run.append(line)
        if text.slice(region).strip():
            before = region
    return found[:_MAX_GRIDS]


def _fits(run: list[_Line], line: _Line) -> bool:
    return line.form == run[0].form and len(line.cells) == len(run[0].cells)


def _line(text: Text, region: Region) -> _Line | None:
    said = text.slice(region)
    if len(said) > _MAX_LINE_CHARS or len(said.strip()) < 3:
        return None
    if "|" in said:
        bare = said.strip()
        low = region.start + said.index(bare) + bare.startswith("|")
        high = region.start + said.index(bare) + len(bare) - bare.endswith("|")
        return _cut("pipes", text, Region(low, max(low, high)), "|")
    start = Text(said).search(_BULLET)
    rest = Region(region.start + (start.end if start else 0), region.end)
    return _loose(text, rest)


def _loose(text: Text, region: Region) -> _Line | None:
    """Return a line without pipes."""
    said = text.slice(region)
    if "\t" in said.strip():
        return _cut("tabs", text, region, "\t")
    if said.count(";") >= 2 and ": " not in said:
        return _cut("semicolons", text, region, ";")
    if (slashed := _slashed(text, region)) is not None:
        return slashed
    # Three cells between gaps are no name and its fields, though one be a dash.
    if len(Text(said.strip()).matches(GAP)) >= 2 and (cells := _apart(text, region, GAP))[2:]:
        return _Line("gaps", cells)
    if ": " not in said and (cells := _apart(text, region, _DASH))[2:]:
        return _Line("dashes", cells) if len(cells) <= _MAX_COLUMNS else None
    record = Text(said).search(_RECORD)
    if record is not None:
        low, high = (region.start + at for at in record.span("rest"))
        end = Text(record["rest"]).search(_SENTENCE)
        high = low + end.start if end is not None else high
        fields = _fields(text, Region(low, high))
        key = Region(*(region.start + at for at in record.span("key")))
        return _Line("record", (_trim(text, key), *fields)) if fields else None
    if len(Text(said).matches(GAP)) >= 1 and (cells := _apart(text, region, GAP))[1:]:
        return _Line("gaps", cells)
    numbers = Text(said).search(_NUMBERS)
    if numbers is not None:
        start = region.start + numbers.span("rest")[0]
        key = Region(*(region.start + at for at in numbers.span("key")))
        pieces = _words(text, Region(start, region.end))
        return _Line("numbers", (_trim(text, key), *pieces))
    if said.count(",") >= 2 and not said.rstrip().endswith((".", "!", "?", ":")):
        line = _cut("commas", text, region, ", " if ", " in said else ",")
        return line if line is not None and all(e > s for s, e in line.cells) else None
    return None


def _slashed(text: Text, region: Region) -> _Line | None:
    """Return a line of cells between slashes, the first of them behind a name: "up to 1 kg: 6.90 / 11.40"."""
    said = text.slice(region)
    if " / " not in said:
        return None
    line = _cut("slashes", text, region, " / ")
    lead = Text(said[: said.index(" / ")]).matches(_LEAD, limit=3)
    if line is None:
        return None
    if lead:
        key = _trim(text, Region(region.start, region.start + lead[-1].start))
        value = _trim(text, Region(region.start + lead[-1].end, line.cells[0].end))
        return line._replace(cells=(key, value, *line.cells[1:]))
    return line if len(line.cells) > 2 else None


def _cut(form: str, text: Text, region: Region, mark: str) -> _Line | None:
    cells, at = [], region.start
    for piece in text.slice(region).split(mark):
        cells.append(_trim(text, Region(at, at + len(piece))))
        at += len(piece) + len(mark)
    return _Line(form, tuple(cells)) if 2 <= len(cells) <= _MAX_COLUMNS else None


def _trim(text: Text, region: Region) -> Region:
    said = text.slice(region)
    start = region.start + len(said) - len(said.lstrip(_EDGES))
    return Region(start, max(start, region.start + len(said.rstrip(_EDGES))))


def _apart(text: Text, region: Region, gap: Pattern) -> tuple[Region, ...]:
    cells, at = [], region.start
    for match in Text(text.slice(region)).matches(gap, limit=_MAX_COLUMNS):
        cells.append(_trim(text, Region(at, region.start + match.start)))
        at = region.start + match.end
    cells.append(_trim(text, Region(at, region.end)))
    return tuple(cell for cell in cells if cell.end > cell.start)


def _words(text: Text, region: Region) -> tuple[Region, ...]:
    cells, at = [], region.start
    for piece in text.slice(region).split():
        start = text.value.index(piece, at)
        cells.append(Region(start, start + len(piece)))
        at = start + len(piece)
    return tuple(cells)


def _fields(text: Text, region: Region) -> tuple[Region, ...]:
    """Return the fields behind the name of a record: between semicolons, commas or dashes."""
    said = text.slice(region)
    if ";" in said:
        line = _cut("", text, region, ";")
    elif ", " in said:
        line = _cut("", text, region, ", ")
    else:
        return _apart(text, region, _DASH)
    return tuple(_stripped(text, cell) for cell in line.cells) if line is not None else ()


def _stripped(text: Text, cell: Region) -> Region:
    """Return a field without the full stop of its line."""
    return Region(cell.start, cell.end - (text.value[cell.end - 1 : cell.end] == "."))


def _grid(source: str, text: Text, run: list[_Line], above: Region | None) -> Grid | None:
    if len(run) < _MIN_ROWS or len(run) * len(run[0].cells) > _MAX_CELLS:
        return None
    form, rows = run[0].form, [line.cells for line in run]
    region = Region(rows[0][0].start, rows[-1][-1].end)
    width = len(rows[0])
    heads: tuple[str, ...] = ()
    if form == "record":
        heads, rows = _labelled(text, rows)
    elif form != "numbers" and (run[0].ruled or is_head(text, rows, form)):
        heads, rows = tuple(text.slice(cell) for cell in rows[0]), rows[1:]
    elif form == "dashes":
        heads, rows = _labelled(text, rows)
    elif above is not None and form in {"numbers", "gaps", "slashes"}:
        heads = heads_above(text, above, width, form)
        region = Region(above.start, region.end) if heads else region
    if not heads:
        heads = named_columns(text, width)
    loose = form not in STRICT and not (heads and any(heads[1:]))
    if not (_MIN_LOOSE_ROWS if loose else _MIN_ROWS) <= len(rows) <= _MAX_ROWS:
        return None
    if form not in STRICT and any(_is_long(text, cell) for row in rows for cell in row):
        return None
    return Grid(source, text, region, heads or ("",) * width, tuple(rows))


def _is_long(text: Text, cell: Region) -> bool:
    said = text.slice(cell)
    return len(said) > _MAX_CELL_CHARS or len(said.split()) > _MAX_CELL_WORDS


def _labelled(
    text: Text, rows: list[tuple[Region, ...]]
) -> tuple[tuple[str, ...], list[tuple[Region, ...]]]:
    """Return what the fields of each column have in common as its heading, and the cells without it: "open: Hal"."""
    heads, cut = [""], [[row[0]] for row in rows]
    for column in range(1, len(rows[0])):
        cells = [row[column] for row in rows]
        front = _shared(text, cells, lambda words, at: words[at])
        back = _shared(text, cells, lambda words, at: words[-1 - at])
        heads.append(" ".join([*front, *reversed(back)]).strip())
        for row, cell in zip(cut, cells, strict=True):
            row.append(_without(text, cell, len(front), len(back)))
    return tuple(heads), [tuple(row) for row in cut]


def _shared(text: Text, cells: list[Region], pick: Callable[[list[str], int], str]) -> list[str]:
    """Return the words that all cells begin, or end, with; each keeps one word of its own."""
    said = [text.lower[cell.start : cell.end].split() for cell in cells]
    found: list[str] = []
    while all(len(words) > len(found) + 1 for words in said):
        same = {pick(words, len(found)).strip("():") for words in said}
        if len(same) != 1:
            break
        found.append(same.pop())
    return found


def _without(text: Text, cell: Region, front: int, back: int) -> Region:
    words = _words(text, cell)
    last = len(words) - back
    # "4,000 mAh": a unit right behind a number is a part of the value.
    if last < len(words) and has_digit(text.slice(words[last - 1])):
        word = text.slice(words[last]).strip(".")
        last += word not in NO_UNITS and unit_of(word) is not None
    kept = words[front:last] or words
    return _trim(text, Region(kept[0].start, kept[-1].end))
