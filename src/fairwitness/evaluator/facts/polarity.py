"""Cuts sentences into clauses and tells whether a clause affirms or denies."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from fairwitness.evaluator.facts.words import STOPWORDS, stem, words_in
from fairwitness.evaluator.text import Region, Text

NEGATORS = frozenset("not no never none nobody nothing neither nor cannot nowhere unable".split())
# "not only", "no more than" and "no longer than" deny nothing of what follows.
_NOT_DENIED = frozenset(
    "only just more less later fewer earlier doubt matter merely simply".split()
)
# Pairs of words of which one says the opposite of the other.
_OPPOSITES = (
    "higher lower", "highest lowest", "more less", "more fewer", "most least", "up down",
    "above below", "before after", "include exclude", "includes excludes", "included excluded", "including excluding",
    "allowed forbidden", "allowed prohibited", "allows forbids", "permitted prohibited", "accepted rejected",
    "accept reject", "approved rejected", "approve reject", "supports opposes", "supported opposed", "open closed",
    "opened closed", "opens closes", "won lost", "win lose", "gain loss", "gained lost",
    "largest smallest", "larger smaller", "older younger", "oldest youngest", "first last", "early late", "earlier later",
    "with without", "always never", "all none", "safe unsafe", "same different", "success failure", "succeeded failed",
    "positive negative", "maximum minimum", "inside outside", "north south", "east west", "left right", "male female",
    "free paid", "required optional", "enabled disabled", "guilty innocent", "alive dead", "hot cold", "strong weak",
    "majority minority", "everyone nobody", "everybody nobody", "shut open", "shut opens", "better worse", "best worst", "faster slower", "cheaper dearer", "cheap expensive",
    "married divorced", "public private", "internal external", "import export", "imports exports", "arrive depart",
    "old new", "raise lower", "raised lowered", "present absent", "empty full", "true false", "agree disagree", "likely unlikely",
)  # fmt: skip
# Every word of the one kind is the opposite of every word of the other.
_UP = """increase increases increased increasing rise rises rose risen rising grow grows grew grown growing climb climbs climbed
    soared jumped""".split()
_DOWN = """decrease decreases decreased decreasing fall falls fell fallen falling shrink shrinks shrank shrunk shrinking drop drops
    dropped decline declines declined declining sank plunged""".split()
# Words of permission say one thing: who is welcome is allowed.
_PERMISSION = dict.fromkeys("allowed allow permitted permit welcome admitted".split(), "allow")
_JOINS = frozenset(
    """and but while although though because since so which who that whereas however unless if when or as than
    whether""".split()
)
_SUPPOSING = frozenset(
    """if unless whether suppose otherwise believed thought assumed supposed supposedly rumoured rumored claimed alleged
    allegedly reportedly""".split()
)
_MODALS = frozenset("would could might may should must can will shall need".split())
_DUTIES = frozenset("must should shall need".split())
_PRONOUNS = frozenset("it they this these he she we you i there".split())
_PREFIXES = ("non", "un", "in", "im", "ir", "dis")
_MIN_CONTENT = 2
_MIN_BARE_CHARS = 3
_VERBS = frozenset(
    """is are was were be been being has have had do does did can could may might must will would shall should cannot isn't
    aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't can't couldn't won't wouldn't shouldn't mustn't""".split()
)
_MANY_STEMS = 3
# A longer sentence is none: its first clauses stand for it.
_MAX_WORDS = 150


class Clause(NamedTuple):
    """A stretch of a sentence: its words, the stems of its content, how often it negates, and whether it supposes."""

    region: Region
    words: tuple[str, ...]
    stems: tuple[str, ...]
    negations: int
    supposing: bool


def clauses(text: Text, region: Region) -> list[Clause]:
    """Return the clauses of a sentence that have content, in order."""
    found: list[Clause] = []
    words = words_in(text, region)[:_MAX_WORDS]
    if words and text.lower[words[0].start : words[0].end] in {"yes", "no"}:
        gap = text.value[words[0].end : words[0].end + 1]
        words = words[1:] if gap and gap in ",.!;:" else words
    start = 0
    for at in range(1, len(words) + 1):
        if at == len(words) or _cuts(text, words, at):
            clause = _clause(text, words[start:at])
            if len(clause.stems) >= _MIN_CONTENT or (clause.stems and by_pronoun(clause)):
                found.append(clause)
            start = at
    return found


