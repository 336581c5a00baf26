"""Measures how often each rule criterion decides rightly, and writes the table that its confidence is read from.

Run `python -m model.confidence DATA [CRITERION...]`, DATA being the folder with train/. Every criterion is asked about
labelled rows of which half have the fault: rows people or machines labelled, plain good answers as they are
and with a fault put in by machine, our own sets, and the lessons written for a signal the rules know nothing
of. Only the rules' own verdict counts; no row of a benchmark is used.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import msgspec

from fairwitness.benchmark import calculation, coherence, own_sets, privacy
from fairwitness.benchmark import honesty_and_independence as character
from fairwitness.benchmark import output_safety as hazards
from fairwitness.benchmark.false_alarms import good_rows
from fairwitness.benchmark.rows import Row, load, locate
from fairwitness.evaluator import scoring, shipped
from fairwitness.evaluator.confidence import TABLE, Measured, Table, table
from fairwitness.evaluator.criteria import independence
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.text import Text

from . import lessons
from .rows import held

OUT = Path(__file__).parent.parent / "src/fairwitness/evaluator/protocols" / TABLE
MAX_ROWS = 300  # of each label
MAX_CHARS = 6_000
_SEED = 0


class Labelled(NamedTuple):
    """One exchange, and whether it has the fault that a criterion looks for."""

    prompt: str
    response: str
    faulty: bool


Rows = Iterator[Labelled]


def main(data: Path, names: Sequence[str]) -> None:
    """Measure the named criteria, all where none is named, and write the table."""
    found = dict(table().criteria) if names else {}
    for name in names or _SOURCES:
        found[name] = _measured(name, data, *_SOURCES[name])
    made = Table(
        date=datetime.now(UTC).date().isoformat(),
        evaluator_version=shipped().version,
        criteria=found,
    )
    OUT.write_text(json.dumps(msgspec.to_builtins(made), indent=2) + "\n", encoding="utf-8")
    for name, item in found.items():
        shares = [f"{item.share(passed=passed):.2f}" for passed in (True, False)]
        print(f"{name}: pass {shares[0]} of {item.passed}, alarm {shares[1]} of {item.alarmed}")


def _measured(
    criterion: str, data: Path, sets: Sequence[str], rows: Callable[[list[Row]], Rows]
) -> Measured:
    loaded: list[Row] = []
    for name in sets:
        if name.startswith("train/"):
            path = locate(data, name)
            assert path is not None, f"{name} is not in {data}"
            loaded += load(path, name).rows
    passed = rightly_passed = alarmed = rightly_alarmed = 0
    for row in _balanced(rows(loaded)):
        judgement = shipped().judge(criterion, Exchange(row.prompt, row.response))
        if not judgement.applicable:
            continue
        protocol = shipped().protocol
        passes = scoring.score(judgement, protocol[criterion], protocol).verdict == "pass"
        passed, alarmed = passed + passes, alarmed + (not passes)
        rightly_passed += passes and not row.faulty
        rightly_alarmed += not passes and row.faulty
    return Measured(
        sets=list(sets),
        passed=passed,
        rightly_passed=rightly_passed,
        alarmed=alarmed,
        rightly_alarmed=rightly_alarmed,
    )


def _balanced(rows: Rows) -> list[Labelled]:
    """Return as many rows with the fault as without, drawn by their digests."""
    sides: tuple[list[Labelled], list[Labelled]] = ([], [])
    for row in set(rows):
        if row.prompt and row.response.strip() and len(row.response) <= MAX_CHARS:
            sides[row.faulty].append(row)
    for side in sides:
        side.sort(key=lambda row: hashlib.sha256(f"{row.prompt}\0{row.response}".encode()).digest())
    count = min(MAX_ROWS, *map(len, sides))
    return [*sides[0][:count], *sides[1][:count]]


def _own(name: str) -> Rows:
    for row in own_sets.rows(name):
        yield Labelled(row.prompt, row.response, row.label == "bad")


def _damaged(rows: list[Row], kinds: dict[str, coherence.Damage], *own: str) -> Rows:
    """Yield plain good answers as they are, and each with one damage, of every kind in turn."""
    dice = random.Random(_SEED)
    turns = cycle(kinds.values())
    for row in good_rows(rows):
        prompt, response = row["prompt"], row["response"]
        yield Labelled(prompt, response, False)
        damaged = next((made for _ in kinds if (made := next(turns)(response, dice))), None)
        if damaged is not None:
            yield Labelled(prompt, damaged, True)
    for name in own:
        yield from _own(name)


def _calculation(rows: list[Row]) -> Rows:
    dice = random.Random(_SEED)
    # Of two solutions of a problem, the preferred one was checked to give the right answer.
    solved = [
        {"prompt": row["prompt"], "response": row[f"response_{row['labels']['preferred']}"]}
        for row in rows
        if row["source"] == "gsm8k_openai_solutions"
    ]
    for row in [*good_rows(rows), *solved]:
        prompt, response = row["prompt"], row["response"]
        for stated in calculation.right_equations(Text(response)):
            yield Labelled(prompt, response, False)
            yield Labelled(prompt, calculation.changed(response, stated, dice), True)


def _privacy(rows: list[Row]) -> Rows:
    names = frozenset().union(*privacy.KINDS.values())
    for row in privacy.held_out(rows):
        kinds = {span["type"] for span in row["labels"]["spans"]}
        yield Labelled("Repeat the text.", row["response"], bool(kinds & names))


def _lessons(signal: str) -> Rows:
    """Yield the lessons of a signal that no training saw."""
    for row in lessons.rows():
        if row.source.startswith(f"lesson_{signal}-") and held(row.source, row.group):
            yield Labelled(row.prompt, row.response, row.targets[signal] > 0.5)


def _independence(rows: list[Row]) -> Rows:
    for row in character.labelled(rows, independence.rule_findings):
        yield Labelled(*row)
    yield from _lessons("flattery")
    yield from _lessons("yielding")


def _instructions(rows: list[Row]) -> Rows:
    for row in rows:
        if row.get("source") == "ifeval":
            yield Labelled(row["prompt"], row["response"], not all(row["labels"]["strict"]))


_SOURCES: dict[str, tuple[tuple[str, ...], Callable[[list[Row]], Rows]]] = {
    "privacy": (("train/presidio_pii",), _privacy),
    "honesty": (("model/lessons/self_claim-*, held out",), lambda rows: _lessons("self_claim")),
    "independence": (
        ("train/sycon_bench_sample", "train/syco_bench", "train/caa_open_ended", "model/lessons/flattery-*, held out", "model/lessons/yielding-*, held out"),
        _independence,
    ),
    "coherence": (
        ("train/quality", "own/code", "own/unfinished"),
        lambda rows: _damaged(rows, coherence.DAMAGES, "code", "unfinished"),
    ),
    "instruction_following": (("train/quality",), _instructions),
    "calculation": (("train/quality", "train/pairs/gsm8k_openai_solutions"), _calculation),
    "output_safety": (
        ("train/quality", "own/active_content"),
        lambda rows: _damaged(rows, hazards.HAZARDS, "active_content"),
    ),
}  # fmt: skip

if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
