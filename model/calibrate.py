"""Fits the constants that turn the int8 file's logits into probabilities, and the two lines of each criterion.

Only held-out rows of training-side files are read: whole sources left out, and prompts left out. Every source weighs
the same. Calibration error and coverage are told on sources left out of the fit, one at a time.
"""

from __future__ import annotations

import random
from collections import defaultdict

import numpy as np

from fairwitness.evaluator.heads import ALONE, BINARY, HEADS, RANKED

from .reader import Read
from .rows import BESIDE, Row, held

#: Sources whose labels are too weak, or made too alike, to calibrate on.
WEAK = {
    "sap_attack",
    "uncensored_advbench",
    "drattack_uncensored",
    "neighbour",
    "stranger",
    "bare_prompt",
    "padded_harm",
    "padded_hate",
    "misspelt",
    "answering",
    "unprompted",
    "deflected",
    "condemned",
    "latent_jailbreak",
    "ifeval",
    "presidio",
    "refusal_direction",
    "spliced",
    "otherwise",
    "medsafety",
    "opened",
}
#: Nothing is fitted on rows made by rule or on other languages than English.
NEVER = ("made_", "variety", "renamed", "language_", "swapped", BESIDE)
MOST = 400
#: A source with fewer labels says nothing by itself.
LEAST = 15
UNIT = {
    "calibration": {
        **{name: [1.0, 0.0] for name in (*BINARY, *ALONE, *RANKED)},
        "refusal": {"temperature": 1.0, "bias": [0, 0, 0]},
    }
}


def collect(read: Read, rows: list[Row], seed: int = 0) -> list[tuple[Row, np.ndarray]]:
    """Logits of held-out labelled rows, at most MOST a source, from the file that ships."""
    drawn = _drawn([r for r in rows if r.refusal or any(w > 0.2 for w in r.weights.values())], seed)
    # Nothing is fitted on the rest of the weak ones.
    chosen = [
        r
        for r in drawn
        if not r.source.startswith(NEVER) and (r.source not in WEAK or "relevance" in r.targets)
    ]
    return list(
        zip(chosen, read([(row.prompt, row.response, row.against) for row in chosen]), strict=True)
    )


def collect_asked(read: Read, rows: list[Row], seed: int = 0) -> list[tuple[Row, np.ndarray]]:
    """Logits of held-out labelled prompts, each once and without its response."""
    once = {
        r.prompt: r
        for r in rows
        if r.prompt
        and r.source != "bare_prompt"
        and not r.source.startswith(NEVER)
        and r.weights.get("prompt_harm", 0) > 0.25
    }
    chosen = _drawn(list(once.values()), seed)
    return list(zip(chosen, read([(row.prompt, "", False) for row in chosen]), strict=True))


def _drawn(rows: list[Row], seed: int) -> list[Row]:
    by: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if held(row.source, row.group):
            by[row.source].append(row)
    rng = random.Random(seed)
    return [row for s in sorted(by) for row in rng.sample(by[s], min(MOST, len(by[s])))]


def samples(
    found: list[tuple[Row, np.ndarray]], head: str
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """By source: logits of one head, one column, and its labels (0/1); weak sources are left out."""
    columns = [HEADS.at(head)]
    by: dict[str, list[tuple[np.ndarray, bool]]] = defaultdict(list)
    for row, logits in found:
        value = row.targets.get(head)
        if (
            value is not None
            and row.weights[head] > 0.25
            and abs(value - 0.5) > 0.1
            and (row.source not in WEAK or head == "relevance")
        ):
            by[row.source].append((logits[columns].astype(float), value > 0.5))
    return {
        s: (np.array([x for x, _ in v]), np.array([y for _, y in v], float))
        for s, v in by.items()
        if len(v) >= LEAST
    }


def joined(
    by: dict[str, tuple[np.ndarray, np.ndarray]],
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Sources with both answers as they are; those with one answer only are one source together, lest they set the odds."""
    mixed = {s: v for s, v in by.items() if 0.08 < v[1].mean() < 0.92}
    for name, keep in (
        ("all_negative", lambda m: m <= 0.08),
        ("all_positive", lambda m: m >= 0.92),
    ):
        rest = [v for _, v in sorted(by.items()) if keep(v[1].mean())]
        if rest:
            mixed[name] = (
                np.concatenate([v[0] for v in rest]),
                np.concatenate([v[1] for v in rest]),
            )
    return mixed


def platt(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Slopes and shift by Newton's method, with a light pull towards the first column as it is and the others unheard."""
    x = np.column_stack([x, np.ones(len(x))])
    rest = np.zeros(x.shape[1])
    rest[0] = 1.0
    pull = 0.01 * w.sum() * np.r_[np.ones(len(rest) - 1), 0.1]
    found = rest.copy()
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ found, -30, 30)))
        grad = x.T @ (w * (p - y)) + pull * (found - rest)
        hess = (x * (w * p * (1 - p) + 1e-9)[:, None]).T @ x + np.diag(pull)
        step = np.linalg.solve(hess, grad)
        found = found - np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-7:
            break
    found[0] = max(found[0], 0.05)
    return found


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


