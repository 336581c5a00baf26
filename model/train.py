"""One training loop for student and teacher: many heads, soft targets, pairs, bfloat16 on a GPU or float32 on a CPU."""

from __future__ import annotations

import gc
import itertools
import math
import time
from collections.abc import Sequence

import numpy as np
import torch
from torch.nn import functional as F

from .batches import RANKS, Batches, Corpus
from .rows import BESIDE, BINARY, HEADS

COEFFICIENT = {
    "harm": 1.5,
    "advice": 1.0,
    "reckless": 1.0,
    "prompt_harm": 0.6,
    "hate": 1.2,
    "offence": 0.8,
    "relevance": 1.0,
    "address": 1.0,
    "self_claim": 1.0,
    "flattery": 1.0,
    "yielding": 1.0,
    "support": 1.3,
    "contradiction": 1.3,
}
#: How hard the substance head is kept from going with length, where enough pairs of a batch speak of it.
LENGTH, ENOUGH = 1.0, 8
REFUSAL_COEFFICIENT, PAIR_COEFFICIENT = 1.2, 1.5
#: Processes that prepare batches ahead of the network.
AHEAD = {"cuda": 12, "cpu": 0}
#: How often an epoch shows a source: many alike rows that would drown the rest are thinned, the few lessons repeated.
SHARE = {
    "lesson": 2.0,
    "caa": 0.4,
    "sycon": 0.6,
    "davidson": 0.6,
    "stranger": 0.8,
    "bare_prompt": 0.6,
    "truthfulqa": 0.7,
    "made_grounding": 0.7,
    "chatprotect": 0.6,
    "made_claims": 0.7,
    "made_respect": 0.7,
    "language": 3.0,
    BESIDE: 0.7,
    # Half of all rows have no label, and a third is made: the few that people labelled count for more.
    "unlabelled": 0.3,
    "made": 0.4,
    "fever": 1.5,
    "factcheckgpt": 1.5,
    "summedits": 2.0,
    "fib": 2.0,
    "wice": 3.0,
    "xsum": 3.0,
}


def loss_of(logits: torch.Tensor, aim: dict[str, torch.Tensor], teacher: bool) -> torch.Tensor:
    """Weighted cross-entropies of all heads, plus the preferences, over the rows of the batch."""
    smooth = aim["y"] * 0.98 + 0.01
    each = F.binary_cross_entropy_with_logits(logits[:, : len(BINARY)], smooth, reduction="none")
    each = each * aim["w"] * aim["coefficient"]
    harm, harmful = each[:, HEADS.at("harm")], aim["y"][:, HEADS.at("harm")] > 0.5
    loss = each.sum() + 0.5 * (harm * harmful).sum()
    refusal = -(aim["ry"] * F.log_softmax(logits[:, HEADS.refusal], 1)).sum(1)
    loss = loss + REFUSAL_COEFFICIENT * (refusal * aim["rw"]).sum()
    taught = aim["qy"]
    if teacher:
        loss = loss + ((logits[:, RANKS] - taught) ** 2 * aim["qw"][:, None]).sum()
    if "pairs" in aim:
        a, b, on = aim["pairs"]
        want, weight, longer = aim["said"]
        gap = logits[a, on] - logits[b, on]
        if teacher:
            rank = (on - RANKS.start).clamp(min=0)
            said = torch.sigmoid(taught[a, rank] - taught[b, rank])
            want = torch.where(on >= RANKS.start, 0.5 * want + 0.5 * said, want)
        lost = F.binary_cross_entropy_with_logits(gap, want, reduction="none") * weight
        loss = loss + PAIR_COEFFICIENT * lost.sum()
        loss = loss + _with_length(gap, longer, weight * (on == HEADS.at("substance")))
    return loss / len(logits)


