"""The two shapes every data file is mapped to (a labelled row and a preferred pair) and the words used in the mapping.

A row carries soft targets per head in 0..1; a head without a target is learned from the teacher alone.
Trust follows who labelled: people 1.0, strong judges 0.7, machines 0.4, constructions 0.3.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fairwitness.evaluator.heads import AGAINST, BINARY, HEADS, RANKED, SPAN  # noqa: F401  (the heads, for every module here)

PEOPLE, JUDGE, MACHINE, CONSTRUCTION = 1.0, 0.7, 0.4, 0.3
COMPLY, PARTIAL, REFUSE = (0.97, 0.02, 0.01), (0.15, 0.75, 0.10), (0.01, 0.03, 0.96)

#: Sentences held against their lesson's context and another's.
BESIDE = "beside"
#: Held out whole: never trained on; temperature, lines and choices are made on these and on the held-out prompts.
HELD_SOURCES = (
    "purseclab_manual",
    "llm_self_defense",
    "air_bench_pipeline",
    "aisafetylab",
    "gemma3_refusal_axis",
    "refusal_dir_qwen3vl",
    "surge",
    "factbench",
    "q2_wow",
    "begin_topicalchat",
    "wice_claim_dev",
    "syco_bench",
    "cragc25_rag_crowd",
)
HELD_SHARE = 0.07
#: Where few rows, or few authors, are all there is to judge by, more of the prompts are held out.
LESSONS = 0.1
SHARES = {
    "ultrafeedback_binarized_sample": 0.4,
    "community_alignment": 0.2,
    "safetext": 0.15,
    # What is made of a lesson stays on the lesson's side.
    "planted": LESSONS,
    BESIDE: LESSONS,
    # Nothing is measured on rows without a label.
    "unlabelled": 0.0,
}
#: By how a source's name begins.
BY_KIND = {"lesson": LESSONS, "language": 0.25}

REFUSAL_CUE = re.compile(
    r"\b(i('m| am) (so |very |really )?sorry|i apologi[sz]e|i (can ?not|can['’]?t|won['’]?t|will not|am unable|am not able|'m unable|'m not able|must decline|do not feel comfortable|don['’]t feel comfortable)"
    r"|not (ethical|appropriate|able to|comfortable|programmed)|unable to (assist|provide|help|fulfil)|cannot (assist|provide|fulfil|comply|help|endorse|promote)"
    r"|against (my|the) (programming|guidelines|policy|policies)|as an ai( language model)?,? i (can|do|am|must))",
    re.I,
)
IGNORANCE_CUE = re.compile(
    r"\b(do(es)? not|don['’]t|doesn['’]t) (actually )?(have|know|possess)\b.{0,40}\b(information|access|data|knowledge|details|personal)|not aware of|no information",
    re.I,
)


@dataclass(slots=True)
class Row:
    """One (prompt, response) with what is known about it, or a sentence held `against` a passage in the prompt's place."""

    source: str
    prompt: str
    response: str
    targets: dict[str, float] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    refusal: tuple[float, float, float] | None = None
    group: str = ""
    against: bool = False

    def mark(self, head: str, value: float, weight: float) -> Row:
        """Set one head's soft target and the trust put in it."""
        self.targets[head] = float(value)
        self.weights[head] = float(weight)
        return self

    def observed(self, classes: tuple[float, float, float], weight: float) -> Row:
        """Set the three-class refusal target and the trust put in it."""
        self.refusal = classes
        self.weights["refusal"] = float(weight)
        return self


@dataclass(slots=True)
class Pair:
    """Two responses to one prompt; `a` is the better with probability `p`, on the heads `on`, joined by "+"."""

    source: str
    prompt: str
    a: str
    b: str
    p: float
    weight: float
    on: str = "quality"
    group: str = ""


def read(directory: Path, name: str) -> Iterator[dict]:
    """Yield the raw records of one file; a user without that file simply trains without it."""
    path = Path(directory) / f"{name}.jsonl.gz"
    if not path.exists():
        return
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def key(text: str) -> str:
    """The split group of a prompt: same words, same side of every split."""
    words = re.sub(r"[^a-z0-9]+", " ", (text or "").lower()).strip()
    return hashlib.sha1(words[:300].encode()).hexdigest()[:16]


def bucket(group: str) -> float:
    """A stable number in 0..1 from a group key."""
    return int(hashlib.sha1(("split:" + group).encode()).hexdigest()[:8], 16) / 0xFFFFFFFF


def held(source: str, group: str) -> bool:
    """Whether a row stands on the held-out side: by whole source, or by its prompt."""
    kind = source.partition("_")[0]
    share = BY_KIND.get(kind, SHARES.get(source, HELD_SHARE))
    return source in HELD_SOURCES or bucket(group) < share


def cue(text: str) -> bool:
    """Whether the opening of a response reads like a refusal."""
    return bool(REFUSAL_CUE.search(text[:300]))


def opening(text: str, rng: random.Random) -> str:
    """The first sentence or two."""
    return " ".join(re.split(r"(?<=[.!?])\s+", text)[: rng.randint(1, 2)])
