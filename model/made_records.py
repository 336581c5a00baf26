"""Tables of drawn values in many forms, and lines about them that are right or wrong in one thing.

The words come from banks/records*.jsonl: what the things are, their columns, and how people say what a cell holds, which is
more, and how many there are. Every right line has a wrong twin, mostly in the same wording, so that the wording does not reveal
the label.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from fairwitness.evaluator.readers.sources import PASSAGE

from .drawn import counted, draw, written
from .rows import Row
from .tables import Table, drawn, rendered, stated
from .wordings import ABSENT, FALSE, LINES, TRUE, Label, bank, filled, marked

SOURCE, CONTEXTS = "made_records", 8000
Twins = tuple[str, str] | None


def _cell(table: Table, rng: random.Random) -> Twins:
    name, column = rng.choice(table.names), rng.choice(table.columns)
    right = table.value(name, column)
    if column["kind"] == "yesno":
        wrong: object = not right
    else:
        others = [table.value(n, column) for n in table.names if table.value(n, column) != right]
        if not others:
            return None
        wrong = rng.choice(others)
        if column["kind"] != "name" and rng.random() < 0.15:
            wrong = draw(column, rng)
            if wrong == right:
                return None
    same = rng.random()
    first = random.Random(same) if rng.random() < 0.6 else rng
    second = random.Random(same) if first is not rng else rng
    return stated(table, name, column, first, right), stated(table, name, column, second, wrong)


def _row(table: Table, rng: random.Random) -> Twins:
    """A list item with several cells, one of them another row's."""
    columns = [c for c in table.columns if c["kind"] != "yesno"]
    if len(columns) < 2:
        return None
    name = rng.choice(table.names)
    columns = rng.sample(columns, rng.randint(2, min(3, len(columns))))
    right = [table.text(name, c) for c in columns]
    at = rng.randrange(len(columns))
    others = [x for x in (table.text(n, columns[at]) for n in table.names) if x != right[at]]
    if not others:
        return None
    wrong = [*right[:at], rng.choice(others), *right[at + 1 :]]
    named = [c["name"].lower() for c in columns]
    form = rng.choice(
        (
            "- **{e}:** {list}",
            "**{e}**: {list}",
            "{e}: {list}",
            "- {e} ({list})",
            "* {e} – {list}",
            "| {e} | {cells} |",
            "{e}, {list}.",
        )
    )
    label = rng.random() < 0.4

    def line(values: list[str]) -> str:
        shown = [f"{h} {v}" if label else v for h, v in zip(named, values, strict=True)]
        return filled(form, e=name, list=", ".join(shown), cells=" | ".join(values))

    return line(right), line(wrong)


def _which(table: Table, rng: random.Random) -> Twins:
    columns = [c for c in table.columns if c["kind"] == "name" and c.get("which")]
    if not columns:
        return None
    column = rng.choice(columns)
    shown = [table.value(n, column) for n in table.names]
    alone = [n for n in table.names if shown.count(table.value(n, column)) == 1]
    if not alone or len(table.names) < 2:
        return None
    name = rng.choice(alone)
    other = rng.choice([n for n in table.names if n != name])
    said = rng.choice(column["which"])
    value = str(table.value(name, column))
    return filled(said, v=value, e=name), filled(said, v=value, e=other)


def _ordered(table: Table) -> list[dict]:
    return [c for c in table.columns if c["kind"] not in ("name", "yesno")]


def _compared(table: Table, rng: random.Random) -> Twins:
    columns = _ordered(table)
    if not columns:
        return None
    column = rng.choice(columns)
    a, b = rng.sample(table.names, 2)
    x, y = table.value(a, column), table.value(b, column)
    if x == y:
        return None
    if x < y:
        a, b = b, a
    more, less = rng.choice(column["more"]), rng.choice(column["less"])
    turn = rng.random()
    if turn < 0.35:
        return filled(more, a=a, b=b), filled(more, a=b, b=a)
    if turn < 0.7:
        return filled(less, a=b, b=a), filled(less, a=a, b=b)
    return filled(more, a=a, b=b), filled(less, a=a, b=b)


