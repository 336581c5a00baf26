"""Checks the tables of a text: totals of columns, totals of rows, and amounts that are a quantity times a price."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.phrase_checks import added_up, amount, decimals
from fairwitness.evaluator.criteria.calculation.totals import NOT_ADDED
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

SIGN = Pattern(r"^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*\|", multiline=True)
_RULE = Pattern(r"^[\s|:-]+$")
_CELL = Pattern(
    r"^[\s*_$€£₹¥]*(?P<number>-?\d{1,3}(?:,\d{3})+(?:\.\d{1,4})?|-?\d{1,12}(?:\.\d{1,4})?)[\s*_€]*(?P<unit>\pL{0,6})[\s*_]*$"
)
_TOTAL = Pattern(r"^[\s*_]*(?:grand |overall )?(?:total|sum)s?\b[\s*_:]*$", ignore_case=True)
_COUNT = Pattern(
    r"^[\s*_]*(?:qty|quantity|hours?|units?|count|number|no\.?|amount bought)\b[^|]*$",
    ignore_case=True,
)
_PRICE = Pattern(
    r"\b(?:price|rate|unit cost|cost per|price per|per unit|each|hourly)\b", ignore_case=True
)
_AMOUNT = Pattern(
    r"^[\s*_]*(?:(?:line |sub-?)?total|amount|total (?:cost|price|pay)|cost|pay|sum|value|earnings)\b[^|]*$",
    ignore_case=True,
)
_MAX_ROWS = 200


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text, where it is, and its number where it is one."""

    text: str
    region: Region
    number: Fraction | None
    written: str


def tables(text: Text) -> Iterator[Check]:
    """Yield a check for every total and amount of the tables in a text."""
    rows: list[list[Cell]] = []
    ruled = False
    for line in [*text.lines, Region(len(text), len(text))]:
        value = text.slice(line)
        if "|" not in value:
            if ruled and len(rows) > 1:
                yield from _table(rows)
            rows, ruled = [], False
        elif _RULE.fullmatch(value) and len(rows) == 1:
            ruled = True
        elif len(rows) <= _MAX_ROWS:
            rows.append(_cells(value, line.start))


def _cells(value: str, start: int) -> list[Cell]:
    cells, at = [], 0
    for piece in value.split("|"):
        found = _CELL.find(piece.encode(), Text(piece).codepoint, limit=1)
        low, high = found[0].span("number") if found else (0, len(piece))
        written = found[0]["number"] if found else ""
        known = amount(written.lstrip("-")) * (-1 if written[:1] == "-" else 1) if written else None
        cells.append(
            Cell(piece.strip(), Region(start + at + low, start + at + high), known, written)
        )
        at += len(piece) + 1
    if cells and not cells[0].text:
        cells = cells[1:]
    return cells[:-1] if cells and not cells[-1].text and value.rstrip().endswith("|") else cells


def _table(rows: list[list[Cell]]) -> Iterator[Check]:
    header, body = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    if len(body) < len(rows) - 1:
        return
    summed = [row for row in body if row and _TOTAL.search(row[0].text.encode())]
    plain = [row for row in body if row not in summed]
    if len(summed) == 1 and body[-1] is summed[0] and len(plain) > 1:
        yield from _columns(header, plain, summed[0])
    yield from _products(header, plain)
    yield from _across(header, plain)


def _columns(header: list[Cell], body: list[list[Cell]], total: list[Cell]) -> Iterator[Check]:
    alone = len(header) == 2  # "price" is added up where nothing says how many
    for at in range(1, len(header)):
        values = [row[at].number for row in body]
        stated = total[at].number
        named = [row[0].text for row in body]
        if not (alone and header[at].text.lower() == "price"):
            named.append(header[at].text)
        if stated is None or None in values or NOT_ADDED.search("\n".join(named).encode()):
            continue
        added = sum((value for value in values if value is not None), Fraction(0))
        if added == stated or not _weighed(body, at, stated):
            yield _check(total[at], added, total[0])


def _weighed(body: list[list[Cell]], at: int, stated: Fraction) -> bool:
    """Tell whether the total counts each row as often as another column says."""
    for other in range(1, len(body[0])):
        pairs = [(row[at].number, row[other].number) for row in body]
        if sum(((one or 0) * (two or 0) for one, two in pairs), Fraction(0)) == stated:
            return True
    return False


def _products(header: list[Cell], body: list[list[Cell]]) -> Iterator[Check]:
    """Check quantity times price where the header names all three."""
    places = [
        [at for at, cell in enumerate(header) if pattern.search(cell.text.encode())]
        for pattern in (_COUNT, _PRICE, _AMOUNT)
    ]
    price = places[1]
    count, result = ([at for at in some if at not in price] for some in (places[0], places[2]))
    if not (len(count) == len(price) == len(result) == 1) or count == result:
        return
    for row in body:
        one, two, stated = row[count[0]].number, row[price[0]].number, row[result[0]].number
        if one is not None and two is not None and stated is not None:
            yield _check(row[result[0]], one * two, row[count[0]])


def _across(header: list[Cell], body: list[list[Cell]]) -> Iterator[Check]:
    """Check a last column called total, where most of the other rows add up to it."""
    if len(header) < 4 or not _TOTAL.search(header[-1].text.encode()):
        return
    named = "\n".join(cell.text for cell in header[1:-1]).encode()
    if NOT_ADDED.search(named) or _PRICE.search(named):
        return
    full = [row for row in body if all(cell.number is not None for cell in row[1:])]
    sums = [sum((cell.number or Fraction(0) for cell in row[1:-1]), Fraction(0)) for row in full]
    fits = sum(row[-1].number == worked for row, worked in zip(full, sums, strict=True))
    if 2 * fits < len(full) or not fits:
        return
    for row, worked in zip(full, sums, strict=True):
        yield _check(row[-1], worked, row[1])


def _check(stated: Cell, worked: Fraction, first: Cell) -> Check:
    number = stated.number or Fraction(0)
    places = decimals(stated.written)
    apart = abs(worked - number)
    slack = Fraction(1, 2 * 10**places) if places or worked.denominator != 1 else Fraction(0)
    broken = worked.denominator != 1
    fixed = added_up(worked, max(places, 2 if broken else 0), stated.written)
    whole = Region(min(first.region.start, stated.region.start), stated.region.end)
    near = apart < 1 and broken
    return Check.of(stated.region, apart <= slack, fixed, whole=whole, rounded=near)
