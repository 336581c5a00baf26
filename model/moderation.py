"""One number for "a moderation policy would flag this text", joined from several heads with weights fitted on train-side texts.

The text is read twice: as a prompt without a response, and as a response without a prompt. The set the weights are
fitted on stands below; none of it comes from a benchmark.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fairwitness.evaluator.encoder import BINARY, Reading

from .reader import Read
from .rows import Row

ASKED, SAID = (
    ("prompt_harm", "sexual", "self_harm", "violence"),
    ("harm", "hate", "offence", "sexual", "self_harm", "violence"),
)


def features(asked: Sequence[float], said: Sequence[float]) -> np.ndarray:
    """Logits of the heads that speak to moderation, squeezed so that none rules alone."""
    a = [asked[BINARY.index(h)] for h in ASKED]
    b = [said[BINARY.index(h)] for h in SAID]
    return np.tanh(np.array(a + b) / 4)


def moderation(asked: Reading, said: Reading, manifest: dict) -> float:
    """The joined probability."""
    m = manifest["calibration"]["moderation"]
    z = m["bias"] + float(np.dot(features(asked.logits, said.logits), m["weights"]))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, z))))


def examples(rows: list[Row], most: int = 250) -> list[tuple[str, float]]:
    """Held-out lone texts and prompts, flagged or not: hazards, toxic and hateful texts against their harmless kin."""
    by: dict[tuple[str, bool], list[str]] = {}
    for r in rows:
        if r.source in ("surge", "toxigen"):
            value = r.targets.get("offence")
            if value is not None and abs(value - 0.5) > 0.25:
                by.setdefault((r.source, value > 0.5), []).append(r.response)
        elif r.source == "prompts_ailuminate_demo" and any(
            r.targets.get(t) for t in ("sexual", "self_harm", "violence")
        ):
            by.setdefault((r.source, True), []).append(r.prompt)
        elif r.source in (
            "halueval_general",
            "ifeval",
            "prompts_cyberseceval_mitre_frr",
            "coconot",
            "truthfulqa",
        ):
            if r.targets.get("prompt_harm", 1) < 0.1:
                by.setdefault((r.source, False), []).append(r.prompt)
        elif r.source == "presidio":
            by.setdefault((r.source, False), []).append(r.response)
        elif r.source == "dices" and r.targets["advice"] < 0.15:
            by.setdefault((r.source, False), []).append(r.prompt)
    return [
        (text, float(flag))
        for (_, flag), texts in sorted(by.items())
        for text in sorted(set(texts))[:most]
    ]


def fit(read: Read, rows: list[Row]) -> dict:
    """Ridge-pulled logistic weights, never negative: every head may raise the flag, none may lower it."""
    texts = examples(rows)
    if len({flag for _, flag in texts}) < 2:
        return {"weights": [1.0] * (len(ASKED) + len(SAID)), "bias": 0.0, "fitted_on": 0}
    asked, said = (
        read([(t, "") for t, _ in texts]),
        read([("", t) for t, _ in texts]),
    )
    x = np.array([features(a, b) for a, b in zip(asked, said, strict=False)])
    y = np.array([flag for _, flag in texts])
    w, b = np.full(x.shape[1], 1.0), 0.0
    for _ in range(4000):
        p = 1 / (1 + np.exp(-(x @ w + b)))
        w = np.maximum(0.15, w - 0.5 * (x.T @ (p - y) / len(y) + 0.02 * (w - 1)))
        b -= 0.5 * float((p - y).mean())
    return {"weights": [round(float(v), 4) for v in w], "bias": round(b, 4), "fitted_on": len(y)}
