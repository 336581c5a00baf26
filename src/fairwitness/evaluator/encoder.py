"""Loads the packaged encoder and reads a prompt and a response with it: one pass over all windows serves every head.

It knows no criterion, no threshold and no HTTP; it needs onnxruntime and numpy. The framing of texts into
windows stands here too, because training and serving must share it.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairwitness.evaluator.wordpiece import WordPiece

PACKAGED = Path(__file__).parent / "model"
CLS, SEP = 101, 102
WINDOW = 512
PROMPT_TOKENS = 160
OVERLAP = 48
# A name can be ninety characters: a response of nothing but symbols would be read for half a minute.
MOST_NAMED = 200
BINARY = (
    "harm",
    "advice",
    "prompt_harm",
    "hate",
    "offence",
    "relevance",
    "sycophancy",
    "address",
)
SPAN = ("harm", "advice", "hate", "offence", "address")
REFUSAL, QUALITY = slice(len(BINARY), len(BINARY) + 3), len(BINARY) + 3
# The harm of a prompt without a response has constants of its own: the number means something else there.
ALONE = {"asked": ("prompt_harm",)}
# Bad advice, learned from dialogues people judged, sees harm that the harm head misses: the two are weighed together.
JOINED = {"harm": ("harm", "advice")}


class EncoderError(Exception):
    """The packaged model is missing, altered or cannot be run."""


@dataclass(frozen=True, slots=True)
class Window:
    """One pass of the encoder: token ids, which side each stands on, and where the response part came from."""

    ids: list[int]
    sides: list[int]
    first: int
    taken: slice


def spelled(text: str) -> tuple[str, list[int] | None]:
    """The text with emoji named and fancy letters made plain, and for each new character where it came from.

    The vocabulary knows no emoji, and a slur in squared or mathematical letters is still a slur. Plain text comes back
    as it is, with None. Beyond the first MOST_NAMED, a symbol that has only a name is passed over.
    """
    if text.isascii() or max(text) < "\u2000":
        return text, None
    out, back, named = [], [], 0
    for at, char in enumerate(text):
        new = _plain(char) if char >= "\u2000" else char
        if len(new) > 1:
            named += 1
            new = new if named <= MOST_NAMED else " "
        out.append(new)
        back.extend([at] * len(new))
    return "".join(out), back


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    if unicodedata.category(char) == "Cs":
        return "\ufffd"
    folded = unicodedata.normalize("NFKC", char)
    if folded.isascii() and folded.isalnum():
        return folded
    if unicodedata.category(char) not in ("So", "Sk", "Mn", "Cf"):
        return char
    name = unicodedata.name(char, "")
    if "LETTER" in name and len(name.rsplit(" ", 1)[-1]) == 1:
        return name[-1].lower()
    if (
        not name
        or char in "\u200d\ufe0f"
        or "MODIFIER" in name
        or "VARIATION" in name
        or unicodedata.category(char) == "Cf"
    ):
        return ""
    return f" {name.lower()} "


def shorten(ids: list[int], most: int = PROMPT_TOKENS) -> list[int]:
    """The start and the end of what is too long."""
    return ids if len(ids) <= most else ids[: most // 2] + ids[-(most - most // 2) :]


def windows(prompt: list[int], response: list[int], window: int = WINDOW) -> list[Window]:
    """Cut a response into evenly spread, overlapping windows; an empty one still gives one window."""
    head = shorten(prompt)
    room = window - 3 - len(head)
    count = 1 if len(response) <= room else -(-(len(response) - OVERLAP) // (room - OVERLAP))
    size = len(response) if count == 1 else -(-(len(response) + (count - 1) * OVERLAP) // count)
    found = []
    for number in range(count):
        start = 0 if count == 1 else round(number * (len(response) - size) / (count - 1))
        part = response[start : start + size]
        ids = [CLS, *head, SEP, *part, SEP]
        sides = [0] * (len(head) + 2) + [1] * (len(part) + 1)
        found.append(Window(ids, sides, len(head) + 2, slice(start, start + len(part))))
    return found


@dataclass(frozen=True, slots=True)
class TokenScore:
    """One response token: its code points [start, end) and how strongly it speaks for each span head, as logits."""

    start: int
    end: int
    harm: float
    bad_advice: float
    hate: float
    offence: float
    address: float


@dataclass(frozen=True, slots=True)
class Reading:
    """What the encoder says of one response to one prompt; probabilities are calibrated per head.

    `asked`, the prompt's harm, is fitted to a prompt read without a response.
    """

    harm: float
    bad_advice: float
    refusal: tuple[float, float, float]
    prompt_harm: float
    asked: float
    relevance: float
    quality: float
    sycophancy: float
    hate: float
    offence: float
    address: float
    tokens: tuple[TokenScore, ...]
    logits: tuple[float, ...]
    windows: int


def sigmoid(x: float) -> float:
    """The logistic function, safe at both ends."""
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))


class Encoder:
    """The model, its tokenizer and its calibration; safe to share between threads."""

    def __init__(self, session: Any, tokenizer: WordPiece, manifest: dict[str, Any]) -> None:
        self._session, self._tokenizer, self.manifest = session, tokenizer, manifest
        self._scale = {
            name: tuple(manifest["calibration"][name]) for name in (*BINARY, *ALONE, "quality")
        }
        self._heat = float(manifest["calibration"]["refusal"]["temperature"])
        self._bias = tuple(manifest["calibration"]["refusal"]["bias"])

    @classmethod
    def load(cls, directory: Path = PACKAGED) -> Encoder:
        """Open the model after checking both files against the manifest's digests."""
        import onnxruntime

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
        return cls(session, WordPiece(content["tokenizer.json"]), manifest)

    def read(self, prompt: str, response: str) -> Reading:
        """Read all of the response, window by window, each window alone."""
        asked, _ = self._tokenizer.encode(spelled(prompt)[0])
        text, back = spelled(response)
        said, offsets = self._tokenizer.encode(text)
        if back is not None:
            offsets = [(back[a], back[b - 1] + 1) for a, b in offsets]
        cut = windows(asked, said)
        logits, tokens = [], np.full((len(said), len(SPAN)), -np.inf, np.float32)
        for window in cut:
            ids, sides = (np.asarray([x], np.int64) for x in (window.ids, window.sides))
            found, scores = self._session.run(("logits", "tokens"), {"ids": ids, "sides": sides})
            logits.append(found)
            part = tokens[window.taken]
            np.maximum(part, scores[window.first : window.first + len(part)], out=part)
        sizes = [w.taken.stop - w.taken.start + 1 for w in cut]
        return self._reading(
            gather(np.stack(logits), np.asarray(sizes, np.float32)), tokens, offsets, len(cut)
        )

    def _reading(
        self,
        logits: NDArray[np.float32],
        tokens: NDArray[np.float32],
        offsets: list[tuple[int, int]],
        count: int,
    ) -> Reading:
        p = {name: self._probability(name, logits, name) for name in BINARY if name not in JOINED}
        for name, heads in {**ALONE, **JOINED}.items():
            p[name] = self._probability(name, logits, *heads)
        refusal = [
            float(x) / self._heat + b for x, b in zip(logits[REFUSAL], self._bias, strict=False)
        ]
        top = max(refusal)
        parts = [exp(x - top) for x in refusal]
        total = sum(parts)
        spans = tuple(
            TokenScore(start, end, *(float(x) for x in row))
            for (start, end), row in zip(offsets, tokens, strict=False)
        )
        return Reading(
            harm=p["harm"],
            bad_advice=p["advice"],
            refusal=(parts[0] / total, parts[1] / total, parts[2] / total),
            prompt_harm=p["prompt_harm"],
            asked=p["asked"],
            relevance=p["relevance"],
            quality=sigmoid(self._scale["quality"][0] * float(logits[QUALITY])),
            sycophancy=p["sycophancy"],
            hate=p["hate"],
            offence=p["offence"],
            address=p["address"],
            tokens=spans,
            logits=tuple(float(x) for x in logits),
            windows=count,
        )

    def _probability(self, name: str, logits: NDArray[np.float32], *heads: str) -> float:
        *slopes, shift = self._scale[name]
        said = zip(slopes, heads, strict=True)
        return sigmoid(
            sum(slope * float(logits[BINARY.index(head)]) for slope, head in said) + shift
        )


def gather(logits: NDArray[np.float32], sizes: NDArray[np.float32]) -> NDArray[np.float32]:
    """One logit a head from all windows: the worst window for harm, hate and speech to a judge, the opening for refusal and prompt, else the mean."""
    if len(logits) == 1:
        first: NDArray[np.float32] = logits[0]
        return first
    out: NDArray[np.float32] = (logits * (sizes / sizes.sum())[:, None]).sum(0)
    for name in (*SPAN, "sycophancy"):
        out[BINARY.index(name)] = logits[:, BINARY.index(name)].max()
    out[BINARY.index("prompt_harm")] = logits[0, BINARY.index("prompt_harm")]
    out[BINARY.index("relevance")] = logits[:2, BINARY.index("relevance")].max()
    out[REFUSAL] = logits[0, REFUSAL]
    return out
