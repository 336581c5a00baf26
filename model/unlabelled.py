"""Sentences beside passages that nobody labelled: a student learns its teacher's opinion of them.

Two answers to one prompt say the same, the opposite and other things in other words, as no rule could write them.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable

from fairwitness.evaluator.readers.sources import Source

from .load_grounding import STOP, row_against
from .made_grounding import NAME, changed
from .rows import Pair, Row, held, key

SOURCE = "unlabelled"
#: How many rows in all, sentences of an answer that are looked through, and characters of a passage.
MOST, SENTENCES, SHORTEST, LONGEST = 160_000, 24, 150, 750
#: How many sentences are held once more against one stretch of their passage.
CLOSER = 40_000
#: How many sentences of a lesson are held against what its others say of the same context.
RETOLD = 24
#: Of the sentences, how many are the other answer's nearest, and any of it; the rest are the passage's own, changed.
NEAREST, ANY = 0.55, 0.7


def _sentences(text: str) -> list[str]:
    lines = STOP.split(text.replace("\n", " "))[:SENTENCES]
    return [s.strip() for s in lines if 5 <= len(s.split()) <= 45]


def _passage(sentences: list[str], rng: random.Random) -> list[str]:
    """Some sentences that stand together."""
    room, start = rng.randint(SHORTEST, LONGEST), rng.randrange(len(sentences))
    taken: list[str] = []
    for sentence in sentences[start:]:
        if taken and sum(map(len, taken)) + len(sentence) > room:
            break
        taken.append(sentence)
    return taken


def _words(text: str) -> set[str]:
    return {word[:6] for word in text.lower().split() if len(word) > 3}


def _chosen(passage: list[str], other: list[str], rng: random.Random) -> str:
    draw = rng.random()
    if draw >= ANY:
        return changed(rng.choice(passage), rng, NAME.findall(" ".join(passage)))
    if draw >= NEAREST:
        return rng.choice(other)
    said = _words(" ".join(passage))
    return max(other, key=lambda s: len(_words(s) & said) / (4 + len(_words(s))))


def made(pairs: Iterable[Pair], seed: int = 0) -> list[Row]:
    """Rows without a label, from both directions of pairs whose answers are English prose of some length."""
    rng, rows = random.Random(seed), []
    drawn = list(pairs)
    rng.shuffle(drawn)
    for pair in drawn:
        if len(rows) >= MOST:
            break
        sides = [_sentences(text) for text in (pair.a, pair.b) if text.isascii()]
        if len(sides) < 2 or not all(sides):
            continue
        for mine, other in (sides, sides[::-1]):
            for _ in range(2):
                passage = _passage(mine, rng)
                sentence = _chosen(passage, other, rng)
                group = key(pair.prompt)
                rows.append(row_against(SOURCE, " ".join(passage), sentence, group))
    return rows


def retold(taught: Iterable[Row], seed: int = 0) -> list[Row]:
    """Sentences of lessons held against their context as the lesson's supported sentences tell it again."""
    rng, rows = random.Random(seed), []
    by: dict[str, list[Row]] = defaultdict(list)
    for row in taught:
        if row.against and row.source.startswith("lesson") and not held(row.source, row.group):
            by[row.group].append(row)
    for group, about in by.items():
        true = [row.response for row in about if row.targets.get("support", 0) > 0.5]
        for _ in range(RETOLD if len(true) > 1 else 0):
            sentence = rng.choice(about).response
            others = [text for text in true if text != sentence]
            passage = rng.sample(others, min(len(others), rng.randint(1, 4)))
            rows.append(row_against(SOURCE, " ".join(passage), sentence, group))
    return rows


def closer(rows: Iterable[Row], seed: int = 0) -> list[Row]:
    """Sentences held against the one stretch of their passage that is nearest, as serving looks at them again."""
    rng = random.Random(seed)
    known = [
        row
        for row in rows
        if row.against and row.source != SOURCE and not held(row.source, row.group)
    ]
    return [
        row_against(SOURCE, stretch, row.response, row.group)
        for row in rng.sample(known, min(len(known), CLOSER))
        for stretch in Source(row.prompt).closest(row.response, 1)
    ]
