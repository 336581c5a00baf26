"""Runs the packaged encoder over a prompt and a response: one pass over all windows serves every head.

It knows no criterion, no threshold and no HTTP; it needs onnxruntime and numpy.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairwitness.evaluator.heads import ALONE, Heads, heads_of
from fairwitness.evaluator.readers.framing import held_against, readable, spelled, windows
from fairwitness.evaluator.readers.wordpiece import WordPiece

PACKAGED = Path(__file__).parent.parent / "model"

Floats = NDArray[np.float32]


#: The graphs of a packed folder: the embeddings, what reads a response on them, and what compares a sentence with a passage.
GRAPHS = ("embeddings", "encoder", "comparer")


class EncoderError(Exception):
    """The packaged model is missing, altered or cannot be run."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the encoder says of one response to one prompt.

    `values` holds a calibrated probability for each head, `refusal` the
    three classes. `strengths` holds one logit a token that was read for each head that names places.
    """

    values: Mapping[str, float]
    refusal: tuple[float, float, float]
    offsets: Sequence[tuple[int, int]]
    strengths: Mapping[str, Floats]
    logits: tuple[float, ...]
    windows: int
    # How many of the response's tokens were read, of how many.
    tokens_read: int
    tokens: int
    # How many of its code points these tokens came from.
    characters_read: int

    def __getitem__(self, name: str) -> float:
        """Return the probability of one head."""
        return self.values[name]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the comparer says of one sentence compared with one passage, as probabilities, from so many tokens."""

    support: float
    contradiction: float
    logits: tuple[float, ...]
    tokens: int


def sigmoid(x: float) -> float:
    """The logistic function, safe at both ends."""
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))


