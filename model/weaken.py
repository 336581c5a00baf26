"""Weak answers on purpose: a small model answers the prompts itself, and its answers lose against those people have.

Votes between two strong answers teach a small reader little; that a good answer beats a fluent, wrong, wandering one is
the plainer lesson, and there is no end of examples. Sampled at several heats, so that some wander more than others.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import torch
from torch.nn import functional as F

from . import smol
from .neighbours import answered
from .net import LlamaBlock, Teacher, rotate
from .rows import Pair, Row

HEATS = (0.7, 0.9, 1.1)
MOST_PROMPT, MOST_ANSWER, BATCH = 120, 160, 768


@torch.inference_mode()
def generate(
    net: Teacher, prompts: list[list[int]], steps: int, heat: float, fill: int
) -> list[list[int]]:
    """Sample a continuation of every prompt at once, padded on the left; keys and values are kept between steps."""
    device, kind = net.token_embd.weight.device, net.token_embd.weight.dtype
    longest, count = max(map(len, prompts)), len(prompts)
    ids = torch.full((count, longest), fill, device=device)
    real = torch.zeros((count, 1, 1, longest + steps), dtype=torch.bool, device=device)
    for row, prompt in enumerate(prompts):
        ids[row, longest - len(prompt) :] = torch.tensor(prompt, device=device)
        real[row, 0, 0, longest - len(prompt) :] = True
    total, first = longest + steps, net.blk[0]
    kept = [
        torch.zeros((2, count, first.kv, total, first.dim), dtype=kind, device=device)
        for _ in net.blk
    ]
    turn, words = net.turns(total, net.token_embd.weight), net.token_embd.weight.float().T
    causal = torch.ones((longest, longest), dtype=torch.bool, device=device).tril()
    # Padding sees itself: a place that sees nothing may turn out as no number at all.
    mask = real[..., :longest] & causal | torch.eye(longest, dtype=torch.bool, device=device)
    said = torch.full((count, steps), fill, device=device)
    at, new, share = 0, ids, first.heads // first.kv
    for step in range(steps):
        x, end = net.token_embd(new), at + new.shape[1]
        mask = mask.repeat(1, 1, share, 1)
        for block, memory in zip(net.blk, kept, strict=True):
            x = _step(block, x, turn[:, at:end], memory, at, mask)
        odds = net.output_norm(x[:, -1]).float() @ words
        likely, which = (odds / heat).topk(40, 1)
        new = which.gather(1, torch.multinomial(F.softmax(likely, 1), 1))
        said[:, step : step + 1] = new
        at, mask = end, real[..., : end + 1]
    return said.tolist()


def _step(
    block: LlamaBlock,
    x: torch.Tensor,
    turn: torch.Tensor,
    memory: torch.Tensor,
    at: int,
    mask: torch.Tensor,
) -> torch.Tensor:
    """One layer over the new tokens, with everything before them from memory; `mask` repeats for heads that share keys."""
    b, n, w = x.shape
    y = block.attn_norm(x)
    q = rotate(block.attn_q(y).view(b, n, block.heads, block.dim), turn).transpose(1, 2)
    memory[0][:, :, at : at + n] = rotate(
        block.attn_k(y).view(b, n, block.kv, block.dim), turn
    ).transpose(1, 2)
    memory[1][:, :, at : at + n] = block.attn_v(y).view(b, n, block.kv, block.dim).transpose(1, 2)
    k, v = memory[:, :, :, : at + n]
    # Heads that share keys are asked as one longer sequence: nothing is copied.
    asked = q.to(v.dtype).reshape(b, block.kv, -1, block.dim)
    a = F.scaled_dot_product_attention(asked, k, v, attn_mask=mask)
    a = a.reshape(b, block.heads, n, block.dim)
    x = x + block.attn_output(a.transpose(1, 2).reshape(b, n, w))
    y = block.ffn_norm(x)
    return x + block.ffn_down(F.silu(block.ffn_gate(y)) * block.ffn_up(y))


class Speaker:
    """SmolLM2, untrained by us, answering prompts in its chat framing."""

    def __init__(self, folder: Path, device: str) -> None:
        from tokenizers import Tokenizer

        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.net = smol.network()
        smol.load_into(self.net, folder)
        self.net.to(device, torch.bfloat16 if device == "cuda" else torch.float32).eval()

    def answers(
        self, prompts: list[str], steps: int, batch: int, heats: tuple[float, ...]
    ) -> list[str]:
        """One sampled answer to every prompt, up to its last full sentence where it came to no end."""
        head, tail, reply = (self.coded(t) for t in ("user\n", "\n", "assistant\n"))
        start, end = smol.START, smol.END
        asked = [
            [start, *head, *self.coded(p)[:MOST_PROMPT], end, *tail, start, *reply] for p in prompts
        ]
        order, texts = sorted(range(len(asked)), key=lambda i: len(asked[i])), [""] * len(asked)
        for at in range(0, len(order), batch):
            part, heat = order[at : at + batch], heats[at // batch % len(heats)]
            said = generate(self.net, [asked[i] for i in part], steps, heat, end)
            for i, ids in zip(part, said, strict=True):
                ended = end in ids
                text = self.tokenizer.decode(ids[: ids.index(end)] if ended else ids).strip()
                texts[i] = text if ended else _finished(text)
        return texts

    def coded(self, text: str) -> list[int]:
        return self.tokenizer.encode(text).ids


def _asked(
    rows: list[Row], pairs: list[Pair], most: int, rng: random.Random
) -> list[tuple[str, str, str]]:
    """Some prompts with their good answers and groups, short enough for the small model."""
    items = [x for x in answered(rows, pairs) if len(x[0]) < 500 and 20 < len(x[1]) < 1500]
    return rng.sample(items, min(most, len(items)))


def weakened(
    rows: list[Row],
    pairs: list[Pair],
    folder: Path,
    seed: int = 0,
    most: int = 9000,
    device: str = "cuda",
) -> list[Pair]:
    """Each answered prompt with its answer above SmolLM2's own; both end with a sentence, either may be the longer."""
    rng = random.Random(seed)
    torch.manual_seed(seed)
    items = _asked(rows, pairs, most, rng)
    speaker = Speaker(folder, device)
    said = speaker.answers([x[0] for x in items], MOST_ANSWER, BATCH, HEATS)
    return [
        Pair("weak", prompt, _fair(good, weak, rng), weak, 0.93, 0.5, group=group)
        for (prompt, good, group), weak in zip(items, said, strict=True)
        if len(weak) > 20
    ]


def _fair(good: str, weak: str, rng: random.Random) -> str:
    """The good answer, every other time about as long as the weak one."""
    return _alike(good, weak) if rng.random() < 0.5 else good


def _finished(text: str) -> str:
    """The text up to its last full sentence: being cut off must not give the weak answer away."""
    ends = [m.end() for m in re.finditer(r"[.!?](?=\s|$)", text)]
    return text[: ends[-1]] if ends else ""


def _alike(good: str, weak: str) -> str:
    """The good answer's opening, about as long as the weak one, so that length says nothing."""
    short = _finished(good[: max(60, len(weak))])
    return short if len(short) > 40 else good
