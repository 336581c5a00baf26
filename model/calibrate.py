"""Fits the constants that turn the int8 file's logits into probabilities, and the two lines of each criterion.

Only held-out rows of training-side files are read: whole sources left out, and prompts left out. Every source weighs
the same. Calibration error and coverage are told on sources left out of the fit, one at a time.
"""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

import numpy as np

from fairwitness.evaluator.encoder import BINARY, REFUSAL

from .dataset import held
from .reader import readings
from .rows import Row

#: Sources whose labels are too weak, or made too alike, to calibrate on.
WEAK = {
    "sap_attack",
    "uncensored_advbench",
    "drattack_uncensored",
    "neighbour",
    "stranger",
    "bare_prompt",
    "lone_text",
    "padded_harm",
    "padded_hate",
    "misspelt",
    "condemned",
    "latent_jailbreak",
    "ifeval",
    "presidio",
    "refusal_direction",
}
MOST = 200
UNIT = {
    "calibration": {
        **{name: [1.0, 0.0] for name in (*BINARY, "quality")},
        "refusal": {"temperature": 1.0, "bias": [0, 0, 0]},
        "disrespect": {"bias": 0.0, "weights": {"offence": 1.0}},
    }
}


def collect(directory: Path, rows: list[Row], seed: int = 0) -> list[tuple[Row, np.ndarray]]:
    """Logits of held-out labelled rows, at most MOST a source, from the file that ships."""
    by: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if held(row.source, row.group) and (
            row.refusal or any(w > 0.2 for w in row.weights.values())
        ):
            by[row.source].append(row)
    rng, chosen = random.Random(seed), []
    for source in sorted(by):
        chosen += rng.sample(by[source], min(MOST, len(by[source])))
    found = readings(directory, [(r.prompt, r.response) for r in chosen])
    return [(row, np.asarray(reading.logits, np.float32)) for row, reading in zip(chosen, found)]


def samples(
    found: list[tuple[Row, np.ndarray]], head: str
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """By source: logits and labels (0/1) of one head, weak sources left out."""
    by: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for row, logits in found:
        value = row.targets.get(head)
        if (
            value is not None
            and row.weights[head] > 0.25
            and abs(value - 0.5) > 0.1
            and (row.source not in WEAK or head == "relevance")
        ):
            by[row.source].append((float(logits[BINARY.index(head)]), value > 0.5))
    return {
        s: (np.array([x for x, _ in v]), np.array([y for _, y in v], float))
        for s, v in by.items()
        if len(v) >= 25
    }


def platt(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> tuple[float, float]:
    """Slope and shift by Newton's method, with a light pull towards slope 1, shift 0."""
    a, b = 1.0, 0.0
    pull = 0.01 * w.sum()
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(a * x + b, -30, 30)))
        r, h = w * (p - y), w * p * (1 - p) + 1e-9
        grad = np.array([(r * x).sum() + pull * (a - 1), r.sum() + 0.1 * pull * b])
        hess = np.array(
            [[(h * x * x).sum() + pull, (h * x).sum()], [(h * x).sum(), h.sum() + 0.1 * pull]]
        )
        step = np.linalg.solve(hess, grad)
        a, b = a - float(np.clip(step[0], -1, 1)), b - float(np.clip(step[1], -2, 2))
        if np.abs(step).max() < 1e-7:
            break
    return max(a, 0.05), b


