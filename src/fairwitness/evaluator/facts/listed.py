"""Reads a plain list: items between commas or on lines of their own, as a prompt gives them and a response returns them."""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.facts.written_numbers import read_digits
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

MIN_ITEMS = 3
_MAX_ITEMS = 60
_MAX_ITEM_WORDS = 4
_MAX_CHARS = 2000
_MARK = Pattern(r"^[ \t]*(?:[-*•–+]|\(?\d{1,2}[.)])[ \t]+")
_EDGES = " \t*_`\"'“”‘’[]()."


class Item(NamedTuple):
    """An item of a list: as it is compared, its number where it is one, where it is, and as it is written."""

    key: str
    number: float | None
    place: Region
    written: str


def items_of(text: Text, region: Region) -> list[Item]:
    """Return the items of the list that a region is, or ends with; none where it is no list."""
    if region.end - region.start > _MAX_CHARS:
        return []
    lines = [
        Region(max(line.start, region.start), min(line.end, region.end))
        for line in text.lines
        if line.end > region.start and line.start < region.end
    ]
    lines = [line for line in lines if text.slice(line).strip(_EDGES)]
    if not lines:
        return []
    marked = [line for line in lines if _MARK.search(text.slice(line).encode())]
    if len(marked) >= MIN_ITEMS:
        found = [_item(text, line) for line in marked]
    else:
        rows = [line for line in lines if text.slice(line).count(",") + 1 >= MIN_ITEMS]
        apart = len(lines) >= MIN_ITEMS and not rows
        found = [_item(text, line) for line in lines] if apart else _between_commas(text, rows)
    kept = [item for item in found if item is not None]
    return kept if len(kept) == len(found) and MIN_ITEMS <= len(kept) <= _MAX_ITEMS else []


def _between_commas(text: Text, rows: list[Region]) -> list[Item | None]:
    if len(rows) != 1:
        return []
    start, found = rows[0].start, []
    said = text.slice(rows[0])
    # What leads up to the list: "Sorted: 3, 7, 9".
    lead = said.rfind(":", 0, said.index(","))
    start, said = start + lead + 1, said[lead + 1 :]
    said = _with_whole_numbers(said)
    for piece in (
        said.replace(";", ",").replace(", and ", ",    ,").replace(", or ", ",   ,").split(",")
    ):
        if piece.strip():
            found.append(_item(text, Region(start, start + len(piece))))
        start += len(piece) + 1
    return found


def _with_whole_numbers(said: str) -> str:
    """Hide the commas within numbers, "12,756", where those of the list have a space behind them."""
    if said.count(", ") < MIN_ITEMS - 1:
        return said
    return "".join(
        "."
        if char == "," and said[at - 1].isdecimal() and said[at + 1 : at + 4].isdecimal()
        else char
        for at, char in enumerate(said)
    )


def _item(text: Text, region: Region) -> Item | None:
    said = text.slice(region)
    mark = Text(said).search(_MARK)
    skipped = mark.end if mark else 0
    bare = said[skipped:].strip(_EDGES)
    if not bare or len(bare.split()) > _MAX_ITEM_WORDS:
        return None
    start = region.start + said.index(bare, skipped)
    written = " ".join(bare.split())
    return Item(written.lower(), _number(bare), Region(start, start + len(bare)), written)


def _number(item: str) -> float | None:
    digits = item.lstrip("-−+$€£").rstrip("%")
    if not digits or not digits[0].isdecimal() or digits.strip("0123456789.,"):
        return None
    parsed = read_digits(digits)
    if parsed is None:
        return None
    return -parsed[0] if item[0] in "-−" else parsed[0]
