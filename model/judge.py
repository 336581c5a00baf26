"""Figures on the held-out side of the training files: area under the curve, accuracy, pairs won, by source."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from .batches import Corpus
from .rows import BINARY, HEADS, RANKED, held


def area(score: np.ndarray, label: np.ndarray) -> float:
    """Area under the ROC curve by ranks, ties shared."""
    if label.all() or not label.any():
        return float("nan")
    _, inverse, counts = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    n1 = label.sum()
    return float((rank[label].sum() - n1 * (n1 + 1) / 2) / (n1 * (~label).sum()))


def held_out(corpus: Corpus) -> tuple[list[int], list[int], list[int]]:
    """Sequences to predict, and which rows and pairs they serve."""
    rows = [k for k, (_, r) in enumerate(corpus.rows) if held(r.source, r.group)]
    pairs = [k for k, (_, _, p) in enumerate(corpus.pairs) if held(p.source, p.group)]
    need = sorted(
        {corpus.rows[k][0] for k in rows} | {i for k in pairs for i in corpus.pairs[k][:2]}
    )
    return need, rows, pairs


def figures(
    corpus: Corpus, logits: dict[int, np.ndarray], rows: list[int], pairs: list[int]
) -> dict[str, float]:
    """One number for each head and source, and means over sources."""
    by: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    three: dict[str, list[bool]] = defaultdict(list)
    for k in rows:
        seq, row = corpus.rows[k]
        for name, value in row.targets.items():
            if value > 0.6 or value < 0.4:
                by[name, row.source].append((float(logits[seq][HEADS.at(name)]), value > 0.5))
        if row.refusal and max(row.refusal) > 0.7:
            three[row.source].append(
                int(np.argmax(logits[seq][HEADS.refusal])) == int(np.argmax(row.refusal))
            )
    out: dict[str, float] = {}
    for (name, source), values in sorted(by.items()):
        score, label = np.array([v[0] for v in values]), np.array([v[1] for v in values], bool)
        if label.sum() >= 8 and (~label).sum() >= 8:
            out[f"{name}/{source}/auc"] = round(100 * area(score, label), 1)
    for name in BINARY:
        mine = [v for key, v in out.items() if key.startswith(name + "/")]
        if mine:
            out[f"MEAN {name}"] = round(float(np.mean(mine)), 2)
    for source, hits in three.items():
        if len(hits) >= 20:
            out[f"refusal/{source}/acc"] = round(100 * float(np.mean(hits)), 1)
    out["MEAN refusal"] = round(
        100 * float(np.mean([h for hits in three.values() for h in hits])), 2
    )
    for name in RANKED:
        out |= _ranked(corpus, logits, pairs, name)
    return out


def _ranked(
    corpus: Corpus, logits: dict[int, np.ndarray], pairs: list[int], name: str
) -> dict[str, float]:
    """Pairs won by source, how often the longer would win, and how the differences go with length."""
    won: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    gaps, lengths = [], []
    for k in pairs:
        a, b, p = corpus.pairs[k]
        if p.p != 0.5 and name in p.on.split("+"):
            gap = float(logits[a][HEADS.at(name)] - logits[b][HEADS.at(name)])
            won[p.source].append(((gap > 0) == (p.p > 0.5), (len(p.a) > len(p.b)) == (p.p > 0.5)))
            gaps.append(gap)
            lengths.append(np.log((1 + len(p.a)) / (1 + len(p.b))))
    out = {}
    for source, hits in sorted(won.items()):
        ours, longer = (round(100 * float(x), 1) for x in np.mean(hits, 0))
        out[f"{name}/{source}/won"], out[f"{name}/{source}/longer"] = ours, longer
    if len(gaps) > 1:
        out[f"{name}/with length"] = round(float(np.corrcoef(gaps, lengths)[0, 1]), 3)
    return out
