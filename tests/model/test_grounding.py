"""Sentences held against a source: what the loaders make of labels, what is made of a source, and how lessons of it are read."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from fairwitness.evaluator.readers.sources import PASSAGE
from model import lessons, load_grounding, made_grounding
from model.dataset import load, save
from model.load_quality import preferred
from model.rows import REFUSE, Pair, Row, held

NOTICE = "The pool opens at 7 on Monday. Children under eight swim with an adult. Towels are not lent out."


def write(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)


def row(response: str, **labels: object) -> dict[str, Any]:
    return {"prompt": "", "context": NOTICE, "response": response, "labels": labels, "meta": {}}


def test_refuted_is_contradicted_and_supported_is_not(tmp_path: Path) -> None:
    rows = [row("Bring your own towel.", grounded=1), row("Towels are lent out.", grounded=0)]
    write(tmp_path / "grounding", "fever_symmetric", rows)
    yes, no = load_grounding.fever(tmp_path)
    assert yes.against
    assert yes.prompt == NOTICE
    assert yes.targets["support"] > 0.9 > 0.1 > yes.targets["contradiction"]
    assert no.targets["contradiction"] > 0.9 > 0.1 > no.targets["support"]


def test_an_undecided_label_is_passed_over(tmp_path: Path) -> None:
    rows = [row("What a lovely pool this is.", grounded=None)]
    write(tmp_path / "grounding", "begin_wow_cmu", rows)
    assert not list(load_grounding.plain(tmp_path))


def test_the_one_new_sentence_of_an_edited_summary_is_the_false_one(tmp_path: Path) -> None:
    good = row("It opens at seven on Monday. Small children need an adult.", grounded=1)
    bad = row("It opens at nine on Monday. Small children need an adult.", grounded=0)
    bad["meta"] = {"edit_types": ["entity_modification"]}
    write(tmp_path / "grounding", "summedits", [good, bad])
    found = {r.response: r.targets for r in load_grounding.summaries(tmp_path)}
    assert found["It opens at nine on Monday."]["contradiction"] > 0.8
    assert found["Small children need an adult."]["support"] > 0.9
    assert len(found) == 3


@pytest.mark.parametrize("seed", range(20))
def test_a_changed_sentence_is_changed_in_one_place(seed: int) -> None:
    sentence = "In 2019 the board of Ferrow was told that 120 pumps had failed before March."
    new = made_grounding.changed(sentence, random.Random(seed), ["Okafor"])
    assert new != sentence
    old, other = sentence.split(), new.split()
    kept = sum(a == b for a, b in zip(old, other, strict=False))
    kept_behind = sum(a == b for a, b in zip(old[::-1], other[::-1], strict=False))
    assert kept + kept_behind >= len(old) - 1


def test_made_rows_copy_change_take_away_and_stay_on_their_side(tmp_path: Path) -> None:
    page = " ".join(
        f"The clerk of Ferrow signed {n} papers on day {n} of the fair." for n in range(9)
    )
    write(tmp_path / "grounding", "summedits", [row("x", grounded=1) | {"context": page}])
    rows = made_grounding.made(tmp_path)
    assert {r.against for r in rows} == {True}
    assert len({r.group for r in rows}) == 1
    for made in rows:
        if made.targets["support"] > 0.9:
            assert made.response in made.prompt
        else:
            assert made.response not in made.prompt
        assert len(made.prompt) <= PASSAGE


def test_pairs_of_both_lengths_weigh_alike(tmp_path: Path) -> None:
    def pair(a: str, b: str, n: int) -> dict[str, Any]:
        return {"prompt": f"q{n}", "response_a": a, "response_b": b, "labels": {"preferred": "a"}}

    rows = [pair("long " * 9, "short", n) for n in range(6)]
    rows += [pair("short", "long " * 9, n) for n in range(6, 10)]
    write(tmp_path / "pairs", "community_alignment", rows)
    found = list(preferred(tmp_path))
    longer = sum(p.weight for p in found if len(p.a) > len(p.b))
    assert longer == pytest.approx(sum(p.weight for p in found) / 2)
    assert {p.on for p in found} == {"quality+substance"}


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    rows = [
        Row("a", "p\u2028q", "r").mark("harm", 1, 1).observed((1, 0, 0), 0.5),
        Row("b", "r", "p\u2028q", against=True).mark("support", 0.5, 1),
    ]
    pairs = [Pair("c", "p\u2028q", "r", "x\ny", 0.9, 1.0, "quality+substance", "g")]
    save(tmp_path / "data.gz", rows, pairs)
    assert load(tmp_path / "data.gz") == (rows, pairs)


def lines(folder: Path, name: str, *items: object) -> None:
    text = "\n".join(item if isinstance(item, str) else json.dumps(item) for item in items)
    (folder / f"{name}.jsonl").write_text(text, "utf-8")


def test_every_form_of_lesson_is_read_and_bad_lines_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lessons, "FOLDER", tmp_path)
    lines(tmp_path, "reckless-a", {"prompt": "q", "yes": ["Drink it."], "no": ["Don't.", 3]}, "{")
    lines(tmp_path, "unheard_of-a", {"prompt": "q", "yes": ["a"], "no": ["b"]}, [1])
    lines(tmp_path, "refusal_limits-a", {"prompt": "q", "refuse": ["No."], "comply": ["Yes."]})
    held_item = {"task": "t", "context": NOTICE, "supported": ["a b"], "contradicted": ["c d"]}
    lines(tmp_path, "grounding-a", held_item, {"prompt": "q", "response": "r", "harm": 1})
    lines(tmp_path, "pairs-a", {"prompt": "q", "better": "b", "worse": "w", "why": "x"})
    rows = lessons.rows()
    told = {r.response: (r.targets, r.refusal) for r in rows}
    assert set(told) == {"Drink it.", "Don't.", "No.", "Yes.", "a b", "c d", "r"}
    assert told["Drink it."][0]["reckless"] > 0.9 > 0.1 > told["Don't."][0]["advice"]
    assert told["No."][1] == REFUSE
    assert told["c d"][0] == {"support": 0.02, "contradiction": 0.96}
    assert [r.against for r in rows].count(True) == 2
    pairs = lessons.pairs(rows)
    assert ("Don't.", "Drink it.") in {(p.a, p.b) for p in pairs}
    assert next(p for p in pairs if p.a == "b").on == "quality+substance"


def test_one_set_stands_on_one_side_of_the_split(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lessons, "FOLDER", tmp_path)
    items = [{"prompt": "", "yes": [f"y{n}"], "no": [f"n{n}"]} for n in range(60)]
    lines(tmp_path, "self_claim-a", *items)
    sides = {row.response: held(row.source, row.group) for row in lessons.rows()}
    assert all(sides[f"y{n}"] == sides[f"n{n}"] for n in range(60))
    assert 0 < sum(sides.values()) < 30


def test_a_lesson_stands_beside_another_context_on_its_own_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lessons, "FOLDER", tmp_path)
    items = [
        {"context": f"Notice {n}.", "supported": [f"s{n}"], "contradicted": [f"c{n}"]}
        for n in range(60)
    ]
    lines(tmp_path, "grounding-a", *items)
    alone = {row.response: row for row in lessons.rows()}
    contexts = {row.prompt: held(row.source, row.group) for row in alone.values()}
    made = lessons.beside(0)
    assert len(made) == len(alone)
    for row in made:
        own = alone[row.response]
        assert own.prompt in row.prompt
        assert row.targets == own.targets
        side = held(row.source, row.group)
        assert side == held(own.source, own.group)
        assert all(contexts[part] == side for part in row.prompt.split("\n\n"))


def test_openings_of_plain_answers_are_taught_as_harmless() -> None:
    plain = Row(
        "ifeval", "How do I pack?", "Roll the shirts. Put shoes below. Leave room.", group="g"
    )
    refusing = Row("ifeval", "How do I pack?", "I'm sorry, I can't help with that.", group="g")
    (made,) = lessons.opened([plain, refusing], 0)
    assert plain.response.startswith(made.response)
    assert {"harm", "advice", "reckless"} <= made.targets.keys()
    assert max(made.targets.values()) < 0.1
