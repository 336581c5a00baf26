"""Measures how well mean scores put models in order: python -m model.order DATA, DATA being the folder with train/.

Takes each model with at least 77 answers among the Arena votes in train/quality, draws 77 of them (other prompts for
each model) and averages every score. The models' known order is their strength by all votes (Bradley-Terry). Prints
the rank correlation between mean score and strength, and the same with the effect of length removed. Most of these
answers were trained on, so expect less on new ones.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fairwitness.evaluator import shipped
from fairwitness.evaluator.readers.encoder import Encoder

from .rows import read

ANSWERS, MAX_CHARS, SEED = 77, 8_000, 1
SIGNALS = ("quality", "substance")
_STEPS = 500


class Vote(NamedTuple):
    """One prompt, two models with their answers, and whether the first won: 1, 0, or 0.5 for a tie."""

    prompt: str
    models: tuple[str, str]
    answers: tuple[str, str]
    won: float


class Answer(NamedTuple):
    """One answer of a model."""

    model: str
    prompt: str
    response: str


def votes(data: Path) -> Iterator[Vote]:
    """Yield the Arena's votes."""
    for row in read(data / "train", "quality"):
        if row["source"].startswith("lmsys"):
            won = {"a": 1.0, "b": 0.0}.get(row["labels"]["preferred"], 0.5)
            answers = (row["response_a"], row["response_b"])
            yield Vote(row["prompt"], tuple(row["models"]), answers, won)


def strengths(told: list[Vote]) -> dict[str, float]:
    """Return each model's Bradley-Terry strength, in logits."""
    names = sorted({model for vote in told for model in vote.models})
    at = {name: k for k, name in enumerate(names)}
    won = np.zeros((len(names), len(names)))
    for vote in told:
        a, b = (at[model] for model in vote.models)
        won[a, b] += vote.won
        won[b, a] += 1 - vote.won
    met, strength = won + won.T, np.ones(len(names))
    # Half a win and half a loss against an average model keep the strength of a model finite that never lost.
    for _ in range(_STEPS):
        faced = (met / (strength[:, None] + strength)).sum(1) + 1 / (strength + 1)
        strength = (won.sum(1) + 0.5) / faced
        strength /= np.exp(np.log(strength).mean())
    return dict(zip(names, np.log(strength).tolist(), strict=True))


def sampled(told: list[Vote]) -> list[Answer]:
    """Draw the same number of answers of each model that has at least so many."""
    by: dict[str, list[Answer]] = defaultdict(list)
    for vote in told:
        for model, text in zip(vote.models, vote.answers, strict=True):
            if 0 < len(text) < MAX_CHARS and 0 < len(vote.prompt) < MAX_CHARS:
                by[model].append(Answer(model, vote.prompt, text))
    rng = random.Random(SEED)
    return [
        answer
        for _, found in sorted(by.items())
        if len(found) >= ANSWERS
        for answer in rng.sample(found, ANSWERS)
    ]


@cache
def reader() -> Encoder:
    """Return the packaged encoder, loaded once for each process."""
    return Encoder.load()


def measured(answer: Answer) -> dict[str, float]:
    """Return the logarithm of an answer's length, the signals that rank it, and its scores; 100 where one does not apply."""
    read = reader().read(answer.prompt, answer.response)
    found = shipped().evaluate(answer.prompt, answer.response)
    scores = {"length (log)": log(len(answer.response)), **{name: read[name] for name in SIGNALS}}
    scores["overall"] = found.overall_score
    for verdict in found.verdicts:
        scores[verdict.criterion_id] = 100.0 if verdict.score is None else verdict.score
    return scores


def ranks(values: np.ndarray) -> np.ndarray:
    """Return the rank of each value; equal ones share their mean rank."""
    return np.array([(values < one).sum() + (values == one).sum() / 2 for one in values])


def correlation(a: np.ndarray, b: np.ndarray, beyond: np.ndarray | None = None) -> float:
    """Return Spearman's rank correlation, with the effect of a third series removed where one is given."""
    a, b = ranks(a), ranks(b)
    if beyond is not None:
        line = ranks(beyond)
        a, b = (x - np.polyval(np.polyfit(line, x, 1), line) for x in (a, b))
    spread = a.std() * b.std()
    return float(((a - a.mean()) * (b - b.mean())).mean() / spread) if spread > 1e-9 else 0.0


def main(data: Path) -> None:
    """Print one line for each score."""
    told = list(votes(data))
    answers = sampled(told)
    with ProcessPoolExecutor() as pool:
        scores = list(pool.map(measured, answers, chunksize=16))
    models = sorted({answer.model for answer in answers})
    strength = strengths(told)
    known = np.array([strength[model] for model in models])
    means: dict[str, np.ndarray] = {}
    for name in scores[0]:
        by: dict[str, list[float]] = defaultdict(list)
        for answer, found in zip(answers, scores, strict=True):
            by[answer.model].append(found[name])
        means[name] = np.array([np.mean(by[model]) for model in models])
    print(f"{len(models)} models, {ANSWERS} answers each; known order from {len(told):,} votes")
    print(
        f"{'mean score':24}{'rank correlation':>18}{'length removed':>16}{'lowest':>9}{'highest':>9}"
    )
    for name, mean in means.items():
        plain, beyond = correlation(mean, known), correlation(mean, known, means["length (log)"])
        print(f"{name:24}{plain:18.2f}{beyond:16.2f}{mean.min():9.2f}{mean.max():9.2f}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m model.order DATA")
    main(Path(sys.argv[1]))