def pool(
    by: dict[str, tuple[np.ndarray, np.ndarray]], without: str = ""
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All sources in one, each with the same total weight."""
    chosen = [v for s, v in sorted(by.items()) if s != without]
    x, y = (np.concatenate([v[k] for v in chosen]) for k in (0, 1))
    w = np.concatenate([np.full(len(v[0]), 100 / len(v[0])) for v in chosen])
    return x, y, w


def error(p: np.ndarray, y: np.ndarray, w: np.ndarray | None = None, bins: int = 10) -> float:
    """Expected calibration error over equal-width bins."""
    w = np.ones(len(p)) if w is None else w
    at = np.minimum((p * bins).astype(int), bins - 1)
    return float(sum(abs((w * (p - y))[at == k].sum()) for k in range(bins)) / w.sum())


def covered(
    p: np.ndarray, y: np.ndarray, w: np.ndarray | None = None, right: float = 0.95
) -> float:
    """Share of rows decided, the surest first, while at least `right` of the decisions are right."""
    w = np.ones(len(p)) if w is None else w
    order = np.argsort(-np.abs(p - 0.5), kind="stable")
    good = np.cumsum((w * ((p > 0.5) == (y > 0.5)))[order]) / np.cumsum(w[order])
    enough = np.nonzero(good >= right)[0]
    return float(np.cumsum(w[order])[enough[-1]] / w.sum()) if len(enough) else 0.0


def lines(p: np.ndarray, y: np.ndarray, w: np.ndarray, right: float = 0.95) -> tuple[float, float]:
    """Below the first nearly all are fine, above the second nearly all are not; between them a person should look."""
    grid = np.linspace(0.02, 0.98, 97)
    low = [
        t
        for t in grid
        if (w * (p < t)).sum() > 0 and (w * (1 - y) * (p < t)).sum() / (w * (p < t)).sum() >= right
    ]
    high = [
        t
        for t in grid
        if (w * (p >= t)).sum() > 0 and (w * y * (p >= t)).sum() / (w * (p >= t)).sum() >= right
    ]
    accept = min(max(low, default=0.2), 0.5)
    return round(float(accept), 2), round(float(max(min(high, default=0.8), 0.5)), 2)


def fit_head(by: dict[str, tuple[np.ndarray, np.ndarray]]) -> dict:
    """Constants of one head, with figures on each source left out of the fit."""
    x, y, w = pool(by)
    slope, shift = platt(x, y, w)
    left, probabilities, truths, weights = {}, [], [], []
    for source in by:
        if len(by) > 1:
            a, b = platt(*pool(by, source))
            p = 1 / (1 + np.exp(-(a * by[source][0] + b)))
            t = by[source][1]
            left[source] = {
                "rows": len(t),
                "positive": round(float(t.mean()), 3),
                "ece": round(error(p, t), 3),
                "accuracy": round(float(((p > 0.5) == (t > 0.5)).mean()), 3),
                "covered95": round(covered(p, t), 3),
            }
            probabilities.append(p)
            truths.append(t)
            weights.append(np.full(len(t), 100 / len(t)))
    final = 1 / (1 + np.exp(-(slope * x + shift)))
    out = {
        "constants": [round(slope, 4), round(shift, 4)],
        "lines": lines(final, y, w),
        "left_out": left,
    }
    if left:
        p, t, v = (np.concatenate(z) for z in (probabilities, truths, weights))
        out["pooled"] = {
            "ece": round(error(p, t, v), 3),
            "accuracy": round(float((v * ((p > 0.5) == (t > 0.5))).sum() / v.sum()), 3),
            "covered95": round(covered(p, t, v), 3),
        }
        out["reliability"] = [
            [
                round(k / 10, 1),
                round(float(p[(p * 10).astype(int).clip(0, 9) == k].mean()), 3),
                round(float(t[(p * 10).astype(int).clip(0, 9) == k].mean()), 3),
                int(((p * 10).astype(int).clip(0, 9) == k).sum()),
            ]
            for k in range(10)
            if ((p * 10).astype(int).clip(0, 9) == k).any()
        ]
    return out


def fit_refusal(found: list[tuple[Row, np.ndarray]]) -> dict:
    """One temperature and two biases over three classes, by a small search that weighs sources alike."""
    by: dict[str, list] = defaultdict(list)
    for row, logits in found:
        if (
            row.refusal
            and max(row.refusal) > 0.55
            and row.weights["refusal"] >= 0.35
            and row.source not in WEAK
        ):
            by[row.source].append((logits[REFUSAL], row.refusal))
    chosen = {s: v for s, v in by.items() if len(v) >= 25}
    x = np.concatenate([[l for l, _ in v] for v in chosen.values()])
    y = np.concatenate([[np.asarray(t) for _, t in v] for v in chosen.values()])
    w = np.concatenate([np.full(len(v), 100 / len(v)) for v in chosen.values()])
    best = (1e9, 1.0, 0.0, 0.0)
    for heat in np.linspace(0.5, 2.0, 16):
        for partial in np.linspace(-1, 1, 11):
            for refusal in np.linspace(-1, 1, 11):
                z = x / heat + np.array([0, partial, refusal])
                z = z - z.max(1, keepdims=True)
                logp = z - np.log(np.exp(z).sum(1, keepdims=True))
                cost = float(-(w[:, None] * y * logp).sum() / w.sum()) + 0.01 * (
                    partial**2 + refusal**2
                )
                best = min(best, (cost, float(heat), float(partial), float(refusal)))
    z = x / best[1] + np.array([0, best[2], best[3]])
    hit = z.argmax(1) == y.argmax(1)
    each = {
        s: round(
            float(
                np.mean(
                    [
                        (l / best[1] + np.array([0, best[2], best[3]])).argmax() == np.argmax(t)
                        for l, t in v
                    ]
                )
            ),
            3,
        )
        for s, v in chosen.items()
    }
    return {
        "temperature": round(best[1], 3),
        "bias": [0.0, round(best[2], 2), round(best[3], 2)],
        "accuracy": round(float((w * hit).sum() / w.sum()), 3),
        "by_source": each,
    }
