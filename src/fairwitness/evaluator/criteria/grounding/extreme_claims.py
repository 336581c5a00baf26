"""Finds the wrong row called the highest or the lowest of a given table, and wrong totals of its columns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground, words_of
from fairwitness.evaluator.criteria.grounding.table_claims import Row, by_first_word, named, rows_of
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.derivation import tolerance
from fairwitness.evaluator.facts.quantities import YEAR, Quantity, figures
from fairwitness.evaluator.facts.words import content_stems, stem, words_in
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MIN_ROWS, _MAX_ROWS = 2, 60
_MAX_SENTENCES = 12
_MAX_QUESTION_CHARS = 300
_MOST = frozenset("highest largest biggest most greatest longest maximum".split())
_LEAST = frozenset("lowest smallest least fewest shortest minimum".split())
# Superlatives that name their column themselves, and which end of it they are.
_OF_COLUMN = {
    "cheapest": ("price cost fee fare rent", False), "dearest": ("price cost fee fare rent", True),
    "expensive": ("price cost fee fare rent", True), "lightest": ("weight mass", False),
    "heaviest": ("weight mass", True), "tallest": ("height", True), "oldest": ("age", True),
    "youngest": ("age", False), "warmest": ("temperature", True), "hottest": ("temperature", True),
    "coldest": ("temperature", False), "deepest": ("depth", True), "fastest": ("speed", True), "slowest": ("speed", False),
}  # fmt: skip
# What is asked is narrower than the column, or not the first of it.
_NARROWED = Pattern(
    r"\b(?:second|third|next|except|excluding|under|below|above|over|less than|more than|at least|at most|per|each|both|two|among|without|not|combined with|if|only)\b",
    ignore_case=True,
)
_OF_SOME = Pattern(r"\bof (?:these|those|them|the (?:two|three|four|five|six))\b", ignore_case=True)
_CLAUSE = Pattern(r"[,;] | (?:and|while|whereas|but) ", ignore_case=True)
_TOTAL = Pattern(r"\b(?:total(?:s|led)?|altogether|in all|combined|sum)\b", ignore_case=True)
_TOTAL_ROW = ("total", "sum", "average", "mean", "all", "overall")


class _Table(NamedTuple):
    """The rows of a table, and the stems of each column's heading."""

    rows: list[Row]
    headings: list[frozenset[str]]


_DEPENDS = Pattern(r"\bdepend(?:s|ing)? on\b", ignore_case=True)


