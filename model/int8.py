"""Teachers' weights on their way to training: matrices kept as int8, a quarter of the size."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

#: A matrix of no more rows is small anyway, and kept whole.
FEW = 32


def keep(state: dict[str, Tensor], target: Path, levels: int = 127) -> None:
    """Keep matrices as int8 with one scale a row: a quarter of the size, close enough to start training from.

    Fewer levels than a byte has pack smaller where the file is compressed.
    """
    small: dict[str, Tensor] = {}
    for name, value in state.items():
        if value.ndim == 2 and value.shape[0] > FEW:
            scale = value.abs().amax(1, keepdim=True).clamp(min=1e-8) / levels
            small[name], small[f"{name}.scale"] = (value / scale).round().to(torch.int8), scale
        else:
            small[name] = value
    torch.save(small, target)


def opened(path: Path) -> dict[str, Tensor]:
    """What `keep` kept, as float32."""
    small = torch.load(path, map_location="cpu")
    return {
        k: v.float() * small[f"{k}.scale"] if v.dtype == torch.int8 else v
        for k, v in small.items()
        if not k.endswith(".scale")
    }


def fill(net: nn.Module, path: Path) -> None:
    """Fill the network with what `keep` kept."""
    missing, unexpected = net.load_state_dict(opened(path), strict=False)
    assert not unexpected, unexpected
    assert all(m.startswith(("heads.", "side.")) for m in missing), missing
