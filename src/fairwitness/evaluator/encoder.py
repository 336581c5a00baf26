"""Loads the packaged encoder and reads a prompt and a response with it: one pass over all windows serves every head.

It knows no criterion, no threshold and no HTTP; it needs onnxruntime, tokenizers and numpy.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from math import exp, inf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairwitness.evaluator.framing import held_against, spelled, windows
from fairwitness.evaluator.heads import ALONE, JOINED, Heads, heads_of

PACKAGED = Path(__file__).parent / "model"


class EncoderError(Exception):
    """The packaged model is missing, altered or cannot be run."""


@dataclass(frozen=True, slots=True)
class TokenScore:
    """One response token: its code points [start, end) and how strongly it speaks for each span head, as logits.

    A head the packed file does not have says nothing.
    """

    start: int
    end: int
    harm: float
    bad_advice: float
    hate: float
    offence: float
    address: float
    reckless: float = -inf
    self_claim: float = -inf
    flattery: float = -inf
    yielding: float = -inf
    contradiction: float = -inf


@dataclass(frozen=True, slots=True)
class Reading:
    """What the encoder says of one response to one prompt; probabilities are calibrated per head.

    `asked`, the prompt's harm, is fitted to a prompt read without a response. A head the packed file does not have is None.
    """

    harm: float
    bad_advice: float
    refusal: tuple[float, float, float]
    prompt_harm: float
    asked: float
    relevance: float
    quality: float
    hate: float
    offence: float
    address: float
    reckless: float | None
    self_claim: float | None
    flattery: float | None
    yielding: float | None
    substance: float | None
    tokens: tuple[TokenScore, ...]
    logits: tuple[float, ...]
    windows: int


@dataclass(frozen=True, slots=True)
class Held:
    """What the encoder says of one sentence held against one passage; both are probabilities."""

    support: float
    contradiction: float
    logits: tuple[float, ...]


def sigmoid(x: float) -> float:
    """The logistic function, safe at both ends."""
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))


class Encoder:
    """The model, its tokenizer and its calibration; safe to share between threads."""

    def __init__(self, session: Any, tokenizer: Any, manifest: dict[str, Any]) -> None:
        self._session, self._tokenizer, self.manifest = session, tokenizer, manifest
        self.heads = heads_of(manifest)
        self._scale = {
            name: tuple(manifest["calibration"][name])
            for name in (*self.heads.binary, *ALONE, *self.heads.ranked)
        }
        self._heat = float(manifest["calibration"]["refusal"]["temperature"])
        self._bias = tuple(manifest["calibration"]["refusal"]["bias"])

    @classmethod
    def load(cls, directory: Path = PACKAGED) -> Encoder:
        """Open the model after checking both files against the manifest's digests."""
        import onnxruntime
        from tokenizers import Tokenizer

        directory = Path(directory)
        try:
            manifest = json.loads((directory / "manifest.json").read_text(encoding="utf-8"))
            content = {
                name: (directory / name).read_bytes() for name in ("encoder.onnx", "tokenizer.json")
            }
        except (OSError, ValueError) as error:
            raise EncoderError(
                f"the encoder in {directory.name} cannot be read: {error}"
            ) from error
        for name, data in content.items():
            if hashlib.sha256(data).hexdigest() != manifest["files"][name]["sha256"]:
                raise EncoderError(f"{name} does not have the digest its manifest names")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
        options.enable_mem_pattern = False
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(
            content["encoder.onnx"], options, providers=["CPUExecutionProvider"]
        )
        tokenizer = Tokenizer.from_str(content["tokenizer.json"].decode("utf-8"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return cls(session, tokenizer, manifest)

    def read(self, prompt: str, response: str) -> Reading:
        """Read all of the response, window by window, each window alone."""
        asked = self._tokenizer.encode(spelled(prompt)[0], add_special_tokens=False).ids
        text, back = spelled(response)
        coded = self._tokenizer.encode(text, add_special_tokens=False)
        offsets = (
            coded.offsets
            if back is None
            else [
                (back[a], back[b - 1] + 1) if b > a else (back[a], back[a])
                for a, b in coded.offsets
            ]
        )
        cut = windows(asked, coded.ids)
        logits: list[NDArray[np.float32]] = []
        tokens = np.full((len(coded.ids), len(self.heads.span)), -np.inf, np.float32)
        for window in cut:
            ids, sides = (np.asarray([x], np.int64) for x in (window.ids, window.sides))
            found, scores = self._session.run(("logits", "tokens"), {"ids": ids, "sides": sides})
            logits.append(found)
            part = tokens[window.taken]
            np.maximum(part, scores[window.first : window.first + len(part)], out=part)
        sizes = [w.taken.stop - w.taken.start + 1 for w in cut]
        return self._reading(
            gather(self.heads, np.stack(logits), np.asarray(sizes, np.float32)),
            tokens,
            offsets,
            len(cut),
        )

    def hold(self, passage: str, sentence: str) -> Held:
        """Hold one sentence against one passage, as `Source.nearest` chose it."""
        coded = [
            self._tokenizer.encode(spelled(text)[0], add_special_tokens=False).ids
            for text in (passage, sentence)
        ]
        ids, sides = (np.asarray([x], np.int64) for x in held_against(*coded))
        (logits,) = self._session.run(("logits",), {"ids": ids, "sides": sides})
        support, contradiction = (
            self._probability(name, logits, name) for name in ("support", "contradiction")
        )
        return Held(support, contradiction, tuple(float(x) for x in logits))

    def _reading(
        self,
        logits: NDArray[np.float32],
        tokens: NDArray[np.float32],
        offsets: list[tuple[int, int]],
        count: int,
    ) -> Reading:
        p: dict[str, float] = {
            name: self._probability(name, logits, name)
            for name in self.heads.binary
            if name not in JOINED
        }
        for name, heads in {**ALONE, **JOINED}.items():
            p[name] = self._probability(name, logits, *heads)
        for name in self.heads.ranked:
            p[name] = sigmoid(self._scale[name][0] * float(logits[self.heads.at(name)]))
        refusal = [
            float(x) / self._heat + b
            for x, b in zip(logits[self.heads.refusal], self._bias, strict=True)
        ]
        top = max(refusal)
        parts = [exp(x - top) for x in refusal]
        total = sum(parts)
        named = ["bad_advice" if name == "advice" else name for name in self.heads.span]
        spans = tuple(
            TokenScore(start, end, **dict(zip(named, map(float, row), strict=True)))
            for (start, end), row in zip(offsets, tokens, strict=False)
        )
        return Reading(
            harm=p["harm"],
            bad_advice=p["advice"],
            refusal=(parts[0] / total, parts[1] / total, parts[2] / total),
            prompt_harm=p["prompt_harm"],
            asked=p["asked"],
            relevance=p["relevance"],
            quality=p["quality"],
            hate=p["hate"],
            offence=p["offence"],
            address=p["address"],
            reckless=p.get("reckless"),
            self_claim=p.get("self_claim"),
            flattery=p.get("flattery"),
            yielding=p.get("yielding"),
            substance=p.get("substance"),
            tokens=spans,
            logits=tuple(float(x) for x in logits),
            windows=count,
        )

    def _probability(self, name: str, logits: NDArray[np.float32], *heads: str) -> float:
        *slopes, shift = self._scale[name]
        said = zip(slopes, heads, strict=True)
        return sigmoid(
            sum(slope * float(logits[self.heads.at(head)]) for slope, head in said) + shift
        )


def gather(
    heads: Heads, logits: NDArray[np.float32], sizes: NDArray[np.float32]
) -> NDArray[np.float32]:
    """One logit a head from all windows: the worst for what a finding quotes, the opening for refusal and prompt, else the mean."""
    if len(logits) == 1:
        first: NDArray[np.float32] = logits[0]
        return first
    out: NDArray[np.float32] = (logits * (sizes / sizes.sum())[:, None]).sum(0)
    for name in heads.span:
        out[heads.at(name)] = logits[:, heads.at(name)].max()
    out[heads.at("prompt_harm")] = logits[0, heads.at("prompt_harm")]
    out[heads.at("relevance")] = logits[:2, heads.at("relevance")].max()
    out[heads.refusal] = logits[0, heads.refusal]
    return out