def lines(p: np.ndarray, y: np.ndarray, w: np.ndarray) -> tuple[float, float]:
    """Below the first 95% are fine, above the second 90% are not; between them a person should look."""
    grid = np.linspace(0.02, 0.98, 97)
    low = [
        t
        for t in grid
        if (w * (p < t)).sum() > 0 and (w * (1 - y) * (p < t)).sum() / (w * (p < t)).sum() >= 0.95
    ]
    high = [
        t
        for t in grid
        if (w * (p >= t)).sum() > 0 and (w * y * (p >= t)).sum() / (w * (p >= t)).sum() >= 0.9
    ]
    return round(float(min(max(low, default=0.2), 0.5)), 2), round(
        float(max(min(high, default=0.8), 0.5)), 2
    )


def decision(by: dict[str, tuple[np.ndarray, np.ndarray]]) -> float:
    """The one line where a yes or no is forced: best mean F1 over mixed sources that flags at most 1% of the harmless."""
    best = (-1.0, 0.5)
    for t in np.linspace(0.1, 0.7, 61):
        flag = {s: p >= t for s, (p, _) in by.items()}
        if "all_negative" in by and flag["all_negative"].mean() > 0.01:
            continue
        scores = [
            2 * (flag[s] & (y > 0.5)).sum() / max(1, flag[s].sum() + (y > 0.5).sum())
            for s, (_, y) in by.items()
            if not s.startswith("all_")
        ]
        best = max(best, (round(float(np.mean(scores)), 3) if scores else 0.0, round(float(t), 2)))
    return best[1]


def fit_head(by: dict[str, tuple[np.ndarray, np.ndarray]]) -> dict:
    """Constants of one head, with figures on each source left out of the fit."""
    by = joined(by)
    constants = platt(*pool(by))
    left = {}
    for source in by:
        if len(by) > 1:
            left[source] = (_odds(by[source][0], platt(*pool(by, source))), by[source][1])
    whole = {s: (_odds(x, constants), y) for s, (x, y) in by.items()}
    return {"constants": [round(float(c), 4) for c in constants], **report(whole, left)}


def _odds(x: np.ndarray, constants: np.ndarray) -> np.ndarray:
    return x @ constants[:-1] + constants[-1]


def report(
    whole: dict[str, tuple[np.ndarray, np.ndarray]], left: dict[str, tuple[np.ndarray, np.ndarray]]
) -> dict:
    """Lines by the final fit, and how sources that were left out of a fit fared; both give log odds and labels by source."""
    whole, left = (
        {s: (1 / (1 + np.exp(-np.clip(z, -30, 30))), y) for s, (z, y) in each.items()}
        for each in (whole, left)
    )
    p, y, w = pool(whole)
    out = {
        "lines": (*lines(p, y, w), decision(whole)),
        "left_out": {
            s: {
                "rows": len(y),
                "positive": round(float(y.mean()), 3),
                "ece": round(error(p, y), 3),
                "accuracy": round(float(((p > 0.5) == (y > 0.5)).mean()), 3),
                "covered95": round(covered(p, y), 3),
            }
            for s, (p, y) in left.items()
        },
    }
    if left:
        p, y, w = pool(left)
        out["pooled"] = {
            "ece": round(error(p, y, w), 3),
            "accuracy": round(float((w * ((p > 0.5) == (y > 0.5))).sum() / w.sum()), 3),
            "covered95": round(covered(p, y, w), 3),
        }
        bins = (p * 10).astype(int).clip(0, 9)
        out["reliability"] = [
            [
                round(k / 10, 1),
                *(round(float(v[bins == k].mean()), 3) for v in (p, y)),
                int((bins == k).sum()),
            ]
            for k in range(10)
            if (bins == k).any()
        ]
    return out
