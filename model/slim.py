"""Makes a trained student smaller: the attention heads and inner numbers that matter least leave, then it is trained on.

Attention is nearly half of the encoder's time on a long text, so half of its heads is a quarter of the time.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from .net import HEAD_WIDTH, Student

Window = tuple[Tensor, Tensor, Tensor]


def importance(
    net: Student, windows: Iterable[Window], tries: int = 4
) -> tuple[list[Tensor], list[Tensor]]:
    """How much the logits would move without each attention head, and each inner number, layer by layer.

    To first order a part's removal moves a logit by its value times its gradient. Sums of the logits with random signs see
    every logit, and no two can cancel in all of them.
    """
    heads = [torch.zeros(b.heads, device=b.proj.weight.device) for b in net.blocks]
    inner = [torch.zeros(b.up.out_features, device=b.up.weight.device) for b in net.blocks]
    into: dict[tuple[int, str], Tensor] = {}

    def keep(at: int, kind: str):
        def hook(_module, given: tuple[Tensor, ...]) -> None:
            given[0].retain_grad()
            into[at, kind] = given[0]

        return hook

    hooks = []
    for at, block in enumerate(net.blocks):
        hooks.append(block.proj.register_forward_pre_hook(keep(at, "heads")))
        hooks.append(block.down.register_forward_pre_hook(keep(at, "inner")))
    net.eval()
    for window in windows:
        for _ in range(tries):
            logits, _ = net(*window)
            signs = torch.randint_like(logits, 2) * 2 - 1
            net.zero_grad()
            (logits * signs).sum().backward()
            for at, block in enumerate(net.blocks):
                moved = into[at, "heads"] * into[at, "heads"].grad
                each = moved.sum(1).view(len(moved), block.heads, HEAD_WIDTH).sum(2)
                heads[at] += (each**2).sum(0)
                moved = into[at, "inner"] * into[at, "inner"].grad
                inner[at] += (moved.sum(1) ** 2).sum(0)
    for hook in hooks:
        hook.remove()
    return heads, inner


def slimmed(
    net: Student, found: tuple[list[Tensor], list[Tensor]], heads: int, inner: int
) -> Student:
    """A student with so many attention heads and inner numbers in each layer, those that matter most."""
    state = {name: value.detach().cpu() for name, value in net.state_dict().items()}
    for at, block in enumerate(net.blocks):
        best = found[0][at].cpu().topk(heads).indices.sort().values
        rows = (best[:, None] * HEAD_WIDTH + torch.arange(HEAD_WIDTH)).flatten()
        width, k = block.heads * HEAD_WIDTH, f"blocks.{at}."
        whole = torch.cat([rows + part * width for part in range(3)])
        state[k + "qkv.weight"], state[k + "qkv.bias"] = (
            state[k + "qkv.weight"][whole],
            state[k + "qkv.bias"][whole],
        )
        state[k + "proj.weight"] = state[k + "proj.weight"][:, rows]
        best = found[1][at].cpu().topk(inner).indices.sort().values
        state[k + "up.weight"], state[k + "up.bias"] = (
            state[k + "up.weight"][best],
            state[k + "up.bias"][best],
        )
        state[k + "down.weight"] = state[k + "down.weight"][:, best]
    return Student.from_state(state)
