"""Relevance and quality negatives: the answer to the nearest other prompt, found with the base model's embeddings, or one of another form."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from pathlib import Path

import numpy as np

from .rows import Pair, Row, cue, opening

#: How alike two prompts may be; above, the neighbour's answer often answers this prompt too.
LOW, HIGH = 0.35, 0.85
#: How many others are looked at, and how many tokens of a prompt.
NEAREST, OPENING = 12, 64


def answered(rows: list[Row], pairs: list[Pair]) -> list[tuple[str, str, str]]:
    """(prompt, good response, group): one for each prompt that has an answer worth calling relevant."""
    found: dict[str, tuple[str, str, str]] = {}
    for p in pairs:
        if (
            p.on.startswith("quality")
            and p.source not in ("hh_harmless", "ifeval")
            and abs(p.p - 0.5) > 0.2
        ):
            found.setdefault(p.group, (p.prompt, p.a if p.p > 0.5 else p.b, p.group))
    for r in rows:
        if (
            r.response
            and r.prompt
            and not r.against
            and not cue(r.response)
            and (
                r.targets.get("relevance", 0) > 0.9
                or (r.refusal and r.refusal[0] > 0.9 and r.weights["refusal"] >= 0.4)
            )
        ):
            found.setdefault(r.group, (r.prompt, r.response, r.group))
    return [x for x in found.values() if len(x[0]) < 1500 and len(x[1]) > 1]


def embed(texts: list[str], work: Path, device: str) -> np.ndarray:
    """Unit vectors of the base model (mean pooled) for the openings of texts, alike lengths together."""
    import torch
    from tokenizers import Tokenizer

    from . import int8
    from .net import Student

    tokenizer = Tokenizer.from_file(str(work / "tokenizer.json"))
    tokenizer.enable_truncation(OPENING)
    net = Student()
    int8.fill(net, work / "base.pt")
    net.to(device).eval()
    coded = [e.ids for e in tokenizer.encode_batch([t[:600] for t in texts])]
    order = sorted(range(len(texts)), key=lambda i: len(coded[i]))
    out = np.zeros((len(texts), net.word.embedding_dim), np.float32)
    with torch.inference_mode():
        for at in range(0, len(order), 256):
            part = order[at : at + 256]
            ids = torch.zeros((len(part), len(coded[part[-1]])), dtype=torch.long)
            for k, i in enumerate(part):
                ids[k, : len(coded[i])] = torch.tensor(coded[i])
            ids = ids.to(device)
            real = ids > 0
            states, mask = net.states(ids, torch.zeros_like(ids), real), real.unsqueeze(-1)
            mean = (states * mask).sum(1) / mask.sum(1)
            out[part] = torch.nn.functional.normalize(mean, dim=1).float().cpu().numpy()
    return out


def near(rows: list[Row], pairs: list[Pair], work: Path, device: str) -> np.ndarray:
    """For each answered prompt the others nearest to it, alike enough and not too alike; -1 where there are no more."""
    import torch

    items = answered(rows, pairs)
    vectors = torch.from_numpy(embed([prompt for prompt, _, _ in items], work, device)).to(device)
    found = np.full((len(items), NEAREST), -1, np.int32)
    for at in range(0, len(items), 512):
        close = vectors[at : at + 512] @ vectors.T
        likeness, which = (x.cpu().numpy() for x in close.topk(min(NEAREST, len(items)), 1))
        for k, (alike, others) in enumerate(zip(likeness, which, strict=True)):
            own = items[at + k][1]
            fine = [
                j
                for j, x in zip(others.tolist(), alike, strict=True)
                if LOW < x < HIGH and items[j][1] != own
            ]
            found[at + k, : len(fine)] = fine
    return found


def negatives(
    rows: list[Row], pairs: list[Pair], nearest: np.ndarray, seed: int = 0
) -> tuple[list[Row], list[Pair]]:
    """For each answered prompt a neighbour's answer, longer than its own as often as shorter."""
    rng, items = random.Random(seed), answered(rows, pairs)
    if len(items) != len(nearest):
        raise SystemExit("the neighbours were found for other data")
    new_rows: list[Row] = []
    new_pairs: list[Pair] = []
    for (prompt, own, group), others in zip(items, nearest.tolist(), strict=True):
        ranked = [j for j in others if j >= 0]
        if not ranked:
            continue
        want_longer = rng.random() < 0.6
        fitting = [j for j in ranked[:6] if (len(items[j][1]) > len(own)) == want_longer]
        other = items[(fitting or ranked)[0]][1]
        new_pairs.append(Pair("neighbour", prompt, own, other, 0.97, 0.5, group=group))
        if rng.random() < 0.4:
            # A short answer that fits is still one that fits.
            short, wrong = (opening(text.strip()[:600], rng) for text in (own, other))
            if short not in (own, wrong) and not cue(short):
                new_pairs.append(Pair("neighbour", prompt, short, wrong, 0.95, 0.4, group=group))
        if rng.random() < 0.3:
            far = items[rng.randrange(len(items))][1]
            new_rows.append(Row("stranger", prompt, far, group=group).mark("relevance", 0.01, 0.4))
    return new_rows, [p for p in new_pairs if p.a.strip() and p.b.strip() and p.a != p.b]


