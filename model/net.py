"""The networks: a BERT-shaped student, a Llama-shaped teacher, and the heads both share."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .rows import HEADS

OUTPUTS = HEADS.outputs
SPAN_INDEX = [HEADS.at(name) for name in HEADS.span]
#: How many numbers an attention head of the student works on.
HEAD_WIDTH = 32
#: Our names and BERT's, of the embeddings and of what a layer has.
EMBEDDINGS = {
    "word.weight": "word_embeddings.weight",
    "place.weight": "position_embeddings.weight",
    "side.weight": "token_type_embeddings.weight",
    "norm.weight": "LayerNorm.weight",
    "norm.bias": "LayerNorm.bias",
}
LAYER = {
    "proj": "attention.output.dense",
    "norm1": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm2": "output.LayerNorm",
}


class Heads(nn.Module):
    """Logits from the pooled text, plus for span heads the log-mean-exp of token scores: one hot passage is enough."""

    def __init__(self, width: int, hidden: int = 256) -> None:
        super().__init__()
        self.mix = nn.Linear(3 * width, hidden)
        self.out = nn.Linear(hidden, OUTPUTS)
        self.token = nn.Linear(width, len(HEADS.span))
        self.register_buffer("span", torch.tensor(SPAN_INDEX), persistent=False)

    def forward(
        self, x: Tensor, lead: Tensor, side0: Tensor, side1: Tensor
    ) -> tuple[Tensor, Tensor]:
        with torch.autocast(x.device.type, enabled=False):
            x = x.float()
            m0, m1 = side0.unsqueeze(-1).float(), side1.unsqueeze(-1).float()
            mean0 = (x * m0).sum(1) / m0.sum(1).clamp(min=1)
            mean1 = (x * m1).sum(1) / m1.sum(1).clamp(min=1)
            logits = self.out(F.gelu(self.mix(torch.cat([lead.float(), mean0, mean1], 1))))
            tokens = self.token(x)
            hot = (
                torch.logsumexp(tokens.masked_fill(m1 == 0, -1e4), 1) - m1.sum(1).clamp(min=1).log()
            )
            return logits.index_add(1, self.span, hot), tokens


class Block(nn.Module):
    """One post-norm transformer layer, as in BERT; it can have fewer attention heads than its width would hold."""

    def __init__(
        self, width: int, heads: int, inner: int, eps: float = 1e-12, head_width: int = HEAD_WIDTH
    ) -> None:
        super().__init__()
        self.heads, self.head_width = heads, head_width
        self.qkv = nn.Linear(width, 3 * heads * head_width)
        self.proj = nn.Linear(heads * head_width, width)
        self.norm1, self.norm2 = nn.LayerNorm(width, eps=eps), nn.LayerNorm(width, eps=eps)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        b, n, _ = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, self.head_width).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2)
        a = a.reshape(b, n, self.heads * self.head_width)
        x = self.norm1(x + self.drop(self.proj(a)))
        return self.norm2(x + self.drop(self.down(F.gelu(self.up(x)))))


class Student(nn.Module):
    """MiniLM-L6 with our heads."""

    def __init__(
        self,
        vocab: int = 30522,
        width: int = 384,
        layers: int = 6,
        heads: int = 12,
        inner: int = 1536,
    ) -> None:
        super().__init__()
        self.word, self.place, self.side = (
            nn.Embedding(vocab, width),
            nn.Embedding(512, width),
            nn.Embedding(2, width),
        )
        self.norm, self.drop = nn.LayerNorm(width, eps=1e-12), nn.Dropout(0.1)
        self.blocks = nn.ModuleList(Block(width, heads, inner) for _ in range(layers))
        self.heads = Heads(width)

    def states(self, ids: Tensor, sides: Tensor, real: Tensor) -> Tensor:
        """The last layer's states."""
        x = self.word(ids) + self.place.weight[: ids.shape[1]] + self.side(sides)
        x = self.drop(self.norm(x))
        mask = real[:, None, None, :]
        for block in self.blocks:
            x = block(x, mask)
        return x

    def forward(self, ids: Tensor, sides: Tensor, real: Tensor) -> tuple[Tensor, Tensor]:
        x = self.states(ids, sides, real)
        return self.heads(x, x[:, 0], real & (sides == 0), real & (sides == 1))

    @classmethod
    def from_state(cls, state: dict[str, Tensor]) -> Student:
        """A network with these weights: their shapes tell its layers, attention heads and inner widths."""
        layers = len({name.split(".")[1] for name in state if name.startswith("blocks.")})
        net = cls(layers=0)
        width = net.norm.normalized_shape[0]
        for at in range(layers):
            inner, _ = state[f"blocks.{at}.up.weight"].shape
            heads = len(state[f"blocks.{at}.qkv.bias"]) // (3 * HEAD_WIDTH)
            net.blocks.append(Block(width, heads, inner))
        net.load_state_dict({name: weight.float() for name, weight in state.items()})
        return net

    @classmethod
    def from_base(cls, folder: str) -> Student:
        """Start from the published weights of all-MiniLM-L6-v2 (safetensors)."""
        from safetensors.torch import load_file

        net = cls()
        raw = load_file(f"{folder}/model.safetensors")
        state = from_bert({k.removeprefix("bert."): v.float() for k, v in raw.items()})
        missing, unexpected = net.load_state_dict(state, strict=False)
        assert not unexpected, unexpected
        assert all(m.startswith("heads.") for m in missing), missing
        return net


