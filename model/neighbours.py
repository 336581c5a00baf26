"""Relevance and quality negatives: the answer to the nearest other prompt, found with the base model's embeddings."""

from __future__ import annotations

import random

import numpy as np

from .rows import Pair, Row, cue, opening

#: How alike two prompts may be; above, the neighbour's answer often answers this prompt too.
LOW, HIGH = 0.35, 0.85


def answered(rows: list[Row], pairs: list[Pair]) -> list[tuple[str, str, str]]:
    """(prompt, good response, group): one for each prompt that has an answer worth calling relevant."""
    found: dict[str, tuple[str, str, str]] = {}
    for p in pairs:
        if p.on == "quality" and p.source not in ("hh_harmless", "ifeval") and abs(p.p - 0.5) > 0.2:
            found.setdefault(p.group, (p.prompt, p.a if p.p > 0.5 else p.b, p.group))
    for r in rows:
        if (
            r.response
            and r.prompt
            and not cue(r.response)
            and (
                r.targets.get("relevance", 0) > 0.9
                or (r.refusal and r.refusal[0] > 0.9 and r.weights["refusal"] >= 0.4)
            )
        ):
            found.setdefault(r.group, (r.prompt, r.response, r.group))
    return [x for x in found.values() if len(x[0]) < 1500 and len(x[1]) > 1]


def embed(texts: list[str], base: str, threads: int = 2) -> np.ndarray:
    """Unit vectors of the base model (mean pooled), longest first in small batches."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    torch.set_num_threads(threads)
    tokenizer, model = AutoTokenizer.from_pretrained(base), AutoModel.from_pretrained(base).eval()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model.to(device)
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    out = np.zeros((len(texts), model.config.hidden_size), np.float32)
    with torch.inference_mode():
        for at in range(0, len(order), 128):
            part = order[at : at + 128]
            batch = tokenizer(
                [texts[i][:600] for i in part],
                padding=True,
                truncation=True,
                max_length=96,
                return_tensors="pt",
            ).to(device)
            hidden, mask = model(**batch).last_hidden_state, batch["attention_mask"].unsqueeze(-1)
            mean = (hidden * mask).sum(1) / mask.sum(1)
            out[part] = torch.nn.functional.normalize(mean, dim=1).float().cpu().numpy()
    return out


def negatives(
    rows: list[Row], pairs: list[Pair], base: str, seed: int
) -> tuple[list[Row], list[Pair]]:
    """For each answered prompt a neighbour's answer, longer than its own as often as shorter."""
    rng, items = random.Random(seed), answered(rows, pairs)
    vectors = embed([prompt for prompt, _, _ in items], base)
    new_rows: list[Row] = []
    new_pairs: list[Pair] = []
    for at in range(0, len(items), 512):
        close = vectors[at : at + 512] @ vectors.T
        for i in range(close.shape[0]):
            prompt, own, group = items[at + i]
            top = (
                np.argpartition(-close[i], 12)[:12]
                if close.shape[1] > 12
                else np.arange(close.shape[1])
            )
            ranked = [
                j
                for j in top[np.argsort(-close[i, top], kind="stable")]
                if LOW < close[i, j] < HIGH and items[j][1] != own
            ]
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
                    new_pairs.append(
                        Pair("neighbour", prompt, short, wrong, 0.95, 0.4, group=group)
                    )
            if rng.random() < 0.2:
                far = items[rng.randrange(len(items))][1]
                new_rows.append(
                    Row("stranger", prompt, far, group=group).mark("relevance", 0.01, 0.4)
                )
    return new_rows, new_pairs


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