def form(text: str) -> str:
    """The form an answer has at a glance."""
    lines = [x for x in text.strip().split("\n") if x.strip()]
    if "```" in text or re.search(r"^\s*(def |import |SELECT |#include|<\w+>)", text, re.M):
        return "code"
    if text.lstrip()[:1] in "{[":
        return "data"
    if sum(x.lstrip().startswith("|") for x in lines) > 2:
        return "table"
    if re.match(r"(Subject:|Dear |Hi |Hello )", text.lstrip()):
        return "letter"
    if len(text) < 40:
        return "short"
    marked = sum(bool(re.match(r"\s*([-*•]|\d+[.)])\s", x)) for x in lines)
    if marked > 2:
        return "list"
    if len(lines) > 3 and max(map(len, lines)) < 70:
        return "verse"
    return "prose"


def otherwise(rows: list[Row], pairs: list[Pair], seed: int, most: int = 7000) -> list[Row]:
    """An answer of another form, to another prompt: a verse for a sum, code for a summary; every form as often as another."""
    rng, items = random.Random(seed), answered(rows, pairs)
    by: dict[str, list[str]] = defaultdict(list)
    for _, text, _ in items:
        by[form(text)].append(text)
    made = []
    for prompt, own, group in rng.sample(items, min(most, len(items))):
        other = rng.choice(sorted(set(by) - {form(own)}) or sorted(by))
        row = Row("otherwise", prompt, rng.choice(by[other]), group=group)
        made.append(row.mark("relevance", 0.02, 0.5))
    return made


def strangers(taught: list[Row], rows: list[Row], seed: int, most: int = 4000) -> list[Row]:
    """A lesson's prompt with the answer to a prompt of the gathered rows, or of another lesson."""
    rng = random.Random(seed)
    asked = [r for r in taught if not r.against and len(r.prompt) > 12 and r.response]
    other = [r for r in rows if not r.against and r.prompt and len(r.response) > 20]
    made = []
    for row in rng.sample(asked, min(most, len(asked))):
        far = rng.choice(asked if rng.random() < 0.5 else other)
        if far.prompt != row.prompt:
            put = Row("swapped", row.prompt, far.response, group=row.group)
            made.append(put.mark("relevance", 0.02, 0.4))
    return made


def spoiled(pairs: list[Pair], seed: int) -> list[Pair]:
    """A good answer beats itself cut off, looping, or with a stranger's paragraph in it; the spoiled one is often longer."""
    rng = random.Random(seed)
    good = [
        (p.prompt, p.a if p.p > 0.5 else p.b, p.group)
        for p in pairs
        if p.source
        in (
            "lmsys_arena_55k_subset",
            "ultrafeedback_binarized_sample",
            "hh_rlhf_helpful_test",
            "coconot",
        )
        and abs(p.p - 0.5) > 0.3
    ]
    good = [g for g in good if 60 < len(g[1]) < 1800]
    made = []
    for prompt, text, group in rng.sample(good, min(4000, len(good))):
        kind = rng.randrange(4)
        sentences = text.split(". ")
        if kind == 0:
            bad = text[: int(len(text) * rng.uniform(0.3, 0.7))]
        elif kind == 1:
            bad = text + " " + " ".join([sentences[-1]] * rng.randint(2, 5))
        elif kind == 2:
            bad = text[: len(text) // 2] + "\n" + rng.choice(good)[1][:600]
        else:
            bad = (
                f"{prompt} {prompt}"
                if rng.random() < 0.5
                else prompt + "\n" + " ".join(rng.sample(sentences, len(sentences)))
            )
        made.append(Pair("spoiled", prompt, text, bad, 0.95, 0.3, group=group))
    return made
