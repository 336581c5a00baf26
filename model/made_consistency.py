"""Answers that contradict themselves, made from the lessons of sentences held against a context.

A lesson's supported sentences together are an answer. With the false twin of one of them added it contradicts itself; with
that sentence said twice, or with the twin in its place, it does not. So neither a repeated sentence nor a false one tells.
"""

from __future__ import annotations

import random
import re

from . import lessons
from .rows import Row, key

SOURCE = "made_consistency"
#: Twins share at least this part of their words, and an answer has at least so many sentences.
ALIKE, LEAST = 0.5, 3
YES, NO, TRUST = 0.96, 0.03, 0.5
#: How an answer comes back to something it said.
AGAIN = (
    "",
    "",
    "So: ",
    "In short, ",
    "To sum up: ",
    "Overall, ",
    "In other words, ",
    "As noted, ",
    "Note: ",
)


def made(seed: int) -> list[Row]:
    """For each lesson one sentence with its twin: two answers that contradict themselves and three that do not."""
    rng = random.Random(seed)
    found = []
    for _, _, item in lessons.read_items():
        said = lessons.texts_of(item, "supported")
        twins = _twins(said, lessons.texts_of(item, "contradicted"))
        if len(said) < LEAST or not twins:
            continue
        at, twin = rng.choice(twins)
        replaced = [*said[:at], twin, *said[at + 1 :]]
        answers = [
            (_with(said, twin, rng.randint(at + 1, len(said)), rng), YES),
            (_with(replaced, said[at], len(said), rng), YES),
            (_with(said, said[at], rng.randint(at + 1, len(said)), rng), NO),
            (said, NO),
            (replaced, NO),
        ]
        for lines, value in answers:
            text = rng.choice((" ", "\n", "\n\n", "\n- ")).join(lines)
            row = Row(SOURCE, item.get("task", ""), text, group=key(item["context"]))
            found.append(row.mark("self_contradiction", value, TRUST))
    return found


def _twins(said: list[str], false: list[str]) -> list[tuple[int, str]]:
    """Return the false sentences that differ little from the one of the same number, and that number."""
    pairs = enumerate(zip(said, false, strict=False))
    return [(at, twin) for at, (line, twin) in pairs if _alike(line, twin) >= ALIKE]


def _alike(one: str, other: str) -> float:
    a, b = (set(re.findall(r"\w+", text.lower())) for text in (one, other))
    return len(a & b) / len(a | b) if a | b else 0.0


def _with(lines: list[str], more: str, at: int, rng: random.Random) -> list[str]:
    return [*lines[:at], rng.choice(AGAIN) + more, *lines[at:]]
