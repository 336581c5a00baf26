"""Sentences with one word made another of its kind: what a teacher should tell apart from the same thing said otherwise.

The kind of a word is its place among the base model's word vectors: Tuesday stands beside Thursday, tenant beside landlord, rise
beside fall. Nobody labels these sentences; some still say the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

import torch
from tokenizers import Tokenizer

from .load_grounding import row_against
from .rows import Row, held

#: Words looked at: no little ones, which have no kind.
WORD = re.compile(r"[A-Za-z]{4,}")
#: How many of its nearest a word may become, and how near two words of one text must be to change places.
NEAREST, ALIKE = 8, 0.42
#: Words that share their beginning are forms of one word; words of one ending can stand for each other.
STEM = 4
ENDINGS = ("ing", "ed", "ly", "s")
#: How many sentences are made in all.
MOST = 120_000


def _could_be(word: str, other: str) -> bool:
    """Whether another word could stand in a word's place."""
    word, other = word.lower(), other.lower()
    endings = [next((e for e in ENDINGS if w.endswith(e)), "") for w in (word, other)]
    return word[:STEM] != other[:STEM] and endings[0] == endings[1]


class Kinds:
    """The words of the base model's vocabulary and what stands beside each."""

    def __init__(self, work: Path) -> None:
        vocabulary = Tokenizer.from_file(str(work / "tokenizer.json")).get_vocab()
        self.words = sorted(word for word in vocabulary if WORD.fullmatch(word))
        self.place = {word: at for at, word in enumerate(self.words)}
        kept = torch.load(work / "base.pt", map_location="cpu")
        vectors = kept["word.weight"].float() * kept["word.weight.scale"]
        chosen = vectors[[vocabulary[word] for word in self.words]]
        self.vectors = torch.nn.functional.normalize(chosen - chosen.mean(0), dim=1)

    @cached_property
    def beside(self) -> list[list[str]]:
        """For each word its nearest, other forms of it left out."""
        found = []
        for start in range(0, len(self.words), 2000):
            near = self.vectors[start : start + 2000] @ self.vectors.T
            for row, at in enumerate(near.topk(4 * NEAREST).indices.tolist(), start):
                others = (self.words[k] for k in at)
                found.append([w for w in others if _could_be(self.words[row], w)][:NEAREST])
        return found

    def near(self, word: str) -> list[str]:
        """The words a word may become."""
        return self.beside[self.place[word.lower()]] if word.lower() in self.place else []

    def alike(self, word: str, others: Iterable[str]) -> str:
        """The one of some words that is most of a word's kind, or "" where none is."""
        at = self.place.get(word.lower())
        known = [o for o in others if o.lower() in self.place and _could_be(word, o)]
        if at is None or not known:
            return ""
        score = self.vectors[[self.place[o.lower()] for o in known]] @ self.vectors[at]
        best = int(score.argmax())
        return known[best] if score[best] >= ALIKE else ""


def _cased(word: str, like: str) -> str:
    return word.capitalize() if like[0].isupper() else word.lower()


def _another(kinds: Kinds, passage: str, match: re.Match[str], rng: random.Random) -> str:
    """The word made another of its kind."""
    found = kinds.near(match.group())
    return _put(match, rng.choice(found)) if found else ""


def _of_passage(kinds: Kinds, passage: str, match: re.Match[str], rng: random.Random) -> str:
    """The word made the one of the passage that is most of its kind."""
    said = {w.lower() for w in WORD.findall(match.string)}
    others = sorted({w for w in WORD.findall(passage) if w.lower() not in said})
    found = kinds.alike(match.group(), others)
    return _put(match, found) if found else ""


def _places_changed(kinds: Kinds, passage: str, match: re.Match[str], rng: random.Random) -> str:
    """The word and the one of the sentence that is most of its kind, each in the other's place."""
    text, word = match.string, match.group()
    later = {other.group(): other for other in WORD.finditer(text, match.end())}
    found = kinds.alike(word, later)
    if not found:
        return ""
    changed = _put(later[found], word)
    return changed[: match.start()] + _cased(found, word) + changed[match.end() :]


def _put(match: re.Match[str], word: str) -> str:
    text = match.string
    return text[: match.start()] + _cased(word, match.group()) + text[match.end() :]


WAYS: tuple[Callable[[Kinds, str, re.Match[str], random.Random], str], ...] = (
    _another,
    _of_passage,
    _places_changed,
)


def made(rows: Iterable[Row], source: str, work: Path, seed: int = 0) -> list[Row]:
    """Labelled sentences of every source in other words, each beside the passage it was labelled with."""
    rng, kinds, found = random.Random(seed), Kinds(work), []
    known = [
        row
        for row in rows
        if row.against
        and row.targets
        and not row.source.startswith("made")
        and not held(row.source, row.group)
    ]
    rng.shuffle(known)
    for row in known:
        if len(found) >= MOST:
            break
        words = list(WORD.finditer(row.response))
        for way in WAYS:
            for match in rng.sample(words, min(4, len(words))):
                if new := way(kinds, row.prompt, match, rng):
                    found.append(row_against(source, row.prompt, new, row.group))
                    break
    return found