def from_bert(raw: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights of a published BERT, by the names they have here."""
    state = {ours: raw[f"embeddings.{theirs}"] for ours, theirs in EMBEDDINGS.items()}
    for i in range(len({k.split(".")[2] for k in raw if k.startswith("encoder.layer.")})):
        at = f"encoder.layer.{i}."
        for kind in ("weight", "bias"):
            qkv = [raw[f"{at}attention.self.{x}.{kind}"] for x in ("query", "key", "value")]
            state[f"blocks.{i}.qkv.{kind}"] = torch.cat(qkv, 0)
            for ours, theirs in LAYER.items():
                state[f"blocks.{i}.{ours}.{kind}"] = raw[f"{at}{theirs}.{kind}"]
    return state


class Norm(nn.RMSNorm):
    """RMS norm in the type of its input, so that the fused kernel serves."""

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, self.normalized_shape, self.weight.to(x.dtype), self.eps)


class LlamaBlock(nn.Module):
    """One pre-norm layer with grouped queries and rotary places, weights in GGUF's order."""

    def __init__(self, width: int, heads: int, kv: int, inner: int, bias: bool, eps: float) -> None:
        super().__init__()
        self.heads, self.kv, self.dim = heads, kv, width // heads
        self.attn_norm, self.ffn_norm = Norm(width, eps=eps), Norm(width, eps=eps)
        self.attn_q, self.attn_k = (
            nn.Linear(width, width, bias=bias),
            nn.Linear(width, kv * self.dim, bias=bias),
        )
        self.attn_v, self.attn_output = (
            nn.Linear(width, kv * self.dim, bias=bias),
            nn.Linear(width, width, bias=False),
        )
        self.ffn_gate, self.ffn_up = (
            nn.Linear(width, inner, bias=False),
            nn.Linear(width, inner, bias=False),
        )
        self.ffn_down = nn.Linear(inner, width, bias=False)

    def forward(self, x: Tensor, turn: Tensor) -> Tensor:
        b, n, w = x.shape
        y = self.attn_norm(x)
        q = rotate(self.attn_q(y).view(b, n, self.heads, self.dim), turn).transpose(1, 2)
        k = rotate(self.attn_k(y).view(b, n, self.kv, self.dim), turn).transpose(1, 2)
        v = self.attn_v(y).view(b, n, self.kv, self.dim).transpose(1, 2)
        k, v = (t.repeat_interleave(self.heads // self.kv, 1) for t in (k, v))
        a = F.scaled_dot_product_attention(q.to(v.dtype), k.to(v.dtype), v, is_causal=True)
        x = x + self.attn_output(a.transpose(1, 2).reshape(b, n, w))
        y = self.ffn_norm(x)
        return x + self.ffn_down(F.silu(self.ffn_gate(y)) * self.ffn_up(y))


def rotate(x: Tensor, turn: Tensor) -> Tensor:
    cos, sin = turn[0][:, None, :], turn[1][:, None, :]
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(-2)


class Teacher(nn.Module):
    """SmolLM2-135M, or a model of its shape, read left to right; our heads are on its last states.

    Right padding cannot be seen.
    """

    def __init__(
        self,
        vocab: int = 49152,
        width: int = 576,
        layers: int = 30,
        heads: int = 9,
        kv: int = 3,
        inner: int = 1536,
        bias: bool = False,
        eps: float = 1e-5,
        base: float = 100000.0,
    ) -> None:
        super().__init__()
        self.token_embd = nn.Embedding(vocab, width)
        self.blk = nn.ModuleList(
            LlamaBlock(width, heads, kv, inner, bias, eps) for _ in range(layers)
        )
        self.output_norm = Norm(width, eps=eps)
        self.heads, self.dim, self.base = Heads(width), width // heads, base

    def turns(self, n: int, like: Tensor) -> Tensor:
        """Cosines and sines of the first `n` places, of the kind and on the device of `like`."""
        freq = self.base ** (-torch.arange(0, self.dim, 2, device=like.device).float() / self.dim)
        angle = torch.arange(n, device=like.device).float()[:, None] * freq
        return torch.stack([angle.cos(), angle.sin()]).to(like.dtype)

    def forward(self, ids: Tensor, sides: Tensor, real: Tensor) -> tuple[Tensor, Tensor]:
        x = self.token_embd(ids)
        if torch.is_autocast_enabled():
            x = x.to(torch.bfloat16)
        turn = self.turns(ids.shape[1], x)
        for block in self.blk:
            x = block(x, turn)
        x = self.output_norm(x)
        last = real.sum(1) - 1
        lead = x[torch.arange(len(x), device=x.device), last]
        return self.heads(x, lead, real & (sides == 0), real & (sides == 1))
