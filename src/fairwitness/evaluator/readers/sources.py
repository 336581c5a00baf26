"""Finds the passages of a source that stand nearest to a sentence.

Training and serving share it: what a sentence is held against must be chosen the same way in both.
"""

from __future__ import annotations

from collections import Counter
from math import log

#: Characters of the source, with what was asked, that a sentence is held against: about 380 tokens.
PASSAGE = 1500
# Of a long request its beginning and its end are taken, where the question mostly stands.
_REQUEST = 300
_LONGEST = 400
# Inflected forms of a word share its beginning.
_STEM = 6


def _words(text: str) -> set[str]:
    plain = "".join(c if c.isalnum() else " " for c in text.lower())
    return {word[:_STEM] for word in plain.split()}


def _sentences(line: str) -> list[str]:
    """Stretches of a line that end in a stop before a space."""
    found: list[list[str]] = [[]]
    for word in line.split():
        found[-1].append(word)
        if word.rstrip("\"')]”’")[-1:] in (".", "!", "?"):
            found.append([])
    return [" ".join(words) for words in found if words]


def _units(text: str) -> list[tuple[str, str]]:
    """Sentences and lines, none longer than _LONGEST, each with what joins it to the one before."""
    found = []
    for line in text.split("\n"):
        joint = "\n"
        for sentence in _sentences(line):
            for start in range(0, len(sentence), _LONGEST):
                found.append((joint, sentence[start : start + _LONGEST]))
                joint = " "
    return found


def _asked(request: str) -> str:
    said = " ".join(request.split())
    if len(said) > _REQUEST:
        said = f"{said[: _REQUEST // 2]} ... {said[-_REQUEST // 2 :]}"
    return f"Asked: {said}\n\n" if said else ""


class Source:
    """A text that sentences are held against, and what was asked about it; indexed once, asked for each sentence."""

    def __init__(self, text: str, request: str = "") -> None:
        """Cut the text into sentences and lines and count their words."""
        self.text = text.strip()
        self._asked = _asked(request)
        self._units = _units(self.text)
        self._words = [_words(unit) for _, unit in self._units]
        self._stated = {unit for _, unit in self._units}
        seen = Counter(word for words in self._words for word in words)
        self._weight = {word: log(1 + len(self._units) / count) for word, count in seen.items()}

    def contains(self, sentence: str) -> bool:
        """Tell whether the source has the sentence word for word, as a whole sentence or line."""
        return " ".join(sentence.split()) in self._stated

    def nearest(self, sentence: str) -> str:
        """Return all of a short source, with what was asked; of a long one the parts that share most words, rare ones first.

        The request never takes room from the source: what bears a sentence out says more than what was asked.
        """
        if len(self.text) > PASSAGE:
            return self._parts(sentence)
        return self._asked + self.text if len(self._asked + self.text) <= PASSAGE else self.text

    def _parts(self, sentence: str) -> str:
        shared = self._shared(sentence)
        # A neighbour says who "he" is; the opening says what all of it is about.
        beside = [0.0, *shared, 0.0]
        score = [
            own + 0.4 * max(beside[at], beside[at + 2]) + 0.5 * (at == 0)
            for at, own in enumerate(shared)
        ]
        room, taken = PASSAGE, []
        for at in sorted(range(len(score)), key=lambda k: (-score[k], k)):
            size = len(self._units[at][1]) + 1
            if size <= room:
                room -= size
                taken.append(at)
            if room < 40:
                break
        return "".join("".join(self._units[at]) for at in sorted(taken)).strip()

    def closest(self, sentence: str, count: int) -> list[str]:
        """The single stretches that share most, and the rarest, words; none where there is but one."""
        if len(self._units) < 2:
            return []
        shared = self._shared(sentence)
        found = sorted(range(len(shared)), key=lambda k: (-shared[k], k))[:count]
        return [self._units[at][1] for at in found if shared[at]]

    def _shared(self, sentence: str) -> list[float]:
        wanted = _words(sentence)
        return [sum(self._weight[word] for word in words & wanted) for words in self._words]
