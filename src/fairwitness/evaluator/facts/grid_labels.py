"""Finds where a text names the rows and columns of a grid, in its own words or nearly so: "Thursday" for "Thu", "60 × 90" for "60x90"."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from fairwitness.evaluator.facts.grid_values import NUMBER, TIME, WORDS, Values
from fairwitness.evaluator.facts.grid_words import Token, tokens_of
from fairwitness.evaluator.facts.units import NO_UNITS
from fairwitness.evaluator.facts.words import STOPWORDS, stem
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import unit_of

ROW, COLUMN = "row", "column"
_MIN_PART_CHARS = 4
_MAX_LABEL_TOKENS = 8
_MAX_SAME_FIRST = 30
_CODE_CHARS = 3
_SHORT_UNIT_CHARS = 4
# "this year" and "a week" are no units.
_BEFORE_TIME = frozenset("last this next each every a an per first second".split())
# Of a label they tell nothing: "Loans this year" is of loans, and "Total (kg)" of a total.
_DULL = frozenset(
    "total number name item year month week day date time cost price amount value rate type kind last this next first second open".split()
)

_SHORT = {
    "min": "minimum",
    "max": "maximum",
    "prot": "protein",
    "carb": "carbohydrates",
    "temp": "temperature",
    "qty": "quantity",
    "pts": "points",
    "dept": "department",
}


class Label(NamedTuple):
    """The name of a row or a column: its words, and whether it is only a part of what stands in the grid."""

    axis: str
    at: int
    tokens: tuple[str, ...]
    part: bool = False
    #: A word may stand before its last: "gas mark 6" for "Gas 6".
    wide: bool = False


class Mention(NamedTuple):
    """Where a text names a row or a column."""

    axis: str
    at: int
    start: int
    end: int


class Labels:
    """The names of a grid's rows and columns, to be looked up in a text."""

    def __init__(self, values: Values) -> None:
        """Note each name, and each part of a name that no other has."""
        found = [*_row_labels(values), *_column_labels(values)]
        of_each: dict[tuple[str, ...], set[tuple[str, int]]] = {}
        for one in found:
            of_each.setdefault(one.tokens, set()).add((one.axis, one.at))
        self._by_first: dict[str, list[Label]] = {}
        for one in found:
            # A name of two things names none.
            if len(of_each[one.tokens]) == 1:
                same = self._by_first.setdefault(one.tokens[0], [])
                if len(same) < _MAX_SAME_FIRST:
                    same.append(one)
        self.names = {one.tokens for one in found if not one.part and one.axis == ROW}

    def mentions(self, text: Text, tokens: list[Token]) -> list[Mention]:
        """Return where rows and columns are named: the longest name that fits at each place."""
        found, at = [], 0
        forms = [token.form for token in tokens]
        while at < len(tokens):
            fitting = [
                (reach, one)
                for one in self._by_first.get(forms[at], ())
                if (reach := _reach(forms, at, one))
            ]
            reach, best = max(fitting, key=lambda item: item[0], default=(0, None))
            if best is None or not _is_named(
                text, tokens[at : at + reach], tokens[max(0, at - 1) : at], best
            ):
                at += 1
                continue
            last = tokens[at + reach - 1]
            found.append(Mention(best.axis, best.at, tokens[at].start, last.end))
            at += reach
        return found


def _reach(forms: list[str], at: int, label: Label) -> int:
    """Return how many words from a place on are a name, 0 where they are not."""
    size = len(label.tokens)
    if tuple(forms[at : at + size]) == label.tokens:
        return size
    wide = label.wide and forms[at + 1 : at + 2] and forms[at + 1].isalpha()
    return 3 if wide and (forms[at], *forms[at + 2 : at + 3]) == label.tokens else 0


def _is_named(text: Text, tokens: list[Token], earlier: list[Token], label: Label) -> bool:
    """Tell whether a name is meant: a part of a row's name has a capital, and "too late" is no shift."""
    if label.part and label.axis == ROW and not text.value[tokens[0].start].isupper():
        return False
    if earlier and text.lower[earlier[-1].start : earlier[-1].end] in {"too", "as"}:
        return False
    # "4" of "4.5" and "12" of "12%" are no names.
    last = tokens[-1]
    after = text.value[last.end : last.end + 2]
    whole = not (
        last.form.isdecimal()
        and (after[:1] == "%" or (after[:1] in ".,:" and after[1:].isdecimal()))
    )
    before = text.value[max(0, tokens[0].start - 2) : tokens[0].start]
    return whole and not (
        tokens[0].form.isdecimal() and before[-1:] in set("$€£.,:") and before.strip(" ") != ""
    )