def sessions(graphs: Mapping[str, bytes]) -> dict[str, Any]:
    """Open graphs to run one after another on one thread, the same way every time."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    return {
        name: onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        for name, content in graphs.items()
    }


class Encoder:
    """The model, its tokenizer and its calibration; safe to share between threads."""

    def __init__(
        self, graphs: Mapping[str, Any], tokenizer: WordPiece, manifest: dict[str, Any]
    ) -> None:
        self._graphs, self._tokenizer, self.manifest = graphs, tokenizer, manifest
        self.heads = heads_of(manifest)
        names = (*self.heads.binary, *ALONE, *self.heads.ranked)
        self._scale = {name: tuple(manifest["calibration"][name]) for name in names}
        self._temperature = float(manifest["calibration"]["refusal"]["temperature"])
        self._bias = tuple(manifest["calibration"]["refusal"]["bias"])

    @classmethod
    def load(cls, directory: Path = PACKAGED) -> Encoder:
        """Open the model after checking its files against the manifest's digests."""
        directory = Path(directory)
        try:
            manifest = json.loads((directory / "manifest.json").read_text(encoding="utf-8"))
            content = {name: (directory / name).read_bytes() for name in manifest["files"]}
        except (OSError, ValueError) as error:
            raise EncoderError(
                f"the encoder in {directory.name} cannot be read: {error}"
            ) from error
        for name, data in content.items():
            if hashlib.sha256(data).hexdigest() != manifest["files"][name]["sha256"]:
                raise EncoderError(f"{name} does not have the digest its manifest names")
        graphs = sessions({name: content[f"{name}.onnx"] for name in GRAPHS})
        return cls(graphs, WordPiece(content["tokenizer.json"]), manifest)

    def count(self, text: str) -> int:
        """Return how many tokens a text is."""
        return len(self._tokenizer.encode(spelled(text)[0])[0])

    def read(self, prompt: str, response: str, limit: int | None = None) -> Reading:
        """Read the response window by window, each window alone, in the light of the prompt.

        `limit` is the most of its tokens that are read.
        """
        asked, _ = self._tokenizer.encode(spelled(prompt)[0])
        ids, offsets = self._tokens(response)
        head, tail = readable(len(response), len(ids), limit)
        characters = _characters(offsets, head, tail, len(response))
        read, offsets = ids[head] + ids[tail], offsets[head] + offsets[tail]
        cut = windows(asked, read)
        span = self.heads.span
        logits, tokens = [], np.full((len(read), len(span)), -np.inf, np.float32)
        # A text that repeats itself gives the same window again, and the same window the same answer.
        seen: dict[tuple[int, ...], tuple[Floats, Floats]] = {}
        for window in cut:
            key = tuple(window.ids)
            if key not in seen:
                seen[key] = self._run(window.ids, window.sides)
            found, scores = seen[key]
            logits.append(found)
            part = tokens[window.taken]
            np.maximum(part, scores[window.first : window.first + len(part)], out=part)
        sizes = [w.taken.stop - w.taken.start + 1 for w in cut]
        gathered = gather(self.heads, np.stack(logits), np.asarray(sizes, np.float32))
        return Reading(
            values=self._values(gathered),
            refusal=self._classes(gathered),
            offsets=offsets,
            strengths={name: tokens[:, column] for column, name in enumerate(span)},
            logits=tuple(float(x) for x in gathered),
            windows=len(cut),
            tokens_read=len(read),
            tokens=len(ids),
            characters_read=characters,
        )

    def compare(self, passage: str, sentence: str) -> Comparison:
        """Compare one sentence with one passage, as `Source.nearest` chose it."""
        coded = [self._tokenizer.encode(spelled(text)[0])[0] for text in (passage, sentence)]
        ids, sides = held_against(*coded)
        logits, _ = self._run(ids, sides, "comparer")
        support, contradiction = (
            self._probability(name, logits, name) for name in ("support", "contradiction")
        )
        return Comparison(support, contradiction, tuple(float(x) for x in logits), len(ids))

    def _tokens(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Return token ids, and for each the code points of the text it came from."""
        plain, back = spelled(text)
        ids, offsets = self._tokenizer.encode(plain)
        if back is not None:
            offsets = [(back[a], back[b - 1] + 1) for a, b in offsets]
        return ids, offsets

    def _run(
        self, ids: list[int], sides: list[int], reader: str = "encoder"
    ) -> tuple[Floats, Floats]:
        where = {"sides": np.asarray([sides], np.int64)}
        (embedded,) = self._graphs["embeddings"].run(
            ("embedded",), {"ids": np.asarray([ids], np.int64), **where}
        )
        logits, tokens = self._graphs[reader].run(
            ("logits", "tokens"), {"embedded": embedded, **where}
        )
        return logits, tokens

    def _values(self, logits: Floats) -> dict[str, float]:
        said = {name: name for name in self.heads.binary} | ALONE
        values = {name: self._probability(name, logits, head) for name, head in said.items()}
        for name in self.heads.ranked:
            values[name] = sigmoid(self._scale[name][0] * float(logits[self.heads.at(name)]))
        return values

    def _probability(self, name: str, logits: Floats, head: str) -> float:
        slope, shift = self._scale[name]
        return sigmoid(slope * float(logits[self.heads.at(head)]) + shift)

    def _classes(self, logits: Floats) -> tuple[float, float, float]:
        refusal = [
            float(x) / self._temperature + bias
            for x, bias in zip(logits[self.heads.refusal], self._bias, strict=True)
        ]
        parts = [exp(x - max(refusal)) for x in refusal]
        total = sum(parts)
        return parts[0] / total, parts[1] / total, parts[2] / total


def _characters(
    offsets: Sequence[tuple[int, int]], head: slice, tail: slice, characters: int
) -> int:
    """Return how many code points the two stretches of tokens cover: all of them where nothing is left out."""
    left_out = offsets[head.stop : tail.start]
    return characters - (left_out[-1][1] - left_out[0][0]) if left_out else characters


def gather(heads: Heads, logits: Floats, sizes: Floats) -> Floats:
    """One logit a head from all windows: the worst for what a finding quotes, the opening for refusal and prompt, else the mean."""
    if len(logits) == 1:
        first: Floats = logits[0]
        return first
    out: Floats = (logits * (sizes / sizes.sum())[:, None]).sum(0)
    for name in heads.span:
        out[heads.at(name)] = logits[:, heads.at(name)].max()
    out[heads.at("prompt_harm")] = logits[0, heads.at("prompt_harm")]
    out[heads.at("relevance")] = logits[:2, heads.at("relevance")].max()
    out[heads.refusal] = logits[0, heads.refusal]
    return out
