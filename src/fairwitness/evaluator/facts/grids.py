"""Reads the tables of a text as grids, however they are written: with pipes, commas, tabs or gaps, or as lines of the same fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fairwitness.evaluator.criteria.calculation.vocabulary import unit_of
from fairwitness.evaluator.facts.grid_words import DAYS
from fairwitness.evaluator.facts.units import NO_UNITS
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

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
_GAP = Pattern(r"[ \t]{2,}")
_DASH = Pattern(r"[ \t][-–—][ \t]")
_SENTENCE = Pattern(r"[.!?][ \t]+\p{Lu}")
# "Marlow Rovers 10 7 1 2"
_NUMBERS = Pattern(
    r"^(?P<key>\pL[^\d,;:|]{1,39}?)(?P<rest>(?:[ \t]+[-+−]?[\d.,:/%]+){2,14})[ \t]*$"
)
_BRACKETED = Pattern(r"[(\[](?P<names>[^()\[\]\n]{3,120})[)\]]\W*$")
_COLUMNS_ARE = Pattern(
    r"\b(?:columns|fields) (?:are|were|show|give|mean)\b:? (?P<names>[^.\n?!]{5,300})",
    ignore_case=True,
)
_YEAR = Pattern(r"^(?:1[89]|20)\d\d$")
_EDGES = " \t*_`"
# Strict forms are written as tables; loose ones may be prose with commas.
_STRICT = frozenset({"pipes", "tabs", "semicolons"})


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
    record = Text(said).search(_RECORD)
    if record is not None:
        low, high = (region.start + at for at in record.span("rest"))
        end = Text(record["rest"]).search(_SENTENCE)
        high = low + end.start if end is not None else high
        fields = _fields(text, Region(low, high))
        key = Region(*(region.start + at for at in record.span("key")))
        return _Line("record", (_trim(text, key), *fields)) if fields else None
    if len(Text(said).matches(_GAP)) >= 1 and (cells := _apart(text, region, _GAP))[1:]:
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
    if form in {"record", "numbers"}:
        if form == "record":
            heads, rows = _labelled(text, rows)
        elif above is not None:
            heads = _heads_above(text, above, width)
    elif run[0].ruled or _is_head(text, rows, form):
        heads, rows = tuple(text.slice(cell) for cell in rows[0]), rows[1:]
    if not heads:
        heads = _named_columns(text, width)
    loose = form not in _STRICT and not (heads and any(heads[1:]))
    if not (_MIN_LOOSE_ROWS if loose else _MIN_ROWS) <= len(rows) <= _MAX_ROWS:
        return None
    if form not in _STRICT and any(_is_long(text, cell) for row in rows for cell in row):
        return None
    return Grid(source, text, region, heads or ("",) * width, tuple(rows))


def _is_long(text: Text, cell: Region) -> bool:
    said = text.slice(cell)
    return len(said) > _MAX_CELL_CHARS or len(said.split()) > _MAX_CELL_WORDS


def _is_head(text: Text, rows: list[tuple[Region, ...]], form: str) -> bool:
    """Tell whether the first row heads the others: it has words where all of them have figures."""
    if not text.slice(rows[0][0]):
        return True
    figured = [
        column
        for column in range(1, len(rows[0]))
        if all(_is_figure(text.slice(row[column])) for row in rows[1:])
    ]
    first = [text.slice(cell) for cell in rows[0]]
    years = [_YEAR.search(said.encode()) for said in first[1:]]
    if years and all(years):
        return not all(_YEAR.search(text.slice(cell).encode()) for cell in rows[1][1:])
    if len(first) > 2 and all(said.lower() in DAYS for said in first[1:]):
        return True
    if figured:
        return not any(_is_figure(first[column]) for column in figured)
    return form in _STRICT and not any(map(_has_digit, first[1:]))


def _is_figure(said: str) -> bool:
    """Tell whether a cell begins with a digit: "£40", and not "Q1"."""
    return said.lstrip("$€£~+-−( ")[:1].isdecimal()


def _has_digit(said: str) -> bool:
    return any(map(str.isdecimal, said))


def _heads_above(text: Text, above: Region, width: int) -> tuple[str, ...]:
    """Return the names of columns of numbers that the line above has: in brackets, or as its last words."""
    said = text.slice(above)
    found = Text(said).search(_BRACKETED)
    names = (found["names"] if found else said).replace(",", " ").replace("/", " ").split()
    if found is None and len(names) == width:
        return tuple(names)
    return ("", *names) if found is not None and len(names) == width - 1 else ()


def _named_columns(text: Text, width: int) -> tuple[str, ...]:
    """Return the names that "The columns are ..." gives."""
    found = text.search(_COLUMNS_ARE)
    if found is None:
        return ()
    names = found["names"].replace(", and ", ", ").replace(" and ", ", ").split(", ")
    return tuple(name.strip() for name in names) if len(names) == width else ()


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
    if last < len(words) and _has_digit(text.slice(words[last - 1])):
        word = text.slice(words[last]).strip(".")
        last += word not in NO_UNITS and unit_of(word) is not None
    kept = words[front:last] or words
    return _trim(text, Region(kept[0].start, kept[-1].end))
