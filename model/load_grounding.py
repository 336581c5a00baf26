"""Loaders of sentences held against a source: whether it supports them and whether it contradicts them, by people mostly.

The passage of a long source is the one serving would choose (`Source.nearest`); the whole of a short answer is one sentence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from fairwitness.evaluator.readers.sources import Source

from .rows import CONSTRUCTION, JUDGE, PEOPLE, Row, key, read

STOP = re.compile(r"(?<=[.!?])\s+")
#: Files whose label `grounded` is taken as it is: trust, and every how many rows without support one is kept.
PLAIN = {
    "begin_wow_cmu": (0.8, 1),
    "begin_topicalchat": (0.8, 1),
    "faithdial_audit": (0.7, 2),
    "q2_wow": (0.8, 1),
    "halueval_qa_seed": (CONSTRUCTION, 1),
    "expertqa_claims": (0.5, 1),
}


def row_against(source: str, passage: str, sentence: str, group: str) -> Row:
    """A sentence to hold against a passage."""
    return Row(source, passage, sentence, group=group, against=True)


def against(name: str, context: str, sentence: str) -> Row:
    """A sentence with the passages of its source that stand nearest."""
    return row_against(name, Source(context).nearest(sentence), sentence, key(context))


def supported(row: Row, value: float, weight: float) -> Row:
    """Mark support; what is supported is not contradicted."""
    row.mark("support", value, weight)
    return row.mark("contradiction", 0.02, 0.7 * weight) if value > 0.9 else row


def plain(d: Path) -> Iterator[Row]:
    """Replies and claims that people (HaluEval: a machine) called grounded or not."""
    for name, (trust, every) in PLAIN.items():
        seen = 0
        for r in read(d / "grounding", name):
            said = r["labels"]["grounded"]
            if said is None or len(r["response"].split()) < 4:
                continue
            seen += not said
            if said or seen % every == 0:
                partial = r["labels"].get("support") == "partial"
                value = 0.35 if partial else 0.97 if said else 0.03
                yield supported(against(name, r["context"], r["response"]), value, trust)


def fever(d: Path) -> Iterator[Row]:
    """Minimal pairs: supported or refuted."""
    for r in read(d / "grounding", "fever_symmetric"):
        row, yes = against("fever_symmetric", r["context"], r["response"]), r["labels"]["grounded"]
        row.mark("support", 0.98 if yes else 0.02, PEOPLE)
        yield row.mark("contradiction", 0.02 if yes else 0.97, PEOPLE)


def stance(d: Path) -> Iterator[Row]:
    """Evidence found for a claim: supports, partly, refutes, or has nothing to do with it (thinned)."""
    values = {
        "completely-support": (0.97, 0.02),
        "partially-support": (0.45, 0.05),
        "refute": (0.02, 0.95),
        "irrelevant": (0.03, 0.05),
    }
    for number, r in enumerate(read(d / "grounding", "factcheckgpt_stance")):
        said = r["labels"]["stance"]
        if said in values and (said != "irrelevant" or number % 2 == 0):
            row = against("factcheckgpt_stance", r["context"], r["response"])
            for head, value in zip(("support", "contradiction"), values[said], strict=True):
                row.mark(head, value, 0.8)
            yield row


def summaries(d: Path) -> Iterator[Row]:
    """SummEdits: a summary and its edits; where one sentence alone is new, it is the one that turned false."""
    by: dict[str, list[dict]] = defaultdict(list)
    for r in read(d / "grounding", "summedits"):
        by[r["context"]].append(r)
    for context, rows in sorted(by.items()):
        source, group = Source(context), key(context)
        fine = {s for r in rows if r["labels"]["grounded"] for s in STOP.split(r["response"])}
        for sentence in sorted(fine):
            if len(sentence.split()) > 3:
                row = row_against("summedits", source.nearest(sentence), sentence, group)
                yield supported(row, 0.97, 0.9)
        for r in rows:
            new = [s for s in STOP.split(r["response"]) if s not in fine]
            if r["labels"]["grounded"] == 0 and len(new) == 1:
                row = row_against("summedits", source.nearest(new[0]), new[0], group)
                added = r["meta"]["edit_types"] == ["hallucinated_fact_insertion"]
                row.mark("contradiction", 0.3 if added else 0.9, 0.8)
                yield row.mark("support", 0.03, 0.9)


def spans(d: Path) -> Iterator[Row]:
    """XSum's marked inventions, thinned: nine in ten of them are; an intrinsic one misreads its source."""
    number = 0
    for r in read(d / "grounding", "xsum_hallucination"):
        lab = r["labels"]
        if lab["grounded"] is None:
            continue
        number += not lab["grounded"]
        if lab["grounded"] or number % 5 == 0:
            row = against("xsum_hallucination", r["context"], r["response"])
            kinds = {s["kind"] for s in lab.get("spans", ())}
            if kinds == {"intrinsic"}:
                row.mark("contradiction", 0.8, 0.5)
            yield supported(row, 0.95 if lab["grounded"] else 0.04, 0.6)


def wikipedia(d: Path) -> Iterator[Row]:
    """WiCE: a claim against its long web source, and claims of which some words have no support."""
    values = {"supported": 0.97, "partially_supported": 0.3, "not_supported": 0.03}
    for r in read(d / "grounding", "wice_claim_dev"):
        row = against("wice_claim_dev", r["context"], r["response"])
        yield supported(row, values[r["labels"]["wice"]], PEOPLE)
    for r in read(d / "grounding", "wice_unsupported_tokens"):
        yield against("wice_unsupported_tokens", r["context"], r["response"]).mark(
            "support", 0.2, 0.6
        )


def contradicting(d: Path) -> Iterator[Row]:
    """ChatProtect: two sentences of one text that contradict each other, or were not confirmed to; either way round."""
    for r in read(d / "grounding", "chatprotect_contradiction"):
        a, b = r["meta"]["a"], r["meta"]["b"]
        yes = r["labels"]["self_contradiction"] == 1
        for first, second in ((a, b), (b, a)):
            row = row_against("chatprotect", first, second, key(r["prompt"]))
            row.mark("contradiction", 0.95 if yes else 0.2, 0.8 if yes else 0.4)
            yield row.mark("support", 0.03, 0.6) if yes else row


def consistent(d: Path) -> Iterator[Row]:
    """FIB: a reference summary people found true to its article beside a model's they found not."""
    for number, r in enumerate(read(d / "pairs", "fib_summaries")):
        article = r["prompt"].split("\n\n", 1)[-1]
        good, bad = (
            r[f"response_{x}"] for x in ("ab" if r["labels"]["preferred"] == "a" else "ba")
        )
        if number % 2 == 0:
            source = Source(article)
            for text, value in ((good, 0.93), (bad, 0.06)):
                yield supported(
                    row_against("fib", source.nearest(text), text, key(article)), value, JUDGE
                )


LOADERS = (plain, fever, stance, summaries, spans, wikipedia, contradicting, consistent)
