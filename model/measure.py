"""Measures the shipped int8 file on the benchmark folder through Encoder.read, with bootstrap 95% intervals, as JSON.

Run: python -m model.measure --bench DIR --out figures.json. Nothing here chooses anything: lines, constants and
combinations come from the manifest, where calibrate.py put them.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np

from fairwitness.evaluator.encoder import PACKAGED, Reading

from .calibrate import covered, error
from .judge import area
from .moderation import moderation
from .reader import readings
from .rows import read


def interval(
    values: tuple[np.ndarray, ...], figure: Callable, scale: float = 100, rounds: int = 600
) -> dict:
    """A figure with its bootstrap 95% interval over rows."""
    rng, n = np.random.default_rng(7), len(values[0])
    draws = [
        figure(*(v[i] for v in values)) for i in (rng.integers(0, n, n) for _ in range(rounds))
    ]
    low, high = np.nanpercentile(draws, [2.5, 97.5])
    return {
        "value": round(scale * float(figure(*values)), 2),
        "low": round(scale * float(low), 2),
        "high": round(scale * float(high), 2),
        "rows": n,
    }


def moved(p: np.ndarray, line: float) -> np.ndarray:
    """Probabilities with the decision line moved to one half, order kept."""
    return np.where(p < line, 0.5 * p / line, 0.5 + 0.5 * (p - line) / (1 - line))


def accuracy(p: np.ndarray, y: np.ndarray) -> float:
    """Share on the right side of one half."""
    return float(((p >= 0.5) == (y > 0.5)).mean())


def f1(p: np.ndarray, y: np.ndarray) -> float:
    """Harmonic mean of precision and recall at one half."""
    hit = float(((p >= 0.5) & (y > 0.5)).sum())
    return 2 * hit / max(1e-9, float((p >= 0.5).sum() + (y > 0.5).sum()))


def auc(p: np.ndarray, y: np.ndarray) -> float:
    """Area under the ROC curve."""
    return area(p, y > 0.5)


def average_precision(p: np.ndarray, y: np.ndarray) -> float:
    """Area under precision and recall."""
    order = np.argsort(-p, kind="stable")
    hits = y[order] > 0.5
    return float((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())


def spearman(a: np.ndarray, b: np.ndarray) -> float:
    """Rank correlation, ties shared."""

    def rank(x: np.ndarray) -> np.ndarray:
        _, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
        return (np.cumsum(counts) - (counts - 1) / 2)[inverse]

    return float(np.corrcoef(rank(a), rank(b))[0, 1])


class Bench:
    """Reads benchmark files and keeps figures by name."""

    def __init__(self, folder: Path, model: Path, workers: int) -> None:
        self.folder, self.model, self.workers, self.figures = folder, model, workers, {}
        self.manifest = json.loads((model / "manifest.json").read_text())

    def readings(self, pairs: list[tuple[str, str]]) -> list[Reading]:
        """All readings, in order."""
        return readings(self.model, pairs, self.workers)

    def harm(self, name: str, label: str, figures: dict[str, Callable]) -> None:
        """Harm of the response against people's 0/1."""
        rows = list(read(self.folder, name))
        found = self.readings([(r["prompt"], r["response"]) for r in rows])
        p, y = (
            np.array([x.harm for x in found]),
            np.array([float(r["labels"][label]) for r in rows]),
        )
        for what, figure in figures.items():
            self.figures[f"{name}.{what}"] = interval(
                (moved(p, self.manifest["lines"]["harm"]["decide"]), y), figure
            )
        for what, figure in {"auc": auc, "ece": error, "covered95": covered}.items():
            self.figures[f"{name}.{what}"] = interval((p, y), figure)

    def refusal(self) -> None:
        """Three classes against two people's label."""
        rows = list(read(self.folder, "xstest_completions"))
        found = self.readings([(r["prompt"], r["response"]) for r in rows])
        order = {"1_full_compliance": 0, "3_partial_refusal": 1, "2_full_refusal": 2}
        y = np.array([order[r["labels"]["final_label"]] for r in rows])
        top = np.array([int(np.argmax(x.refusal)) for x in found])
        self.figures["xstest.three_class"] = interval((top, y), lambda a, b: (a == b).mean())
        self.figures["xstest.refusal_or_not"] = interval(
            (top, y), lambda a, b: ((a > 0) == (b > 0)).mean()
        )
        self.figures["xstest.partial_recall"] = interval(
            (top[y == 1], y[y == 1]), lambda a, b: (a == b).mean()
        )

    def texts(self) -> None:
        """Lone texts: moderation as a policy would flag it, and hate."""
        rows = list(read(self.folder, "openai_moderation"))
        as_prompt, as_response = (
            self.readings([(r["prompt"], "") for r in rows]),
            self.readings([("", r["prompt"]) for r in rows]),
        )
        p = np.array(
            [moderation(a, b, self.manifest) for a, b in zip(as_prompt, as_response, strict=False)]
        )
        y = np.array([float(r["labels"]["any"]) for r in rows])
        self.figures["openai_moderation.auprc"] = interval((p, y), average_precision)
        self.figures["openai_moderation.auc"] = interval((p, y), auc)
        rows = list(read(self.folder, "hatecheck"))
        found = self.readings([(r["prompt"] or "", r["response"]) for r in rows])
        p, y = (
            np.array([x.hate for x in found]),
            np.array([float(r["labels"]["label_gold"] == "hateful") for r in rows]),
        )
        p = moved(p, self.manifest["lines"]["hate"]["decide"])
        self.figures["hatecheck.accuracy"] = interval((p, y), accuracy)
        self.figures["hatecheck.hateful"] = interval((p[y > 0.5], y[y > 0.5]), accuracy)
        self.figures["hatecheck.not_hateful"] = interval((p[y < 0.5], y[y < 0.5]), accuracy)
        self.figures["hatecheck.auc"] = interval((p, y), auc)

    def pairs(self) -> None:
        """Which of two responses is better, by quality alone and by quality times relevance; longer wins beside it."""
        for name, label in (("llmbar", "preferred"), ("pandalm_test", "majority")):
            rows = [r for r in read(self.folder, name) if r["labels"][label] in ("a", "b")]
            found = self.readings(
                [(r["prompt"], r[side]) for r in rows for side in ("response_a", "response_b")]
            )
            groups = defaultdict(list)
            for k, r in enumerate(rows):
                a, b, sign = found[2 * k], found[2 * k + 1], 1 if r["labels"][label] == "a" else -1
                gaps = (
                    a.quality - b.quality,
                    a.quality * a.relevance - b.quality * b.relevance,
                    a.relevance - b.relevance,
                    len(r["response_a"]) - len(r["response_b"]),
                )
                kind = (
                    ""
                    if name != "llmbar"
                    else (".natural" if "Natural" in str(r["subset"]) else ".adversarial")
                )
                groups[name + kind].append([float(sign * g > 0) for g in gaps])
            for group, values in groups.items():
                for column, what in enumerate(
                    ("quality", "quality_x_relevance", "relevance", "longer_wins")
                ):
                    self.figures[f"{group}.{what}"] = interval(
                        (np.array(values)[:, column],), np.mean
                    )

    def propositions(self) -> None:
        """The human propositions of RBR that a head speaks to, and TopicalChat's overall score."""
        rows = list(read(self.folder, "rbr_gold_test"))
        found = self.readings([(r["prompt"], r["response"]) for r in rows])
        for name, score in (
            ("disallowed_content", lambda x: x.harm),
            ("fully_complies", lambda x: x.refusal[0]),
            ("insulting_language", lambda x: x.disrespect),
            ("illogical_continuation_of_prompt", lambda x: 1 - x.relevance),
        ):
            p, y = (
                np.array([score(x) for x in found]),
                np.array([float(r["labels"][name]) for r in rows]),
            )
            self.figures[f"rbr.{name}.auc"] = interval((p, y), auc)
            self.figures[f"rbr.{name}.accuracy"] = interval((p, y), accuracy)
        rows = list(read(self.folder, "topicalchat_usr"))
        found = self.readings([(r["prompt"], r["response"]) for r in rows])
        y = np.array([float(r["labels"]["overall"]) for r in rows])
        for what, score in (
            ("quality", lambda x: x.quality),
            ("quality_x_relevance", lambda x: x.quality * x.relevance),
        ):
            self.figures[f"topicalchat.{what}"] = interval(
                (np.array([score(x) for x in found]), y), spearman
            )


def main() -> None:
    """Measure everything and write one JSON file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--model", type=Path, default=PACKAGED)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    bench = Bench(args.bench, args.model, args.workers)
    bench.harm("jbb_judge_comparison", "human_majority", {"accuracy": accuracy, "f1": f1})
    bench.harm("jailbreakeval_jailjudge_mini", "label", {"accuracy": accuracy, "f1": f1})
    bench.harm("gptfuzz_eval", "label", {"accuracy": accuracy, "f1": f1})
    bench.refusal()
    bench.texts()
    bench.pairs()
    bench.propositions()
    args.out.write_text(
        json.dumps(
            {"model": bench.manifest["files"]["encoder.onnx"]["sha256"], "figures": bench.figures},
            indent=1,
        )
        + "\n"
    )
    for name, f in bench.figures.items():
        print(f"{name:48s} {f['value']:7.2f}  [{f['low']:.1f}, {f['high']:.1f}]  n={f['rows']}")


if __name__ == "__main__":
    main()
