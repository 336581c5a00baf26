"""The words of a text as they are compared: in lower case, cut to a stem, without the words every text has."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache

from fairwitness.evaluator.text import Region, Text

_STEM_CHARS = 6
# What verbs end in: "closed", "closing" and "close" are one word.
_ENDINGS = ("ing", "ed", "e")
_BARE_CHARS = 3
_VOWELS = frozenset("aeiouy")
STOPWORDS = frozenset(
    """a about above according after again all also although am an and any are as at based be because been before being
    below between both but by can could did do does doing down during each either every few for from further given had
    has have having he her here hers him his how however i if in into is it its itself just may me might more most much
    must my no nor not now of off on once one only or other our out over own per said same say says shall she should since
    so some such than that the their them then there these they this those through to too under until up upon us very
    was we were what when where which while who whom whose why will with within without would yes yet you your
    passage text context article document states stated mentions mentioned""".split()
)
# Shortened negations, as one word; their verb carries no content of its own.
_CONTRACTED = ("n't", "n’t")


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """Return what inflected forms of a word share; the word is given in lower case."""
    word = word.removesuffix("'s").removesuffix("’s")
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "su":
        word = word[:-1]
    for ending in _ENDINGS:
        bare = word.removesuffix(ending)
        if bare != word and len(bare) >= _BARE_CHARS and not _VOWELS.isdisjoint(bare):
            # "stopped" is of "stop", "called" of "call".
            double = ending != "e" and bare[-1] == bare[-2] and bare[-1] not in "lsz"
            word = bare[:-1] if double else bare
            break
    return word[:_STEM_CHARS]


def content_stems(text: Text, region: Region) -> list[str]:
    """Return the stems of the words that carry content in a region, in order; numbers are not among them."""
    found = []
    for word in words_in(text, region):
        low = text.lower[word.start : word.end]
        if low in STOPWORDS or low[0].isdecimal() or low.endswith(_CONTRACTED):
            continue
        found.append(stem(low))
    return found


def words_in(text: Text, region: Region) -> list[Region]:
    """Return the words that begin in a region."""
    return text.words[first_word(text, region.start) : first_word(text, region.end)]


def first_word(text: Text, position: int) -> int:
    """Return the index of the first word that begins at a position or after it."""
    return bisect_left(text.words, Region(position, 0))