def _row_labels(values: Values) -> list[Label]:
    grid, found = values.grid, []
    naming, head = _naming(values), label_tokens(values.grid.heads[0])
    # "Gas 6" names a row that has only its number.
    numbered = 0 not in naming and len(head) == 1
    for column in [*naming, *([0] if numbered else [])]:
        forms = [label_tokens(grid.said(row, column)) for row in range(len(grid.rows))]
        firsts = Counter(form[0] for form in forms if form)
        fronts = Counter(
            label_tokens(grid.said(row, column).partition(",")[0]) for row in range(len(forms))
        )
        for row, form in enumerate(forms):
            if column == 0 and numbered and head and form:
                found.append(Label(ROW, row, (*head, *form), wide=True))
                continue
            if not form or (form[0] in STOPWORDS and len(form) == 1):
                continue
            found.append(Label(ROW, row, form))
            # "Chickpeas, dry"
            front = label_tokens(grid.said(row, column).partition(",")[0])
            if front != form and front and any(map(_tells, front)) and fronts[front] == 1:
                found.append(Label(ROW, row, front))
            told = (
                len(form) > 1
                and form[0] not in _DULL
                and firsts[form[0]] == 1
                and len(form[0]) >= _MIN_PART_CHARS
            )
            dated = len(form) > 1 and " " in form[0] and firsts[form[0]] == 1
            if dated or (told and form[0].isalpha() and form[0] not in STOPWORDS):
                found.append(Label(ROW, row, form[:1], part=True))
            # "Q3 I can disconnect"
            if len(form) > 2 and len(form[0]) <= _CODE_CHARS and form[1].isdecimal():
                found.append(Label(ROW, row, form[:2], part=True))
                if form[0] in {"q", "Q"}:
                    found.append(Label(ROW, row, ("question", form[1])))
            # "0114 Daisy"
            if len(form) == 2 and form[0].isdecimal() and len(form[1]) > 2:
                found.append(Label(ROW, row, form[1:], part=True))
    return found


def _naming(values: Values) -> list[int]:
    """Return the columns that name the rows: the first, and the second where the first only numbers them."""
    first = values.column(0)
    bare = [
        not any(map(str.isalpha, values.grid.said(row, 0))) and one.kind == NUMBER
        for row, one in enumerate(first)
    ]
    years = all(one.number is not None and one.number.value > 999 for one in first)
    numbered = any(bare) and not years
    named = [] if numbered else [0]
    if len(values.grid.heads) > 1 and (
        numbered or any(_has_digit(values, row) for row in range(len(first)))
    ):
        second = [one.words for one in values.column(1)]
        distinct = len({*second}) == len(second)
        if distinct and all(one.kind == WORDS for one in values.column(1)):
            named.append(1)
    return named


def _has_digit(values: Values, row: int) -> bool:
    return values.cells[row][0].kind != TIME and any(map(str.isdecimal, values.grid.said(row, 0)))


def _column_labels(values: Values) -> list[Label]:
    heads = [_head_tokens(head) for head in values.grid.heads]
    of_heads = Counter(form for head in heads for form in {*head})
    found = []
    for column, head in enumerate(heads):
        if column and (full := _SHORT.get(values.grid.heads[column].lower().strip("."))):
            found.append(Label(COLUMN, column, (stem(full),)))
        if not column or not head:
            continue
        if not (len(head) == 1 and head[0] in STOPWORDS):
            found.append(Label(COLUMN, column, head))
        if len(head) > 1:
            found += [
                Label(COLUMN, column, (form,), part=True)
                for form in head
                if of_heads[form] == 1 and _tells(form)
            ]
    return found


def _tells(form: str) -> bool:
    return (
        form.isalpha()
        and len(form) >= _MIN_PART_CHARS
        and form not in STOPWORDS
        and form not in _DULL
    )


def _head_tokens(head: str) -> tuple[str, ...]:
    """Return the words of a heading without its unit: "rain_mm", "Price (€)", "Requests/min"."""
    bare = head.partition("(")[0].partition("[")[0].partition("/")[0].partition(" per ")[0]
    forms = list(label_tokens(bare.replace("_", " ")))
    words = bare.replace("_", " ").split()
    # "°C fan"
    if len(forms) > 1 and words[0].startswith("°"):
        forms, words = forms[1:], words[1:]
    while (
        len(forms) > 1 and len(words) > 1 and _is_unit(words[-1]) and words[-2] not in _BEFORE_TIME
    ):
        forms, words = forms[:-1], words[:-1]
    alone = len(words) == 1 and len(words[0]) <= _SHORT_UNIT_CHARS and _is_unit(words[0])
    return () if alone else tuple(forms)


def _is_unit(word: str) -> bool:
    """Tell whether a word of a heading is a unit; a capital alone is a name: "Bus A", "L"."""
    return (
        word not in NO_UNITS
        and not (len(word) == 1 and word.isupper())
        and unit_of(word) is not None
    )


def label_tokens(said: str) -> tuple[str, ...]:
    """Return the words of a name of a row or a column."""
    text = Text(said.partition(" (")[0])
    found = tokens_of(text, Region(0, len(text)), label=True)
    return tuple(token.form for token in found) if len(found) <= _MAX_LABEL_TOKENS else ()