def _extreme(table: Table, rng: random.Random) -> Twins:
    columns = _ordered(table)
    if not columns or len(table.names) < 3:
        return None
    column = rng.choice(columns)
    order = sorted(table.names, key=lambda n: table.value(n, column))
    values = [table.value(n, column) for n in order]
    top = rng.random() < 0.5
    if top:
        order.reverse()
        values.reverse()
    if values[0] == values[1]:
        return None
    said = rng.choice(column["most" if top else "least"])
    wrong = order[1] if rng.random() < 0.5 else rng.choice(order[1:])
    tail = rng.random() < 0.25 and said.endswith(".")

    def line(name: str) -> str:
        text = filled(said, e=name)
        return f"{text[:-1]} ({table.text(name, column)})." if tail else text

    return line(order[0]), line(wrong)


def _counted(table: Table, rng: random.Random) -> Twins:
    column = rng.choice(table.columns)
    if column["kind"] == "yesno":
        number, value = sum(bool(table.value(n, column)) for n in table.names), ""
        said = rng.choice(column["count"])
    elif column["kind"] == "name":
        if not column.get("count"):
            return None
        value = str(rng.choice([table.value(n, column) for n in table.names]))
        number = sum(table.value(n, column) == value for n in table.names)
        said = rng.choice(column["count"])
    else:
        values = [table.value(n, column) for n in table.names]
        line = draw(column, rng)
        over = rng.random() < 0.5
        if line in values:
            return None
        number = sum((v > line) == over for v in values)
        value = written(column, line, table.style)
        said = rng.choice(column["over" if over else "under"])
    every = len(table.names)
    if (
        number != 1
        and said.startswith("{n} of the")
        and (number in (0, every) or rng.random() < 0.2)
    ):
        right = {0: "None", every: "All"}.get(number, "Some")
        other = rng.choice({"None": ("All", "Some"), "All": ("None",)}.get(right, ("All", "None")))
        return filled(said, n=right, v=value), filled(said, n=other, v=value)
    if not 2 <= number <= 9:
        return None
    wrong = number + rng.choice((-1, 1, 1, 2))
    if wrong < 2:
        return None
    words = rng.random()
    return tuple(  # type: ignore[return-value]
        filled(said, n=counted(n, random.Random(words)), v=value) for n in (number, wrong)
    )


def _best_of_some(table: Table, rng: random.Random) -> Twins:
    """A row looked up by two conditions."""
    some = [c for c in table.columns if c["kind"] in ("name", "yesno")]
    columns = _ordered(table)
    if not some or not columns:
        return None
    by, column = rng.choice(some), rng.choice(columns)
    value = table.value(rng.choice(table.names), by)
    among = sorted(
        (n for n in table.names if table.value(n, by) == value),
        key=lambda n: table.value(n, column),
    )
    if len(among) < 2 or len(among) == len(table.names):
        return None
    top = rng.random() < 0.5
    if top:
        among.reverse()
    if table.value(among[0], column) == table.value(among[1], column):
        return None
    word = ("yes" if value else "no") if by["kind"] == "yesno" else value
    lead = rng.choice(
        (
            "Of those with {h} {v}",
            "Among the {many} with {h} {v}",
            "If {h} must be {v}",
            "Looking only at {h} {v}",
        )
    )
    said = rng.choice(column["most" if top else "least"])
    lead = filled(lead, h=by["name"].lower(), v=str(word), many=table.about["many"])
    return tuple(f"{lead}: {filled(said, e=name)}" for name in (among[0], among[1]))  # type: ignore[return-value]


KINDS = (
    (_cell, 34),
    (_row, 16),
    (_which, 8),
    (_compared, 13),
    (_extreme, 14),
    (_counted, 9),
    (_best_of_some, 6),
)


def lines(table: Table, rng: random.Random) -> Iterator[tuple[str, Label]]:
    """Twins, and now and then what the table does not tell."""
    kinds, weights = zip(*KINDS, strict=True)
    for kind in rng.choices(kinds, weights, k=LINES):
        twins = kind(table, rng)
        if twins and twins[0] != twins[1]:
            yield twins[0], TRUE
            yield twins[1], FALSE
    if table.about.get("absent") and rng.random() < 0.5:
        yield filled(rng.choice(table.about["absent"]), e=rng.choice(table.names)), ABSENT


def made(seed: int = 0, contexts: int = CONTEXTS) -> list[Row]:
    """Rows about drawn tables; all lines about a subject are on one side of the split."""
    rng, rows = random.Random(seed), []
    abouts = bank("records")
    for number in range(contexts if abouts else 0):
        about = abouts[number % len(abouts)]
        table = drawn(about, rng)
        text = rendered(table, rng)
        rows += [
            marked(SOURCE, text, said, about["subject"], label)
            for said, label in lines(table, rng)
            if len(text) <= PASSAGE
        ]
    return rows
