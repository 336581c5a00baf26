"""Gathers every source into one list of rows and pairs, splits it, and keeps it in one compressed file."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict
from pathlib import Path

from . import augment, lessons, load_other, load_quality, load_safety, load_text, neighbours
from .rows import Pair, Row, bucket

#: Held out whole: never trained on; temperature, lines and choices are made on these and on the held-out prompts.
HELD_SOURCES = (
    "purseclab_manual",
    "llm_self_defense",
    "air_bench_pipeline",
    "aisafetylab",
    "gemma3_refusal_axis",
    "refusal_dir_qwen3vl",
    "surge",
    "factbench",
)
HELD_SHARE = 0.07


def held(source: str, group: str) -> bool:
    """Whether a row stands on the held-out side: by whole source, or by its prompt."""
    share = 0.4 if source == "ultrafeedback_binarized_sample" else HELD_SHARE
    return source in HELD_SOURCES or bucket(group) < share


def _trim(text: str, head: int, tail: int) -> str:
    return text if len(text) <= head + tail else text[:head] + "\n" + text[-tail:]


def gather(data: Path, base: str, seed: int = 0) -> tuple[list[Row], list[Pair]]:
    """Load, make, and cut every text to what one window can hold."""
    modules = (load_safety, load_other, load_text, load_quality)
    rows = [row for module in modules for loader in module.LOADERS for row in loader(data)]
    pairs = [pair for loader in load_quality.PAIRS for pair in loader(data)]
    made = augment.augment(rows, seed)
    near_rows, near_pairs = neighbours.negatives(rows, pairs, base, seed)
    rows += made + near_rows
    pairs += near_pairs + neighbours.spoiled(pairs, seed)
    lessons.mark_unaddressed(rows)
    taught = lessons.rows()
    rows += taught + lessons.planted(taught, rows, seed)
    pairs += lessons.pairs(taught)
    for row in rows:
        row.prompt, row.response = _trim(row.prompt, 600, 600), row.response[:3000]
    for pair in pairs:
        pair.prompt, pair.a, pair.b = _trim(pair.prompt, 600, 600), pair.a[:3000], pair.b[:3000]
    lessons.correct(rows)
    lessons.correct_pairs(pairs)
    return rows, [p for p in pairs if p.a.strip() and p.b.strip() and p.a != p.b]


def save(path: Path, rows: list[Row], pairs: list[Pair]) -> None:
    """One JSON line each."""
    with gzip.open(path, "wt", compresslevel=1, encoding="utf-8") as out:
        for item in [*rows, *pairs]:
            out.write(json.dumps(asdict(item), ensure_ascii=False) + "\n")


def load(path: Path) -> tuple[list[Row], list[Pair]]:
    """What `save` wrote."""
    rows: list[Row] = []
    pairs: list[Pair] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            if "a" in item:
                pairs.append(Pair(**item))
            else:
                item["refusal"] = tuple(item["refusal"]) if item["refusal"] else None
                rows.append(Row(**item))
    return rows, pairs
