"""Finds what is taken over from the source word for word with a "not" lost or added."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.denial_claims import both_turned, is_reported, short
from fairwitness.evaluator.criteria.grounding.ground import MAX_SENTENCES, Claim, Ground, states
from fairwitness.evaluator.criteria.grounding.taken_over import MAX_CHARS, TakenOver
from fairwitness.evaluator.facts.index import Unit
from fairwitness.evaluator.facts.words import STOPWORDS, stem, words_in
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_CLAIMS = 6
_MIN_TELLING = 3
# A word that a unit has more often begins too many runs.
_MAX_STARTS = 8
_BEFORE = 3
_ENDS = frozenset(".,;:!?—–)\n")
_NEGATIONS = frozenset("not no never nor neither".split())
_CONTRACTED = ("n't", "n’t")
_BARE = {"ca": "can", "wo": "will", "sha": "shall"}
_LEFT_OUT = frozenset("a an the any do does did which that who".split())
# A "not" among words like these may deny only them, on either side.
_IN_PART = Pattern(
    r"\b(?:only|even|just|necessarily|always|all|every|more|less|than|because|without|longer|yet|other|otherwise|both)\b",
    ignore_case=True,
)
# "Annex W, not line 44" and "heating and no hot water" deny only what follows.
_CONTRASTS = Pattern(r"(?:,|\b(?:and|but|or)) (?:no|not|nor|never)\b", ignore_case=True)
# What holds under a condition may be said the other way round.
_SUPPOSES = Pattern(
    r"\b(?:unless|except|if|until|whether|provided|when|as long as|in case|wish|thought)\b",
    ignore_case=True,
)


class _Word(NamedTuple):
    """A word without its negation, and how many negations there were up to it."""

    key: str
    telling: bool
    negations: int
    region: Region


class _Compared(NamedTuple):
    """Whether a run of words is the same in both, and the one in which a "not" is lost or added."""

    agrees: bool
    turned: Region | None


def negation_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each run of the source's words in which a "not" is lost or added, and that it has no other way."""
    if not TakenOver(ground).expected:
        return
    text, claims = ground.response, 0
    known: dict[int, list[_Word]] = {}
    for sentence in text.sentences[:MAX_SENTENCES]:
        if sentence.end - sentence.start > MAX_CHARS or not _says(text, sentence):
            continue
        if is_reported(text, sentence):
            continue
        mine = _words(text, sentence)
        found: Claim | None = None
        for near in ground.nearest(sentence):
            unit = ground.index.units[near.unit]
            if near.unit not in known:
                told = states(unit) and _says(unit.text, unit.region)
                known[near.unit] = _words(unit.text, unit.region) if told else []
            compared = _compared(text, mine, unit, known[near.unit])
            if compared.agrees:
                found = None
                break
            if compared.turned and found is None and not both_turned(text, sentence, unit):
                said = " ".join(unit.text.slice(unit.region).split())
                message = f"Says the opposite of the source, which has “{short(said)}”."
                found = Claim(
                    "negation", compared.turned, unit.span, ground.plainly_against, message
                )
        if found is not None:
            yield found
            claims += 1
            if claims >= _MAX_CLAIMS:
                return


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


def _compared(text: Text, mine: list[_Word], unit: Unit, theirs: list[_Word]) -> _Compared:
    """Compare the runs of words that a sentence and a unit share."""
    starts: dict[str, list[int]] = {}
    for place, word in enumerate(theirs):
        starts.setdefault(word.key, []).append(place)
    at, agrees, turned = 0, False, None
    while at < len(mine):
        places = starts.get(mine[at].key, [])
        few = places if len(places) <= _MAX_STARTS else []
        size, place = max(((_size(mine, at, theirs, p), p) for p in few), default=(0, 0))
        stated, given = mine[at : at + size], theirs[place : place + size]
        at += max(1, size)
        if sum(word.telling for word in stated) < _MIN_TELLING:
            continue
        if _denies(stated) == _denies(given):
            agrees = True
        elif turned is None:
            affirming = (theirs, place) if _denies(stated) else (mine, at - size)
            if not _denied_before(*affirming) and _certain(text, stated, unit, given):
                turned = _of(stated)
    return _Compared(agrees, turned)


def _certain(text: Text, stated: list[_Word], unit: Unit, given: list[_Word]) -> bool:
    """Tell whether the "not" of one run denies what the other says: all of it, and of the same thing."""
    denying, where = (stated, text) if _denies(stated) else (given, unit.text)
    named = any(word.telling and word.negations == denying[0].negations for word in denying)
    if not named or not _ends(where, denying):
        return False
    said = f"{text.slice(_of(stated))} {unit.text.slice(_of(given))}"
    return not (_IN_PART.search(said.encode()) or _CONTRASTS.search(said.encode()))


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
