"""Gathers every source into one list of rows and pairs, splits it, and keeps it in one compressed file."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import asdict
from pathlib import Path

from . import (
    augment,
    lessons,
    load_grounding,
    load_other,
    load_quality,
    load_safety,
    load_text,
    made_claims,
    made_grounding,
    made_notes,
    made_records,
    made_respect,
    neighbours,
    other_languages,
    varieties,
)
from .rows import Pair, Row

TEXTS = {"prompt", "response", "a", "b"}


def _trim(text: str, head: int, tail: int) -> str:
    return text if len(text) <= head + tail else text[:head] + "\n" + text[-tail:]


def gather(data: Path, seed: int = 0) -> tuple[list[Row], list[Pair]]:
    """Everything but lessons and neighbours: load, make, and cut every text to what one window can hold."""
    modules = (load_safety, load_other, load_text, load_quality)
    rows = [row for module in modules for loader in module.LOADERS for row in loader(data)]
    pairs = [pair for loader in load_quality.PAIRS for pair in loader(data)]
    made = augment.augment(rows, seed)
    rows += made + neighbours.otherwise(rows, pairs, seed)
    pairs += neighbours.spoiled(pairs, seed)
    rows += [row for loader in load_grounding.LOADERS for row in loader(data)]
    rows += made_grounding.made(data, seed)
    rows, pairs = _cut(rows), _cut_pairs(pairs)
    lessons.correct(rows)
    lessons.correct_pairs(pairs)
    return rows, pairs


def taught(rows: list[Row], seed: int = 0) -> tuple[list[Row], list[Pair]]:
    """The lessons, and what follows from them in the light of the gathered rows."""
    found = lessons.rows()
    pairs = lessons.pairs(found)
    opened = lessons.opened(rows, seed)
    made = lessons.planted(found, rows, seed) + made_respect.made(seed) + lessons.beside(seed)
    made += opened + varieties.made(found, seed) + varieties.made([*rows, *opened], seed)
    made += [*other_languages.rows(seed), *other_languages.swapped(found, seed)]
    made += neighbours.strangers(found, rows, seed)
    made += made_claims.made(seed) + made_records.made(seed) + made_notes.made(seed)
    return _cut(found + made), _cut_pairs(pairs)


def _cut(rows: list[Row]) -> list[Row]:
    for row in rows:
        if not row.against:
            row.prompt = _trim(row.prompt, 600, 600)
        row.response = row.response[:3000]
    return rows


def _cut_pairs(pairs: list[Pair]) -> list[Pair]:
    for pair in pairs:
        pair.prompt, pair.a, pair.b = _trim(pair.prompt, 600, 600), pair.a[:3000], pair.b[:3000]
    return [p for p in pairs if p.a.strip() and p.b.strip() and p.a != p.b]


def sampled(
    rows: list[Row], pairs: list[Pair], limit: int, seed: int = 0
) -> tuple[list[Row], list[Pair]]:
    """So many of the rows, and a quarter as many pairs, for a trial; all of them where the limit is 0."""
    if not limit:
        return rows, pairs
    rng = random.Random(seed)
    few = rng.sample(rows, min(limit, len(rows)))
    return few, rng.sample(pairs, min(limit // 4, len(pairs)))


def save(path: Path, rows: list[Row], pairs: list[Pair]) -> None:
    """How many texts there are, every text once, then one line a row or pair that names its texts by their number."""
    texts: dict[str, int] = {}
    lines = []
    for item in [*rows, *pairs]:
        said = asdict(item)
        for name in TEXTS & said.keys():
            said[name] = texts.setdefault(said[name], len(texts))
        lines.append(said)
    with gzip.open(path, "wt", compresslevel=1, encoding="utf-8") as out:
        for line in (len(texts), *texts, *lines):
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


def load(path: Path) -> tuple[list[Row], list[Pair]]:
    """What `save` wrote."""
    rows: list[Row] = []
    pairs: list[Pair] = []
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        texts = [json.loads(next(lines)) for _ in range(json.loads(next(lines)))]
        for line in lines:
            item = json.loads(line)
            for name in TEXTS & item.keys():
                item[name] = texts[item[name]]
            if "a" in item:
                pairs.append(Pair(**item))
            else:
                item["refusal"] = tuple(item["refusal"]) if item["refusal"] else None
                rows.append(Row(**item))
    return rows, pairs
