"""Finds the tables, records, lists of figures and logs of a prompt: neighbouring lines of one form."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from fairwitness.evaluator.given.orders import ORDER
from fairwitness.evaluator.given.task import changes, speaks_of_change
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MIN_ROWS = 2
_MIN_FIELDS = 3
_MIN_ROW_CHARS, _MAX_ROW_CHARS = 4, 400
_MAX_BLOCK_CHARS = 3000


def rows_of(prompt: Text) -> Iterator[Region]:
    """Yield tables and records: neighbouring lines of one form."""
    run: list[Region] = []
    kind = ""
    asks = _asks_of_log(prompt)
    paragraphs = _Paragraphs(prompt)
    for line in [*prompt.lines, Region(len(prompt), len(prompt))]:
        now = _row_kind(prompt.slice(line))
        if now != kind or not now:
            needed = _MIN_ROWS if kind in {"table", "tsv"} else _MIN_FIELDS
            if kind and len(run) >= needed and (asks or kind != "log"):
                yield paragraphs.around(Region(run[0].start, run[-1].end))
            run, kind = [], now
        if now:
            run.append(line)


def _asks_of_log(prompt: Text) -> bool:
    """Tell whether a log, or a programme, is a source: not where it is to be changed."""
    ends = [
        prompt.slice(each).rstrip() for each in (*prompt.paragraphs[:1], *prompt.paragraphs[-1:])
    ]
    if any(said.endswith("?") for said in ends):
        return True
    orders = "\n".join(said for said in ends if ORDER.search(said.encode()))
    return bool(orders) and not (changes(orders) or speaks_of_change(orders))


class _Paragraphs:
    """The paragraphs of a prompt, each asked for once."""

    def __init__(self, prompt: Text) -> None:
        self._prompt = prompt
        self._starts = [paragraph.start for paragraph in prompt.paragraphs]
        self._seen: set[int] = set()

    def around(self, rows: Region) -> Region:
        """Return rows with the lines around them in their paragraph, where none of these asks or orders."""
        prompt, at = self._prompt, bisect_right(self._starts, rows.start) - 1
        if at < 0 or at in self._seen:
            return rows
        self._seen.add(at)
        start, end = prompt.paragraphs[at]
        if end < rows.end or end - start > _MAX_BLOCK_CHARS:
            return rows
        others = f"{prompt.value[start : rows.start]}\n{prompt.value[rows.end : end]}".split("\n")
        said = [line.strip() for line in others if line.strip()]
        asks = any(line.endswith(("?", ":")) or ORDER.search(line.encode()) for line in said)
        return rows if asks else prompt.paragraphs[at]


def _row_kind(line: str) -> str:
    line = line[:_MAX_ROW_CHARS].strip(" ")
    if len(line) < _MIN_ROW_CHARS:
        return ""
    if line.count("|") >= 2:
        return "table"
    if _FIELD.search(line.encode()):
        return "field"
    if line.count(",") >= 2 and len(line) < 160 and _CSV.search(line.encode()):
        return "csv"
    if line.count("\t") >= 1:
        return "tsv"
    if line.count(";") >= 2 and len(line) < 160 and line[-1] not in ";{}":
        return "semicolons"
    if _NUMBERED.search(line.encode()):
        return "numbered"
    if _AMOUNT.search(line.encode()):
        return "columns"
    if line.count("  ") >= 2 and len([cell for cell in line.split("  ") if cell]) >= _MIN_FIELDS:
        return "columns"
    return "log" if _LOGGED.search(line.encode()) else ""


_FIELD = Pattern(
    r"^[ \t*_-]{0,4}(?:\d{1,2}[.)] )?[A-Z][\pL\d /()&.’'-]{0,34}[*_]{0,2}:[*_]{0,2}[ \t]+\S"
)
# "#12 late parcel", "AB-12 late parcel", and a name and an amount with a gap between them.
_NUMBERED = Pattern(r"^(?:#\d{1,6}|[A-Z]{1,5}-?\d{1,6})[:.]?\s+\pL")
_AMOUNT = Pattern(r"^\pL[^\n]*?(?: {2,}|[ .]{4,})[-+−$€£]?\d[\d.,:]*\s?[\pL%°$€£/]{0,8}$")
# "Hartmann 41", "Study desks - 58", and what begins with a time: a chat, a log, a programme.
_LOGGED = Pattern(
    r"^\[[^\]\n]{3,24}\]\s\S|^[ \t*-]{0,4}\d{1,2}[:.]\d\d\s\S|^[ \t*-]{0,4}[A-Z][\pL’' -]{1,34}\s(?:[-–—=]\s)?[$€£]?\d[\d.,:]*\s?[\pL%]{0,8}$"
)
_CSV = Pattern(r"^[^.!?]*[\d$€£%][^.!?]*(?:[.]\d[^.!?]*)*$|^[\pL ]+(?:, ?[\pL ]+){2,}$")