def _with_length(gap: torch.Tensor, longer: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """The squared correlation of differences in substance with differences in length, weighed as the pairs are."""
    together = (weight * gap * longer).sum() ** 2
    apart = (weight * gap**2).sum() * (weight * longer**2).sum()
    enough = (weight > 0).sum() >= ENOUGH
    return LENGTH * torch.where(enough, together / (apart + 1e-6), 0.0) * weight.sum()


def train(
    net: torch.nn.Module,
    corpus: Corpus,
    *,
    epochs: float,
    rate: float,
    head_rate: float,
    budget: int,
    seed: int,
    teacher: np.ndarray | None = None,
    faith: float = 0.5,
    device: str = "cuda",
    seconds: float = 1e9,
    against: bool | None = None,
) -> torch.nn.Module:
    """Train in place with a warm-up and a linear fall that ends where the epochs, or the seconds, end.

    `against` trains on sentences held against a passage alone, or on all but those. Frozen weights stay as they are.
    """
    started, tokens = time.time(), 0
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    net.to(device).train()
    moving = [(n, p) for n, p in net.named_parameters() if p.requires_grad]
    heads = [p for n, p in moving if n.startswith("heads.")]
    body = [p for n, p in moving if not n.startswith("heads.")]
    optimiser = torch.optim.AdamW(
        [{"params": body, "lr": rate}, {"params": heads, "lr": head_rate}],
        weight_decay=0.01,
        betas=(0.9, 0.98),
        fused=device == "cuda",
    )
    base = [g["lr"] for g in optimiser.param_groups]

    epoch = corpus.plan(budget, rng, SHARE, against, labelled=teacher is None)
    plans = list(itertools.islice(epoch, max(1, math.ceil(epochs))))
    steps = max(1, int(len(plans[0]) * epochs))
    planned = [batch for plan in plans for batch in plan][:steps]
    coefficient = torch.tensor([COEFFICIENT[name] for name in BINARY], device=device)
    # What the workers share is not to be looked through by the collector, which would copy it to each.
    gc.freeze()
    batches = torch.utils.data.DataLoader(
        Batches(corpus, planned, teacher, faith),
        batch_size=None,
        num_workers=AHEAD[device],
        prefetch_factor=8 if AHEAD[device] else None,
        pin_memory=device == "cuda",
    )
    # Nothing in a step waits for the network, so that the next one is under way before this one is done.
    for step, (window, aims) in enumerate(batches):
        done = max(step / steps, (time.time() - started) / seconds)
        if done >= 1:
            break
        for group, lr in zip(optimiser.param_groups, base, strict=False):
            group["lr"] = lr * min(1.0, (step + 1) / 200) * max(0.02, 1 - done)
        ids, sides, real = (x.to(device, non_blocking=True) for x in window)
        aim = {name: value.to(device, non_blocking=True) for name, value in aims.items()}
        aim["coefficient"] = coefficient
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            logits, _ = net(ids, sides, real)
        loss = loss_of(logits.float(), aim, teacher is not None)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        tokens += ids.numel()
        if step % 200 == 199:
            print(
                f"step {step + 1}/{steps} loss {loss.item():.4f} {tokens / (time.time() - started) / 1e3:.0f}k tok/s {time.time() - started:.0f}s",
                flush=True,
            )
    gc.unfreeze()
    print(f"trained {step + 1} of {steps} steps in {time.time() - started:.0f}s", flush=True)
    return net.eval()


class Padded(torch.utils.data.Dataset):
    """Groups of sequences, padded by whichever process asks."""

    def __init__(self, corpus: Corpus, parts: list[list[int]]) -> None:
        self.corpus, self.parts = corpus, parts

    def __len__(self) -> int:
        return len(self.parts)

    def __getitem__(self, at: int) -> tuple[torch.Tensor, ...]:
        return self.corpus.pad(self.parts[at])


@torch.inference_mode()
def predict(
    net: torch.nn.Module,
    corpus: Corpus,
    which: Sequence[int],
    budget: int = 65536,
    device: str = "cuda",
) -> np.ndarray:
    """All logits of some sequences, in their order."""
    net.eval()
    order = sorted(range(len(which)), key=lambda k: len(corpus.ids[which[k]]))
    parts: list[list[int]] = []
    for k in order:
        size = len(corpus.ids[which[k]])
        if not parts or size * (len(parts[-1]) + 1) > budget:
            parts.append([])
        parts[-1].append(k)
    out = np.zeros((len(which), HEADS.outputs), np.float16)
    ahead = torch.utils.data.DataLoader(
        Padded(corpus, [[which[k] for k in part] for part in parts]),
        batch_size=None,
        num_workers=AHEAD[device],
        prefetch_factor=8 if AHEAD[device] else None,
    )
    for part, window in zip(parts, ahead, strict=True):
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            logits, _ = net(*(x.to(device, non_blocking=True) for x in window))
        out[part] = logits.float().cpu().numpy().astype(np.float16)
    return out
