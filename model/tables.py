"""Drawn tables: some things of a kind, their values, and the forms in which people paste them."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass

from .drawn import Style, capital, draw, written
from .wordings import filled


@dataclass(slots=True)
class Table:
    """Some things of a kind, the columns shown, and the value of each cell."""

    about: dict
    names: list[str]
    columns: list[dict]
    cells: dict[tuple[str, str], object]
    style: Style

    def value(self, name: str, column: dict) -> object:
        return self.cells[name, column["name"]]

    def text(self, name: str, column: dict) -> str:
        value = self.value(name, column)
        if column["kind"] == "yesno":
            return "yes" if value else "no"
        return str(value) if column["kind"] == "name" else written(column, value, self.style)


def drawn(about: dict, rng: random.Random) -> Table:
    """A table with some of the things and columns."""
    names = rng.sample(about["names"], min(len(about["names"]), rng.randint(3, 8)))
    columns = rng.sample(about["columns"], min(len(about["columns"]), rng.randint(2, 5)))
    cells: dict[tuple[str, str], object] = {}
    for column in columns:
        used: set = set()
        for name in names:
            if column["kind"] == "yesno":
                value: object = rng.random() < 0.5
            elif column["kind"] == "name":
                value = rng.choice(column["values"])
            else:
                value = draw(column, rng)
                while value in used and rng.random() < 0.9:
                    value = draw(column, rng)
                used.add(value)
            cells[name, column["name"]] = value
    return Table(about, names, columns, cells, Style.drawn(rng))


def rendered(table: Table, rng: random.Random) -> str:
    """The table as people paste one."""
    heads = [table.about["one"].capitalize(), *(c["name"] for c in table.columns)]
    rows = [[n, *(table.text(n, c) for c in table.columns)] for n in table.names]
    title = rng.choice(
        ("", "", capital(table.about["subject"]) + "\n\n", capital(table.about["subject"]) + ":\n")
    )
    form = rng.randrange(9)
    if form == 0:
        lines = [heads, ["---"] * len(heads), *rows]
        return title + "\n".join(f"| {' | '.join(line)} |" for line in lines)
    if form == 1:
        mark = (
            ";" if any("," in cell for row in rows for cell in row) else rng.choice((",", ",", ";"))
        )
        return title + "\n".join(mark.join(line) for line in [[_key(h) for h in heads], *rows])
    if form == 2:
        mark = rng.choice(("- ", "* ", "", "• "))
        return title + "\n".join(
            f"{mark}{r[0]}: "
            + ", ".join(f"{h.lower()} {v}" for h, v in zip(heads[1:], r[1:], strict=True))
            for r in rows
        )
    if form == 3:
        return title + "\n\n".join(
            r[0] + "\n" + "\n".join(f"{h}: {v}" for h, v in zip(heads[1:], r[1:], strict=True))
            for r in rows
        )
    if form == 4:
        return title + json.dumps(
            [dict(zip(map(_key, heads), r, strict=True)) for r in rows],
            ensure_ascii=False,
            indent=rng.choice((None, None, 1)),
        )
    if form == 5:
        wide = [max(len(line[k]) for line in [heads, *rows]) + 2 for k in range(len(heads))]
        return title + "\n".join(
            "".join(x.ljust(w) for x, w in zip(line, wide, strict=True)).rstrip()
            for line in [heads, *rows]
        )
    if form == 6:
        title = f"{capital(table.about['subject'])} ({', '.join(heads[1:]).lower()})\n"
        mark = rng.choice((" - ", " – ", ": "))
        return title + "\n".join(r[0] + mark + ", ".join(r[1:]) for r in rows)
    # Prose: the sentences of the bank itself, thing by thing or column by column.
    places = [(n, c) for n in table.names for c in table.columns]
    if rng.random() < 0.3:
        places = [(n, c) for c in table.columns for n in table.names]
    return title + " ".join(stated(table, n, c, rng) for n, c in places)


def _key(head: str) -> str:
    return head.lower().replace(" ", "_")


def stated(table: Table, name: str, column: dict, rng: random.Random, value: object = None) -> str:
    """A sentence that says what a cell holds, or that it holds another value."""
    value = table.value(name, column) if value is None else value
    if column["kind"] == "yesno":
        return rng.choice(column["yes" if value else "no"]).replace("{e}", name)
    # An answer need not write a value as its source does.
    style = table.style if rng.random() < 0.6 else Style.drawn(rng)
    shown = str(value) if column["kind"] == "name" else written(column, value, style)
    return filled(rng.choice(column["says"]), e=name, v=shown)
