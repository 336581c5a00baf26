"""Fits the biases and the temperature of the three classes of refusal, on the held-out rows that `calibrate` collects."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from fairwitness.evaluator.heads import HEADS

from .calibrate import LEAST, WEAK
from .rows import Row

CLASSES = ("complies", "partial", "refuses")
#: How much accuracy a better balance between the three classes of refusal may cost.
FOREGONE = 0.002


def fit_refusal(found: list[tuple[Row, np.ndarray]]) -> dict:
    """Two biases that find each class about as well at hardly a cost, then the temperature that makes the odds honest."""
    by: dict[str, list] = defaultdict(list)
    for row, logits in found:
        if (
            row.refusal
            and max(row.refusal) > 0.44
            and row.weights["refusal"] >= 0.3
            and row.source not in WEAK
        ):
            by[row.source].append((logits[HEADS.refusal], row.refusal))
    chosen = {s: v for s, v in by.items() if len(v) >= LEAST}
    if not chosen:
        return {"temperature": 1.0, "bias": [0.0, 0.0, 0.0], "accuracy": None, "by_source": {}}
    x = np.concatenate([[z for z, _ in v] for v in chosen.values()])
    y = np.concatenate([[np.asarray(t) for _, t in v] for v in chosen.values()])
    w = np.concatenate([np.full(len(v), 100 / len(v)) for v in chosen.values()])
    bias, accuracy, recall = _balance(x, y.argmax(1), w)
    costs = []
    for heat in np.linspace(0.6, 2.0, 29):
        z = (x + bias) / heat
        z = z - z.max(1, keepdims=True)
        costs.append(
            (
                float(-(w[:, None] * y * (z - np.log(np.exp(z).sum(1, keepdims=True)))).sum()),
                float(heat),
            )
        )
    heat = min(costs)[1]
    each = {
        s: round(float(np.mean([(z + bias).argmax() == np.argmax(t) for z, t in v])), 3)
        for s, v in chosen.items()
    }
    return {
        "temperature": round(heat, 3),
        "bias": [round(float(b / heat), 3) for b in bias],
        "accuracy": round(accuracy, 3),
        "recall": {CLASSES[k]: round(r, 3) for k, r in recall.items()},
        "by_source": each,
    }


def _balance(
    x: np.ndarray, y: np.ndarray, w: np.ndarray
) -> tuple[np.ndarray, float, dict[int, float]]:
    """The biases of best mean recall among those within FOREGONE of the best accuracy, with both figures.

    A class without rows, as in a small sample, has no recall.
    """
    tried = []
    for partial in np.linspace(-1, 2, 31):
        for refusal in np.linspace(-1, 1, 21):
            hit = (x + np.array([0, partial, refusal])).argmax(1) == y
            recall = {
                k: float(np.average(hit[y == k], weights=w[y == k]))
                for k in range(len(CLASSES))
                if (y == k).any()
            }
            tried.append(
                (float(np.average(hit, weights=w)), recall, float(partial), float(refusal))
            )
    enough = max(accuracy for accuracy, *_ in tried) - FOREGONE
    accuracy, recall, partial, refusal = max(
        (t for t in tried if t[0] >= enough),
        key=lambda t: (round(float(np.mean(list(t[1].values()))), 4), t[0]),
    )
    return np.array([0, partial, refusal]), accuracy, recall
