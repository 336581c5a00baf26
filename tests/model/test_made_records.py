"""Lines about drawn tables, notes, timelines and rules: every label follows from the values that were drawn."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from model import made_notes, made_records, made_rules
from model.tables import Table, drawn
from model.wordings import FALSE, TRUE, bank


def _tables(count: int = 300) -> Iterator[tuple[Table, random.Random]]:
    rng = random.Random(5)
    abouts = bank("records")
    for number in range(count):
        yield drawn(abouts[number % len(abouts)], rng), rng


@pytest.mark.parametrize("kind", ["records", *made_notes.CONTEXTS])
def test_every_place_of_a_wording_is_filled(kind: str) -> None:
    rows = (
        made_records.made(3, 300)
        if kind == "records"
        else made_notes.made(3, {k: 300 * (k == kind) for k in made_notes.CONTEXTS})
    )
    assert len(rows) > 1000
    for row in rows:
        assert not re.search(r"\{\w+\}", row.prompt.replace("{\n", "") + row.response), row
        assert row.against
        assert row.response


def test_labels_are_even_and_twins_stand_beside_each_other() -> None:
    rows = made_records.made(3, 300) + made_notes.made(3, dict.fromkeys(made_notes.CONTEXTS, 100))
    said = Counter(row.targets["contradiction"] > 0.5 for row in rows)
    assert 0.42 < said[True] / len(rows) < 0.55


def test_no_sentence_is_right_and_wrong_of_one_source() -> None:
    labels: dict[tuple[str, str], float] = {}
    for row in made_records.made(3, 400) + made_notes.made(
        3, dict.fromkeys(made_notes.CONTEXTS, 200)
    ):
        known = labels.setdefault((row.prompt, row.response), row.targets["contradiction"])
        assert known == row.targets["contradiction"], row


def test_what_is_said_of_a_cell_is_what_the_cell_holds() -> None:
    seen = 0
    for table, rng in _tables():
        # Names are written in one way only, so that the value can be looked for.
        table.columns = [column for column in table.columns if column["kind"] == "name"]
        if not table.columns:
            continue
        twins = made_records._cell(table, rng)
        if not twins:
            continue
        seen += 1
        right, wrong = twins
        assert right != wrong
        rows = [name for name in table.names if name.lower() in right.lower()]
        cells = [str(table.value(name, one)).lower() for name in rows for one in table.columns]
        assert any(cell in right.lower() for cell in cells), right
    assert seen > 150


def test_extremes_are_extremes() -> None:
    about = {
        "subject": "price list",
        "one": "lamp",
        "many": "lamps",
        "names": ["Alba", "Boro", "Cyan", "Dune"],
        "columns": [
            {
                "name": "Price",
                "kind": "money",
                "low": 5,
                "high": 90,
                "says": ["{e} costs {v}."],
                "more": ["{a} costs more than {b}."],
                "less": ["{a} costs less than {b}."],
                "most": ["{e} is the dearest."],
                "least": ["{e} is the cheapest."],
                "over": ["{n} lamps cost more than {v}."],
                "under": ["{n} lamps cost less than {v}."],
            }
        ],
    }
    rng = random.Random(1)
    for _ in range(300):
        table = drawn(about, rng)
        price = {name: float(str(table.value(name, table.columns[0]))) for name in table.names}
        for said, label in made_records.lines(table, rng):
            if found := re.match(r"(\w+) is the (dearest|cheapest)", said):
                best = max(price.values()) if found[2] == "dearest" else min(price.values())
                assert (price[found[1]] == best) == (label == TRUE), (price, said)
            elif found := re.match(r"(\w+) costs (more|less) than (\w+)\.", said):
                a, b = price[found[1]], price[found[3]]
                assert ((a > b) if found[2] == "more" else (a < b)) == (label == TRUE), (
                    price,
                    said,
                )


def test_a_case_falls_under_its_step() -> None:
    about = {
        "subject": "fines",
        "number": {"low": 1, "high": 30, "unit": "days"},
        "steps": [{"rule": f"r{k}", "means": [f"you pay r{k}"]} for k in range(3)],
        "range": ["{from} to {to} days: {rule}"],
        "below": ["up to {to} days: {rule}"],
        "above": ["{from} days or more: {rule}"],
        "case": ["you are {x} days late"],
    }
    rng = random.Random(2)
    for _ in range(200):
        for text, said, label in made_rules.rules(about, rng):
            numbers = {
                m[2]: int(m[1]) for m in re.finditer(r"(?:[uU]p to|to) (\d+) days: (r\d)", text)
            }
            days = int(re.findall(r"(\d+) days late", text + said)[0])
            step = re.findall(r"r\d", said)[0]
            right = next((r for r in ("r0", "r1") if days <= numbers[r]), "r2")
            assert (step == right) == (label == TRUE), (text, said)
            assert label in (TRUE, FALSE)


def test_an_exception_denies_what_the_rule_grants() -> None:
    about = {
        "subject": "entry",
        "rules": [
            {
                "rule": ["Members enter free, except on holidays."],
                "applies": {"yes": ["you are a member"], "no": ["you are no member"]},
                "exception": {"yes": ["it is a holiday"], "no": ["it is a weekday"]},
                "granted": ["you enter free"],
                "denied": ["you pay"],
            }
        ],
    }
    rng = random.Random(3)
    for _ in range(100):
        for text, said, label in made_rules.cases(about, rng):
            free = "weekday" in text.partition("Members")[0] + said
            assert ("enter free" in said.lower()) == (free == (label == TRUE)), (said, label)


def test_what_is_now_is_not_what_was() -> None:
    about = {
        "subject": "fees",
        "things": [
            {
                "thing": "the fee",
                "values": ["1 euro", "2 euros", "3 euros"],
                "note": ["The fee goes from {old} to {new}."],
                "now": ["You now pay {v}."],
                "before": ["You used to pay {v}."],
            }
        ],
    }
    rng = random.Random(4)
    for _ in range(100):
        for text, said, label in made_rules.changes(about, rng):
            [(old, new)] = re.findall(r"from (.+?) to (.+?)\.", text)
            assert (said in (f"You now pay {new}.", f"You used to pay {old}.")) == (label == TRUE)
