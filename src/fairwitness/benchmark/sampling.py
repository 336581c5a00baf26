"""Deterministic samples of real answers: every source in turn, in the order of their SHA-256.

Labels and findings are never looked at here.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from fairwitness.benchmark.false_alarms import Answer
from fairwitness.benchmark.rows import Row
from fairwitness.benchmark.statistics import Point
from fairwitness.contract.requests import PROMPT_MAX


def answers(rows: Iterable[Row], longest: int) -> Iterator[Answer]:
    """Yield every answer of the rows that has a prompt and is no longer than `longest`."""
    for row in rows:
        prompt = row.get("prompt")
        for field in ("response", "response_a", "response_b"):
            response = row.get(field)
            if not isinstance(prompt, str) or not isinstance(response, str):
                continue
            if 0 < len(prompt) <= PROMPT_MAX and response.strip() and len(response) <= longest:
                yield Answer(str(row.get("source", "")), prompt, response)


def in_turn(found: Iterable[Answer]) -> list[Answer]:
    """Return the answers, each once: the first of every source, then the second of every source, and so on."""
    by_source: dict[str, list[tuple[bytes, Answer]]] = defaultdict(list)
    for answer in set(found):
        by_source[answer.source].append((_digest(answer), answer))
    ranked = [
        (rank, key, answer)
        for held in by_source.values()
        for rank, (key, answer) in enumerate(sorted(held))
    ]
    return [answer for _, _, answer in sorted(ranked)]


def first_that(found: Sequence[Answer], fits: Callable[[Answer], bool], count: int) -> list[Answer]:
    """Return the first `count` answers that fit."""
    chosen: list[Answer] = []
    for answer in found:
        if len(chosen) == count:
            break
        if fits(answer):
            chosen.append(answer)
    return chosen


def placed(answer: Answer, value: float, truth: float = 0.0) -> Point:
    """Place one judged answer where it belongs."""
    return Point(truth, float(value), len(answer.response), answer.source, answer.prompt)


def _digest(answer: Answer) -> bytes:
    return hashlib.sha256(f"{answer.prompt}\0{answer.response}".encode()).digest()
