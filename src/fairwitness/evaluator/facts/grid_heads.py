"""Finds the headings of a table's columns: in its first row, in the line above it, or where a sentence lists them."""

from __future__ import annotations

from fairwitness.evaluator.facts.grid_words import DAYS
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

# Strict forms are written as tables; loose ones may be prose with commas.
STRICT = frozenset({"pipes", "tabs", "semicolons"})
GAP = Pattern(r"[ \t]{2,}")
_YEAR = Pattern(r"^(?:1[89]|20)\d\d$")
_TIME = Pattern(r"^\d{1,2}[:.]\d\d$")
_BRACKETED = Pattern(r"[(\[](?P<names>[^()\[\]\n]{3,120})[)\]]\W*$")
_UNIT_BEHIND = Pattern(r"[ \t]*\([^()]{1,12}\)[ \t:]*$")
_COLUMNS_ARE = Pattern(
    r"\b(?:columns|fields) (?:are|were|show|give|mean)\b:? (?P<names>[^.\n?!]{5,300})",
    ignore_case=True,
)
_WORD = Pattern(r"\pL+|\d")
_MAX_NAME_CHARS = 40
_MIN_TIMES = 2
_MARKS = frozenset({"yes", "no", "-", "–", "—", "maybe", "none"})


def is_head(text: Text, rows: list[tuple[Region, ...]], form: str) -> bool:
    """Tell whether the first row heads the others: it has words where all of them have figures."""
    if not text.slice(rows[0][0]):
        return True
    first = [text.slice(cell) for cell in rows[0]]
    below = [[text.slice(row[column]) for row in rows[1:]] for column in range(len(first))]
    # "up to 30 min  free" is a row like "up to 1 h  2.00".
    if form not in STRICT and has_digit(first[0]):
        numbered = sum(map(has_digit, below[0]))
        if 2 * numbered >= len(rows) - 1:
            return False
    figured = [column for column in range(1, len(first)) if all(map(_is_figure, below[column]))]
    years = [_YEAR.search(said.encode()) for said in first[1:]]
    if years and all(years):
        return not all(_YEAR.search(said[0].encode()) for said in below[1:])
    if len(first) > 2 and all(said.lower() in DAYS for said in first[1:]):
        return True
    # Above times of day, "21A" is a name.
    timed = [column for column in figured if all(_TIME.search(s.encode()) for s in below[column])]
    if len(timed) >= _MIN_TIMES and len(timed) == len(first) - 1:
        return not any(_TIME.search(first[column].encode()) for column in timed)
    if figured:
        return not any(_is_figure(first[column]) for column in figured)
    if form == "dashes":
        return _heads_dashes(first, below)
    return form in STRICT and not any(map(has_digit, first[1:]))


def _heads_dashes(first: list[str], below: list[list[str]]) -> bool:
    """Tell whether a row between dashes heads rows of dates, times, months or marks, of which it has none."""
    valued = [column for column in range(1, len(first)) if all(map(_is_valued, below[column]))]
    return bool(valued) and not any(_is_valued(said) for said in first)


def _is_valued(said: str) -> bool:
    words = {match.text.lower() for match in Text(said).matches(_WORD, limit=12)}
    return said.lower() in _MARKS or has_digit(said) or bool(words & DAYS.keys())


def _is_figure(said: str) -> bool:
    """Tell whether a cell begins with a digit: "£40", and not "Q1"."""
    return said.lstrip("$€£~+-−( ")[:1].isdecimal()


def has_digit(said: str) -> bool:
    """Tell whether a digit is in what is said."""
    return any(map(str.isdecimal, said))


def heads_above(text: Text, above: Region, width: int, form: str) -> tuple[str, ...]:
    """Return the names of columns that the line above has: parted as the rows are, in brackets, or as its words."""
    said = text.slice(above)
    if form == "slashes":
        return _between_slashes(said, width)
    if form == "gaps":
        parted = [piece.strip() for piece in _parts(said)]
        if 1 < len(parted) in {width - 1, width} and not any(map(_is_figure, parted)):
            return ("",) * (width - len(parted)) + tuple(parted)
        if not said[:1].isspace():
            return ()
    found = Text(said).search(_BRACKETED)
    names = (found["names"] if found else said).replace(",", " ").replace("/", " ").split()
    if found is None and len(names) == width and form != "gaps":
        return tuple(names)
    indented = found is None and said[:1].isspace() and not any(map(_is_figure, names))
    return ("", *names) if (found is not None or indented) and len(names) == width - 1 else ()


def _parts(said: str) -> list[str]:
    found, at = [], 0
    for match in Text(said).matches(GAP, limit=20):
        found.append(said[at : match.start])
        at = match.end
    return [piece for piece in (*found, said[at:]) if piece.strip()]


def _between_slashes(said: str, width: int) -> tuple[str, ...]:
    """Return names between slashes: "Survey, agree / neutral / disagree (%)"; the first is behind the last comma."""
    unit = Text(said).search(_UNIT_BEHIND)
    bare = said[: unit.start] if unit else said
    names = [name.strip() for name in bare.split(" / ")]
    names[0] = names[0].rpartition(", ")[2].rpartition(": ")[2]
    fits = len(names) in {width - 1, width} and len(names) > 1
    short = all(0 < len(name) <= _MAX_NAME_CHARS for name in names)
    if not fits or not short or any(map(_is_figure, names)):
        return ()
    tail = said[unit.start :].strip(" :") if unit else ""
    return ("",) * (width - len(names)) + tuple(f"{name} {tail}".strip() for name in names)


def named_columns(text: Text, width: int) -> tuple[str, ...]:
    """Return the names that "The columns are ..." gives."""
    found = text.search(_COLUMNS_ARE)
    if found is None:
        return ()
    names = found["names"].replace(", and ", ", ").replace(" and ", ", ").split(", ")
    return tuple(name.strip() for name in names) if len(names) == width else ()