def extreme_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each row that is called an extreme it is not, and each total that is none."""
    text = ground.response
    table = _table(ground)
    # "It depends: Ruiz scores most often, Okoye has the most goals" gives each reading its own answer.
    if table is None or not ground.both_in_english or _DEPENDS.search(text.utf8):
        return
    keys = by_first_word(table.rows)
    question = _question(ground)
    for at, sentence in enumerate(text.sentences[:_MAX_SENTENCES]):
        said = text.slice(sentence)
        if _NARROWED.search(said.encode()) or _OF_SOME.search(said.encode()) or "|" in said:
            continue
        # A short answer leaves out what the question says.
        asked = Text(said if at else f"{question}\n{said}")
        rows = named(keys, text, sentence)
        if len(superlatives_of(Text(said))) > 1:
            yield from _by_clause(ground, table, keys, sentence)
            continue
        if at == 0 and _NARROWED.search(question.encode()):
            asked = Text(said)
        found = (
            _extreme(ground, table, asked, rows[0], sentence)
            if len(rows) == 1
            else None
            if rows
            else _total(ground, table, asked, sentence)
        )
        if found is not None:
            yield found


def _by_clause(
    ground: Ground, table: _Table, keys: dict[str, list[Row]], sentence: Region
) -> Iterator[Claim]:
    """Yield a claim for each part of a sentence that names one row and calls it one extreme."""
    text = ground.response
    cuts = [match.start for match in text.matches(_CLAUSE) if sentence.start < match.start]
    cuts = [sentence.start, *(cut for cut in cuts if cut < sentence.end), sentence.end]
    for start, end in pairwise(cuts):
        clause = Region(start, end)
        rows = named(keys, text, clause)
        if len(rows) == 1:
            found = _extreme(ground, table, Text(text.slice(clause)), rows[0], clause)
            if found is not None:
                yield found


def superlatives_of(text: Text) -> list[str]:
    """Return the words that call something an extreme."""
    words = (text.lower[start:end] for start, end in text.words)
    return [word for word in words if word in _MOST or word in _LEAST or word in _OF_COLUMN]


def _question(ground: Ground) -> str:
    """Return the last question of the prompt."""
    prompt = ground.prompt
    asked = [s for s in prompt.sentences if prompt.value[s.end - 1] == "?"]
    return prompt.slice(asked[-1])[:_MAX_QUESTION_CHARS] if asked else ""


def _table(ground: Ground) -> _Table | None:
    """Return the only table that was given: rows of as many cells as their heading has."""
    cells, rows = rows_of(ground)
    body = [row for row in rows.values() if not row.key.startswith(_TOTAL_ROW)]
    if not _MIN_ROWS <= len(body) <= _MAX_ROWS:
        return None
    heads = [number for number in cells if number not in rows and number < body[0].unit]
    if not heads or any(len(row.cells) != len(cells[heads[-1]]) for row in body):
        return None
    text = ground.index.units[heads[-1]].text
    return _Table(body, [frozenset(content_stems(text, cell)) for cell in cells[heads[-1]]])


def _column(table: _Table, wanted: set[str]) -> int | None:
    found = [at for at, heading in enumerate(table.headings) if at and heading & wanted]
    return found[0] if len(found) == 1 else None


def _values(ground: Ground, table: _Table, column: int) -> list[Quantity] | None:
    """Return the one quantity that each row has in a column, or None where one has none or several."""
    found = []
    for row in table.rows:
        # By itself: between commas "455,2275" would be one number.
        inside = figures(
            Text(ground.index.units[row.unit].text.slice(row.cells[column]))
        ).quantities
        if len(inside) != 1 or inside[0].dimension == YEAR:
            return None
        found.append(inside[0])
    return found if len({item.unit for item in found}) == 1 else None


def _extreme(
    ground: Ground, table: _Table, asked: Text, row: Row, sentence: Region
) -> Claim | None:
    words = [asked.lower[start:end] for start, end in asked.words]
    superlatives = {w for w in words if w in _MOST or w in _LEAST or w in _OF_COLUMN}
    if len(superlatives - {"most"}) > 1 or not superlatives:
        return None
    word = min(superlatives - {"most"} or superlatives)
    named_column, most = _OF_COLUMN.get(word, ("", word in _MOST))
    wanted = {stem(each) for each in named_column.split()} or {stem(each) for each in words}
    column = _column(table, wanted)
    values = _values(ground, table, column) if column is not None else None
    if values is None or (word == "expensive" and "most" not in words):
        return None
    ordered = sorted(item.value for item in values)
    best = ordered[-1] if most else ordered[0]
    own = next(v for v, each in zip(values, table.rows, strict=True) if each is row)
    if own.value == best or ordered.count(best) > 1:
        return None
    right = next(each for v, each in zip(values, table.rows, strict=True) if v.value == best)
    unit = ground.index.units[right.unit]
    said = next(
        word
        for word in words_in(ground.response, sentence)
        if row.key.startswith(ground.response.lower[word.start : word.end])
    )
    stated = Region(said.start, said.start + len(row.key))
    message = (
        f"Names “{ground.response.slice(stated)}” where the table's {'highest' if most else 'lowest'} "
        f"value is that of “{unit.text.slice(right.cells[0])}”."
    )
    span = Span(right.cells[0].start, right.cells[0].end, unit.source)
    return Claim("extreme", stated, span, ground.against, message)


def _total(ground: Ground, table: _Table, asked: Text, sentence: Region) -> Claim | None:
    stated = [item for item in ground.figures_within(sentence) if not item.label]
    if len(stated) != 1 or not _TOTAL.search(asked.value.encode()) or stated[0].approximate:
        return None
    column = _column(table, {stem(asked.lower[start:end]) for start, end in asked.words})
    values = _values(ground, table, column) if column is not None else None
    if values is None or column is None or values[0].unit not in {stated[0].unit, ""}:
        return None
    total = sum(item.value for item in values)
    if abs(total - stated[0].value) <= max(tolerance(stated[0]), 1e-6 * total):
        return None
    first = table.rows[0]
    unit = ground.index.units[first.unit]
    cell = first.cells[column]
    message = f"States “{words_of(ground.response, stated[0])}” as the total of a column that adds up to {total:,.10g}."
    place = Region(stated[0].start, stated[0].end)
    return Claim("total", place, Span(cell.start, cell.end, unit.source), ground.against, message)
