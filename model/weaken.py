"""Weak answers on purpose: SmolLM2-135M answers the prompts itself, and its answers lose against those people have.

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
def generate(net: Teacher, prompts: list[list[int]], steps: int, heat: float) -> list[list[int]]:
    """Sample a continuation of every prompt at once, padded on the left; keys and values are kept between steps."""
    device, kind = net.token_embd.weight.device, net.token_embd.weight.dtype
    longest, count = max(map(len, prompts)), len(prompts)
    ids = torch.full((count, longest), smol.END, device=device)
    real = torch.zeros((count, 1, 1, longest + steps), dtype=torch.bool, device=device)
    for row, prompt in enumerate(prompts):
        ids[row, longest - len(prompt) :] = torch.tensor(prompt, device=device)
        real[row, 0, 0, longest - len(prompt) :] = True
    total, first = longest + steps, net.blk[0]
    kept = [
        torch.zeros((2, count, first.kv, total, first.dim), dtype=kind, device=device)
        for _ in net.blk
    ]
    freq = 100000.0 ** (-torch.arange(0, net.dim, 2, device=device).float() / net.dim)
    angle = torch.arange(total, device=device).float()[:, None] * freq
    turn = torch.stack([angle.cos(), angle.sin()]).to(kind)
    causal = torch.ones((longest, longest), dtype=torch.bool, device=device).tril()
    said = torch.full((count, steps), smol.END, device=device)
    at, new, mask = 0, ids, real[..., :longest] & causal
    for step in range(steps):
        x, end = net.token_embd(new), at + new.shape[1]
        for block, memory in zip(net.blk, kept, strict=True):
            x = _step(block, x, turn[:, at:end], memory, at, mask)
        odds = net.output_norm(x[:, -1]).float() @ net.token_embd.weight.float().T
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
    """One layer over the new tokens, with everything before them from memory."""
    b, n, w = x.shape
    y = block.attn_norm(x)
    q = rotate(block.attn_q(y).view(b, n, block.heads, block.dim), turn).transpose(1, 2)
    memory[0][:, :, at : at + n] = rotate(
        block.attn_k(y).view(b, n, block.kv, block.dim), turn
    ).transpose(1, 2)
    memory[1][:, :, at : at + n] = block.attn_v(y).view(b, n, block.kv, block.dim).transpose(1, 2)
    k, v = (m[:, :, : at + n].repeat_interleave(block.heads // block.kv, 1) for m in memory)
    a = F.scaled_dot_product_attention(q.to(v.dtype), k, v, attn_mask=mask)
    x = x + block.attn_output(a.transpose(1, 2).reshape(b, n, w))
    y = block.ffn_norm(x)
    return x + block.ffn_down(F.silu(block.ffn_gate(y)) * block.ffn_up(y))


def weakened(
    rows: list[Row],
    pairs: list[Pair],
    folder: Path,
    seed: int = 0,
    most: int = 9000,
    device: str = "cuda",
) -> list[Pair]:
    """Each answered prompt with its answer above SmolLM2's own; both end with a sentence, either may be the longer."""
    from tokenizers import Tokenizer

    tokenizer, rng = Tokenizer.from_file(str(folder / "tokenizer.json")), random.Random(seed)
    torch.manual_seed(seed)
    items = [x for x in answered(rows, pairs) if len(x[0]) < 500 and 20 < len(x[1]) < 1500]
    items = rng.sample(items, min(most, len(items)))
    net = Teacher()
    smol.load_into(net, folder)
    net.to(device, torch.bfloat16 if device == "cuda" else torch.float32).eval()
    head, tail = (tokenizer.encode(t).ids for t in ("user\n", "\n"))
    reply = tokenizer.encode("assistant\n").ids
    asked = []
    for prompt, good, group in items:
        words = tokenizer.encode(prompt).ids[:MOST_PROMPT]
        framed = [smol.START, *head, *words, smol.END, *tail, smol.START, *reply]
        asked.append((framed, prompt, good, group))
    asked.sort(key=lambda x: len(x[0]))
    made: list[Pair] = []
    for at in range(0, len(asked), BATCH):
        part, heat = asked[at : at + BATCH], HEATS[at // BATCH % len(HEATS)]
        said = generate(net, [x[0] for x in part], MOST_ANSWER, heat)
        for (_, prompt, good, group), ids in zip(part, said, strict=True):
            ended = smol.END in ids
            text = tokenizer.decode(ids[: ids.index(smol.END)] if ended else ids).strip()
            weak = text if ended else _finished(text)
            if len(weak) > 20:
                better = _alike(good, weak) if rng.random() < 0.5 else good
                made.append(Pair("weak", prompt, better, weak, 0.93, 0.5, group=group))
    return made


def _finished(text: str) -> str:
    """The text up to its last full sentence: being cut off must not give the weak answer away."""
    ends = [m.end() for m in re.finditer(r"[.!?](?=\s|$)", text)]
    return text[: ends[-1]] if ends else ""


def _alike(good: str, weak: str) -> str:
    """The good answer's opening, about as long as the weak one, so that length says nothing."""
    short = _finished(good[: max(60, len(weak))])
    return short if len(short) > 40 else good