def whole(text: Text, region: Region) -> Clause:
    """Return a whole sentence as one clause."""
    words = words_in(text, region)[:_MAX_WORDS]
    return _clause(text, words) if words else Clause(region, (), (), 0, False)


def _cuts(text: Text, words: list[Region], at: int) -> bool:
    gap = text.value[words[at - 1].end : words[at].start]
    if gap != " " and (any(mark in gap for mark in ",;:—–()") or ". " in gap):
        return True
    return text.lower[words[at].start : words[at].end] in _JOINS


def _clause(text: Text, regions: list[Region]) -> Clause:
    words = tuple(text.lower[word.start : word.end] for word in regions)
    stems, negations = [], 0
    for at, word in enumerate(words):
        if _negates(word):
            following = words[at + 1] if at + 1 < len(words) else ""
            negations += following not in _NOT_DENIED
        elif word not in STOPWORDS and not word[0].isdecimal():
            stems.append(_PERMISSION.get(word) or stem(word))
    region = Region(regions[0].start, regions[-1].end)
    return Clause(region, words, tuple(stems), negations, not _SUPPOSING.isdisjoint(words))


def _negates(word: str) -> bool:
    return word in NEGATORS or word.endswith(("n't", "n’t"))


def same_modality(one: Clause, other: Clause) -> bool:
    """Tell whether two clauses are as sure: what may be does not deny what is not."""
    mine, theirs = (_MODALS.intersection(each.words) - {"can", "will"} for each in (one, other))
    if _ordering(one) or _ordering(other):
        mine, theirs = mine - _DUTIES, theirs - _DUTIES  # "never wash it": it must not be washed
    return mine == theirs


def _ordering(clause: Clause) -> bool:
    return clause.words[:1] in {("never",), ("always",), ("do",), ("don't",), ("don’t",)}


def states(clause: Clause) -> bool:
    """Tell whether a clause says something of something, as far as its words show: it has a verb, or is long."""
    plain = {word.replace("’", "'") for word in clause.words}
    return not _VERBS.isdisjoint(plain) or len(clause.stems) >= _MANY_STEMS or by_pronoun(clause)


def denies_by_verb(clause: Clause) -> bool:
    """Tell whether a clause denies with a verb: "does not cover", "isn't open", "never pays"."""
    words = [word.replace("’", "'") for word in clause.words]
    if any(word.endswith("n't") or word in {"never", "cannot"} for word in words):
        return True
    return any(
        (word == "not" and before in _VERBS) or (before, word) == ("not", "to")
        for before, word in pairwise(words)
    )


def by_pronoun(clause: Clause) -> bool:
    """Tell whether a clause names its subject by a pronoun."""
    return not _PRONOUNS.isdisjoint(clause.words[:2])


def opposed_words(one: Clause, other: Clause) -> bool:
    """Tell whether one clause has a word and the other its opposite: "harmed" and "unharmed", "open" and "closed"."""
    if _prefixed(one.stems, other.stems) or _prefixed(other.stems, one.stems):
        return True
    return bool(opposite(one, other))


def opposite(one: Clause, other: Clause) -> tuple[str, str] | None:
    """Return a word that only one clause has and its opposite that only the other has, or None."""
    mine, theirs = {*one.words} - {*other.words}, {*other.words} - {*one.words}
    for word in sorted(mine):
        for counter in sorted(OPPOSITE_OF.get(word, ())):
            if counter in theirs:
                return word, counter
    return None


def _prefixed(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    for word in one:
        for prefix in _PREFIXES:
            bare = word.removeprefix(prefix).lstrip("-")
            if bare == word or word in other or len(bare) < _MIN_BARE_CHARS:
                continue
            if any(o.startswith(bare) for o in other):
                return True
    return False


OPPOSITE_OF: dict[str, set[str]] = {}
for _pair in (*_OPPOSITES, *(f"{up} {down}" for up in _UP for down in _DOWN)):
    _one, _other = _pair.split()
    OPPOSITE_OF.setdefault(_one, set()).add(_other)
    OPPOSITE_OF.setdefault(_other, set()).add(_one)
