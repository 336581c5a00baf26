"""Finds what is taken over from the source word for word with a "not" lost or added."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.frame_claims import MAX_CHARS, takes_over
from fairwitness.evaluator.criteria.grounding.ground import MAX_SENTENCES, Claim, Ground, states
from fairwitness.evaluator.facts.index import Unit
from fairwitness.evaluator.facts.words import STOPWORDS, stem, words_in
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_CLAIMS = 6
_MIN_TELLING = 3
# A word that a unit has more often begins too many runs.
_MAX_STARTS = 8
_MAX_QUOTED = 120
_BEFORE = 3
_ENDS = frozenset(".,;:!?—–)\n")
_NEGATIONS = frozenset("not no never nor neither".split())
_CONTRACTED = ("n't", "n’t")
_BARE = {"ca": "can", "wo": "will", "sha": "shall"}
_LEFT_OUT = frozenset("a an the any do does did which that who".split())
# A "not" between words like these may belong to them.
_IN_PART = Pattern(
    r"\b(?:only|even|just|necessarily|always|all|every|more|less|than|because|without|longer|yet|other|otherwise|both)\b",
    ignore_case=True,
)
# What holds under a condition may be said the other way round.
_SUPPOSES = Pattern(r"\b(?:unless|except|if|until|whether|provided)\b", ignore_case=True)


class _Word(NamedTuple):
    """A word without its negation, and how many negations there were up to it."""

    key: str
    telling: bool
    negations: int
    region: Region


def negation_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each run of the source's words in which a "not" is lost or added."""
    if not takes_over(ground):
        return
    text, claims = ground.response, 0
    known: dict[int, list[_Word]] = {}
    for sentence in text.sentences[:MAX_SENTENCES]:
        if sentence.end - sentence.start > MAX_CHARS or not _says(text, sentence):
            continue
        mine = _words(text, sentence)
        for near in ground.nearest(sentence):
            unit = ground.index.units[near.unit]
            if near.unit not in known:
                told = states(unit) and _says(unit.text, unit.region)
                known[near.unit] = _words(unit.text, unit.region) if told else []
            region = _turned(text, mine, unit, known[near.unit])
            if region is None:
                continue
            said = " ".join(unit.text.slice(unit.region).split())[:_MAX_QUOTED]
            message = f"Says the opposite of the source, which has “{said}”."
            yield Claim("denial", region, unit.span, ground.plainly_against, message)
            claims += 1
            if claims >= _MAX_CLAIMS:
                return
            break


def _says(text: Text, region: Region) -> bool:
    """Tell whether a sentence states something, without a condition."""
    asks = text.value[region.end - 1] == "?" or text.in_code(region.start)
    return not asks and not _SUPPOSES.search(text.slice(region).encode())


def _words(text: Text, region: Region) -> list[_Word]:
    found, negations = [], 0
    for word in words_in(text, region):
        low = text.lower[word.start : word.end]
        if low in _NEGATIONS:
            negations += 1
            continue
        if low == "cannot" or low.endswith(_CONTRACTED):
            negations += 1
            low = low[:-3]
            low = _BARE.get(low, low)
        if low not in _LEFT_OUT:
            telling = low not in STOPWORDS
            found.append(_Word(stem(low) if telling else low, telling, negations, word))
    return found


def _turned(text: Text, mine: list[_Word], unit: Unit, theirs: list[_Word]) -> Region | None:
    """Return a run of words that both have, where only one of them has a "not" within it."""
    starts: dict[str, list[int]] = {}
    for place, word in enumerate(theirs):
        starts.setdefault(word.key, []).append(place)
    at = 0
    while at < len(mine):
        places = starts.get(mine[at].key, [])
        few = places if len(places) <= _MAX_STARTS else []
        size, place = max(((_size(mine, at, theirs, p), p) for p in few), default=(0, 0))
        stated, given = mine[at : at + size], theirs[place : place + size]
        at += max(1, size)
        if sum(word.telling for word in stated) < _MIN_TELLING or _denies(stated) == _denies(given):
            continue
        if _denies(stated):
            certain = _ends(text, stated) and not _denied_before(theirs, place)
        else:
            certain = _ends(unit.text, given) and not _denied_before(mine, at - size)
        said, source = _of(stated), _of(given)
        if certain and not _IN_PART.search(
            f"{text.slice(said)} {unit.text.slice(source)}".encode()
        ):
            return said
    return None


def _denies(run: list[_Word]) -> bool:
    return run[-1].negations > run[0].negations


def _ends(text: Text, run: list[_Word]) -> bool:
    """Tell whether a clause ends with a run; what follows may be all that is denied: "not washed above 30 degrees"."""
    after = text.value[run[-1].region.end : run[-1].region.end + 1]
    return not after or after in _ENDS


def _denied_before(words: list[_Word], at: int) -> bool:
    """Tell whether a "not" stands right before a run: "does not contain added sugar"."""
    return words[at].negations > (words[at - _BEFORE].negations if at >= _BEFORE else 0)


def _of(run: list[_Word]) -> Region:
    return Region(run[0].region.start, run[-1].region.end)


def _size(mine: list[_Word], at: int, theirs: list[_Word], place: int) -> int:
    size = 0
    while (
        at + size < len(mine)
        and place + size < len(theirs)
        and mine[at + size].key == theirs[place + size].key
    ):
        size += 1
    return size
