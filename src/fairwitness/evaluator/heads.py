"""The signals the encoder gives, by name: training, packing and serving read this one list.

A packed file names its own heads in its manifest, so a file with other heads, or in another order, is read by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: Yes or no. `support` and `contradiction` are of a sentence held against a passage, the others of a response to a prompt.
BINARY = (
    "harm",
    "advice",
    "reckless",
    "prompt_harm",
    "hate",
    "offence",
    "relevance",
    "address",
    "self_claim",
    "flattery",
    "yielding",
    "support",
    "contradiction",
)
#: Learned from pairs: only differences mean something.
RANKED = ("quality", "substance")
#: Heads with token scores, for findings that quote.
SPAN = (
    "harm",
    "advice",
    "reckless",
    "hate",
    "offence",
    "address",
    "self_claim",
    "flattery",
    "yielding",
    "contradiction",
)
#: Heads of a sentence held against a passage; no other head is taught or asked there.
AGAINST = ("support", "contradiction")
# The harm of a prompt without a response has constants of its own: the number means something else there.
ALONE = {"asked": "prompt_harm"}


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of one file in the order of its outputs: yes or no, three classes of refusal, ranked."""

    binary: tuple[str, ...]
    span: tuple[str, ...]
    ranked: tuple[str, ...]

    @property
    def refusal(self) -> slice:
        """Where the three classes of refusal stand: complies, partly, refuses."""
        return slice(len(self.binary), len(self.binary) + 3)

    @property
    def outputs(self) -> int:
        """How many numbers a pass gives."""
        return len(self.binary) + 3 + len(self.ranked)

    def at(self, name: str) -> int:
        """The place of a head among the outputs."""
        if name in self.binary:
            return self.binary.index(name)
        return len(self.binary) + 3 + self.ranked.index(name)

    def named(self) -> dict[str, list[str]]:
        """What a manifest says of them."""
        return {"binary": list(self.binary), "span": list(self.span), "ranked": list(self.ranked)}


HEADS = Heads(BINARY, SPAN, RANKED)
#: Files packed before manifests named their heads.
UNNAMED = Heads(
    (
        "harm",
        "advice",
        "prompt_harm",
        "hate",
        "offence",
        "relevance",
        "sycophancy",
        "address",
    ),
    ("harm", "advice", "hate", "offence", "address"),
    ("quality",),
)


def heads_of(manifest: Mapping[str, Any]) -> Heads:
    """The heads of the file a manifest describes."""
    said: Mapping[str, Sequence[str]] | None = manifest.get("heads")
    if said is None:
        return UNNAMED
    return Heads(tuple(said["binary"]), tuple(said["span"]), tuple(said["ranked"]))
