"""Finds a value of another cell where a sentence names one row and one column of a given table."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.grounding.bounds import is_bound
from fairwitness.evaluator.criteria.grounding.grid_given import Grids, is_supposed
from fairwitness.evaluator.criteria.grounding.grid_parts import Bound
from fairwitness.evaluator.criteria.grounding.grid_reading import Reading, Said, Stated
from fairwitness.evaluator.criteria.grounding.ground import Claim
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.derivation import follows
from fairwitness.evaluator.facts.grid_labels import COLUMN, ROW
from fairwitness.evaluator.facts.grid_values import MIXED, WORDS, Value, alike, same
from fairwitness.evaluator.facts.quantities import YEAR, Quantity
from fairwitness.evaluator.patterns import Pattern

_SMALL = 12
_NEAR_CHARS = 14
# What is said is of another cell too, of what is not so, or of what was worked out.
_OTHERWISE = Pattern(
    r"\b(?:not|no|never|neither|nor|without|than|unlike|instead|rather|except|besides|other|another|would|could|might|if|unless|or|swap\w*|replac\w+|chang\w+|mov\w+|rais\w+|rose|rises?|rising|fell|falls?|falling|grew|grow\w*|"
    r"increas\w+|decreas\w+|drop\w*|gain\w*|added|adds?|up|down|from|until|till|since|after|before|earlier|later|ahead|behind|more|fewer|less|extra|difference|margin|lead|gap|between|total\w*|average\w*|mean|sum|combined|together|"
    r"altogether|overall|all|each|every|both|double|half|twice|times (?:as|the|that|more|\d)|per ?cent\w*|share|last|first|next|previous\w*|compared|versus|second|third|about|around|roughly|nearly|almost|over|under|at least|at most|remaining|left|rest|short|spare|leav\w+ the|worth)\b|n['’]t\b|[=+×*/]\s?\d|→|->",
    ignore_case=True,
)
# "Latin: ...", "| Latin | ...", "Latin is in ...": what is said is said of the row, and not "Anna travels to York".
_OF_ROW = Pattern(r"^[*_]{0,2}\s?(?:[:|–—]|-\s|is |are |has |takes place |meets )")
# "6 of 8", "two of their games"
_PART_OF = Pattern(r"^ (?:out )?of (?:\d|the|their|its|his|her|our|your|those|these)")


def cell_faults(grids: Grids) -> Iterator[Claim]:
    """Yield a claim for each value that its row or its column has in another cell only."""
    text = grids.ground.response
    for reading in grids.readings:
        for said in reading.sentences:
            if is_supposed(text, said.region):
                continue
            for stated in said.stated:
                if stated.row is not None and stated.row.at in grids.noted(reading):
                    continue
                if _is_free(reading, said, stated):
                    continue
                cell = _contradicted(grids, reading, said, stated)
                if cell is not None:
                    yield _claim(grids, reading, stated, cell)
                    break


def _claim(grids: Grids, reading: Reading, stated: Stated, cell: tuple[int, int]) -> Claim:
    grid = reading.grid
    place = grid.rows[cell[0]][cell[1]]
    said = " ".join(grids.ground.response.slice(stated.place).split())
    own = bool(stated.row and stated.column and stated.row.own and stated.column.own)
    # That the row of the request is meant is not said.
    own = own and not (stated.row is not None and not stated.row.own and reading.is_of_asked)
    return Claim(
        "cell",
        stated.place,
        Span(place.start, place.end, grid.source),
        grids.severity(plain=own),
        f"States “{said}” where the table has “{grid.text.slice(place)}”.",
    )


def _is_free(reading: Reading, said: Said, stated: Stated) -> bool:
    """Tell whether a part of a sentence may say something else than what the cell holds."""
    text = reading.ground.response
    piece = list(text.slice(stated.piece))
    for one in said.mentions:
        if stated.piece.contains(one.start):
            # "from platform 4" is of its place.
            lead = 5 * (text.lower[max(0, one.start - 5) : one.start] == "from ")
            at = max(0, one.start - stated.piece.start - lead)
            end = one.end - stated.piece.start
            piece[at:end] = " " * (end - at)
    low, high = stated.place.start - stated.piece.start, stated.place.end - stated.piece.start
    piece[low:high] = " " * (high - low)
    rest = "".join(piece)
    # "from April to July" is the value itself.
    rest = rest[:low].removesuffix("from ") + rest[low:]
    if _OTHERWISE.search(rest.encode()):
        return True
    around = (
        text.value[stated.place.start - 1 : stated.place.start],
        text.value[stated.place.end :][:1],
    )
    if "–" in around or "-" in around:
        return True
    if any(0 <= stated.place.start - one.end <= 1 for one in said.mentions):
        return False
    item = stated.value.number or stated.value.moment
    if item is not None and is_bound(text, item):
        return True
    if stated.value.number is not None and stated.value.number.approximate:
        return True
    return _PART_OF.search(text.value[stated.place.end : stated.place.end + 12].encode())


def _contradicted(
    grids: Grids, reading: Reading, said: Said, stated: Stated
) -> tuple[int, int] | None:
    """Return the cell that says otherwise."""
    if stated.value.kind == WORDS:
        if not _is_value(reading, said, stated):
            return None
    elif grids.tells(stated.value):
        return None
    row, column = stated.row, stated.column
    if row is None:
        return None
    # "on Thursday at 18:00 in room 3" names the column of another value, and so does "$29 for 25 seats".
    other = column is not None and not alike(
        reading.values, column.at, reading.values.cells[row.at][column.at], stated.value
    )
    if column is not None and (row.own or column.own) and not other:
        return _of_both(reading, said, stated, row, column)
    dated = all(" " in word for word in stated.value.words)
    if stated.value.kind == WORDS and not dated:
        return _of_name(grids, reading, said, stated) if column is None and row.own else None
    if column is None or not column.own or other:
        return _of_row(grids, reading, said, stated, row.at)
    return None


def _is_value(reading: Reading, said: Said, stated: Stated) -> bool:
    """Tell whether words are meant as a value: a name or a code, or a word right beside the name of its column."""
    text = reading.ground.response
    beside = any(
        one.axis == COLUMN and 0 <= stated.place.start - one.end <= 3 for one in said.mentions
    )
    if len(stated.value.words) == 1 and len(stated.value.words[0]) == 1:
        return beside
    if text.value[stated.place.start].isupper() or any(
        map(str.isdecimal, text.slice(stated.place))
    ):
        return True
    return any(
        one.axis == COLUMN
        and max(one.start, stated.place.start) - min(one.end, stated.place.end) <= _NEAR_CHARS
        for one in said.mentions
    )


def _of_both(
    reading: Reading, said: Said, stated: Stated, row: Bound, column: Bound
) -> tuple[int, int] | None:
    values, at = reading.values, (row.at, column.at)
    own = values.cells[at[0]][at[1]]
    if not alike(values, at[1], own, stated.value) or same(own, stated.value):
        return None
    if _is_stated(said, own, at):
        return None
    mine, theirs = set(own.words), set(stated.value.words)
    if own.kind == WORDS and (mine <= theirs or theirs <= mine):
        return None
    in_row = any(
        same(cell, stated.value) and alike(values, at_column, cell, stated.value)
        for at_column, cell in enumerate(values.cells[at[0]])
        if at_column
    )
    in_column = any(same(cell, stated.value) for cell in values.column(at[1]))
    # "Rovers won 6, Kestrels scored 17": the column named before is not that of the second value.
    if not (row.own and column.own):
        carried = COLUMN if row.own else ROW
        line = in_row if row.own else in_column
        if line and reading.attributes == carried and not reading.is_series(carried):
            return None
    return at if in_row or in_column else None


def _is_stated(said: Said, own: Value, at: tuple[int, int]) -> bool:
    """Tell whether a sentence has what a cell holds, where it does not say it of another cell."""
    elsewhere = [
        one.place
        for one in said.stated
        if (one.row is not None and one.row.own and one.row.at != at[0])
        or (one.column is not None and one.column.own and one.column.at != at[1])
    ]
    return any(same(own, value) and place not in elsewhere for value, place in said.values)


def _of_row(
    grids: Grids, reading: Reading, said: Said, stated: Stated, row: int
) -> tuple[int, int] | None:
    """Return the cell of a row in whose column other rows alone have a value."""
    values, number = reading.values, stated.value.number
    if number is not None and _is_small(number):
        return None
    if number is not None and not _is_measured(reading, number):
        return None
    if reading.attributes == ROW or any(same(cell, stated.value) for cell in values.cells[row]):
        return None
    columns = _columns_with(reading, stated.value) or _columns_in_unit(grids, reading, stated, row)
    if len(columns) != 1:
        return None
    own = values.cells[row][columns[0]]
    if number is not None and number.dimension == YEAR and not _is_year(own):
        return None
    # A day is no other value than "closed" is.
    if not alike(values, columns[0], own, stated.value) or not all(" " in w for w in own.words):
        return None
    if _is_stated(said, own, (row, columns[0])):
        return None
    mine = [cell.number for cell in values.cells[row] if cell.number is not None]
    if number is not None and follows(number, [*mine, *grids.told[:8]]):
        return None
    if any(cell.kind == MIXED for cell in values.cells[row]):
        return None
    if _is_of_another(reading, stated, columns[0]):
        return None
    return row, columns[0]


def _columns_with(reading: Reading, value: Value) -> list[int]:
    """Return the columns that have a value in some row."""
    return [
        column
        for column in range(1, len(reading.grid.heads))
        if any(
            same(cell, value) and alike(reading.values, column, cell, value)
            for cell in reading.values.column(column)
        )
    ]


def _columns_in_unit(grids: Grids, reading: Reading, stated: Stated, row: int) -> list[int]:
    """Return the columns in which a row has the unit of a number that was nowhere given, among few others."""
    number = stated.value.number
    if number is None or not number.unit or grids.ground.many_figures:
        return []
    if grids.ground.occurrences(number):
        return []
    cells = enumerate(reading.values.cells[row])
    return [at for at, cell in cells if cell.number and cell.number.unit == number.unit]


def _is_year(cell: Value) -> bool:
    return cell.number is not None and cell.number.dimension == YEAR


def _of_name(grids: Grids, reading: Reading, said: Said, stated: Stated) -> tuple[int, int] | None:
    """Return the cell of the one row that a sentence names, in whose column only others have a name."""
    text, rows = grids.ground.response, said.named(ROW)
    columns = _columns_with(reading, stated.value)
    if len(rows) != 1 or len(columns) != 1 or grids.ground.to_change:
        return None
    behind = [text.value[one.end : one.end + 20] for one in said.mentions if one.axis == ROW]
    if not any(_OF_ROW.search(words.encode()) for words in behind):
        return None
    row, column = rows.pop(), columns[0]
    name = " ".join(text.lower[stated.place.start : stated.place.end].split())
    held = {word for cell in reading.values.cells[row] for word in cell.words}
    own = reading.values.cells[row][column]
    # The row has it too, its own is stated here or elsewhere, or the request brings it.
    if own.kind != WORDS or held & {*stated.value.words} or name in grids.outside.lower:
        return None
    if reading.grid.said(row, column).lower() in text.lower:
        return None
    return row, column


def _is_of_another(reading: Reading, stated: Stated, column: int) -> bool:
    """Tell whether the last word of the name of a row with this value stands beside it: "the mill" for "Old mill"."""
    beside = {*reading.ground.response.lower[stated.piece.start : stated.piece.end].split()}
    return any(
        same(cell, stated.value) and reading.grid.said(row, 0).lower().split()[-1:][0] in beside
        for row, cell in enumerate(reading.values.column(column))
        if reading.grid.said(row, 0).strip()
    )


def _is_measured(reading: Reading, number: Quantity) -> bool:
    """Tell whether a column is in the unit of a number: "51 cents" is none of a column of bare numbers."""
    if not number.unit or any(number.unit in units for units in reading.values.units):
        return True
    cells = (cell.number for row in reading.values.cells for cell in row[1:])
    return any(cell is not None and cell.unit == number.unit for cell in cells)


def _is_small(number: Quantity) -> bool:
    """Tell whether a number may count anything."""
    return number.spelled or (not number.unit and number.value <= _SMALL and number.step == 1)
