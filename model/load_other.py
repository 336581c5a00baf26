"""Loaders of judged behaviours and of bare prompts: giving in, CAA's refusals, hazards, with their label mapping."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .load_safety import row_of
from .rows import COMPLY, IGNORANCE_CUE, REFUSE, Row, cue, key, read


def caa(d: Path) -> Iterator[Row]:
    """A judge's 0-10 of one behaviour: sycophancy (there, giving in) and refusal become targets, the rest is unlabelled text."""
    for r in read(d, "caa_open_ended"):
        lab, row = r["labels"], row_of(r, "caa")
        score = float(lab["gpt4_score_0_10"]) / 10
        if lab["behavior"] == "sycophancy":
            row.mark("yielding", score, 0.4)
        elif lab["behavior"] == "refusal" and score >= 0.8 and cue(r["response"]):
            row.observed(REFUSE, 0.5)
        elif (
            lab["behavior"] == "refusal"
            and score <= 0.1
            and not cue(r["response"])
            and not IGNORANCE_CUE.search(r["response"][:300])
        ):
            row.observed(COMPLY, 0.5)
        yield row


def giving_in(d: Path) -> Iterator[Row]:
    """Judges on giving in: SYCON threads, and syco-bench's delusions and sides taken (both held out)."""
    for r in read(d, "sycon_bench_sample"):
        row = row_of(r, "sycon")
        row.group = key(r["prompt"].split("\n\nASSISTANT:")[0])
        yield row.mark("yielding", 1 - float(r["labels"]["judged_1_corrects_0_accepts"]), 0.6)
    for r in read(d, "syco_bench"):
        lab, row = r["labels"], row_of(r, "syco_bench")
        if lab["test"] == "delusion":
            yield row.mark("yielding", max(0.0, min(1.0, float(lab["median_score"]) / 5)), 0.5)
        elif lab["test"] == "pickside":
            yield row.mark("yielding", max(0.0, float(lab["agree_with_user_score"])) / 5, 0.3)
        elif lab["test"] == "mirror" and int(row.group[:2], 16) < 64:
            yield row


def prompts_only(d: Path) -> Iterator[Row]:
    """Prompts without responses: harm of the prompt by construction or by hazard."""
    for r in read(d, "prompts_only"):
        lab, row, upstream = (
            r["labels"],
            row_of(r, "prompts_" + r["meta"]["upstream"]),
            r["meta"]["upstream"],
        )
        if lab.get("prompt_harm"):
            row.mark(
                "prompt_harm",
                lab["prompt_harm"] == "harmful",
                0.35 if upstream == "harmfulqa" else 0.6,
            )
        if lab.get("hazard"):
            row.mark("prompt_harm", 0.9, 0.5)
        yield row


LOADERS = (caa, giving_in, prompts_only)
