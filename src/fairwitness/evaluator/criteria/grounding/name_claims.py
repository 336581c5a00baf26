"""Compares the names of a response with those it was given."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.criteria.grounding.ground import MAX_SENTENCES, Claim, Ground, states
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.names import Name, names_among
from fairwitness.evaluator.facts.words import STOPWORDS, first_word, stem, words_in
from fairwitness.evaluator.given import Task
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_CLAIMS = 8
_MIN_PREFIX = 4
_SHORT_ANSWER_WORDS = 25
# Who is written to need not be in the text: "Dear Ms Farrow".
_SALUTES = Pattern(
    r"^\W{0,6}(?:dear|hi|hello|hey|good (?:morning|afternoon|evening))\b[\pL.’' -]{0,40}$",
    ignore_case=True,
)


def name_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each name that is nowhere given; only where the task is to stay with the source."""
    text = ground.response
    if not ground.closed or not ground.both_in_english:
        return
    claims = 0
    for sentence in text.sentences[:MAX_SENTENCES]:
        if text.in_code(sentence.start):
            continue
        words = words_in(text, sentence)
        for name in names_among(text, sentence, words):
            if _is_given(ground, name):
                continue
            claim = _claim(ground, name, sentence)
            lead = text.value[sentence.start : name.end]
            if claim.kind == "absent_name" and _SALUTES.search(lead.encode()):
                continue
            yield claim
            claims += 1
            if claims >= _MAX_CLAIMS:
                return


def _is_given(ground: Ground, name: Name) -> bool:
    """Tell whether a name, or enough of it, was given; a word that only opens a sentence may be any word."""
    unknown = [word for word in name.words if not _known(ground, word)]
    if not unknown:
        return True
    if not name.sure:
        # Only the word that opens the sentence is in doubt.
        unknown = [word for word in name.words[1:] if word in unknown]
        if not unknown:
            return True
    initials = "".join(word[0] for word in name.words)
    return len(name.words) > 1 and (
        initials in ground.index.words or initials in ground.beside.words
    )


def _known(ground: Ground, word: str) -> bool:
    if word in _ALIASES:
        return True
    root = stem(word)
    bare = word.removesuffix("'s").removesuffix("’s").rstrip("s")
    for index in (ground.index, ground.beside):
        if word in index.words or bare in index.words or root in index.stems:
            return True
        if len(bare) >= _MIN_PREFIX and any(part in index.words for part in word.split("-")):
            return True
        # "Swedish" for "Sweden", "Parisian" for "Paris".
        size = min(6, max(_MIN_PREFIX, len(bare) - 3))
        if len(bare) >= _MIN_PREFIX and bare[:size] in index.beginnings:
            return True
        # "Finland" for "Finnish", "Switzerland" for "Swiss".
        if bare.endswith("land") and bare[:3] in index.peoples:
            return True
        if len(word) <= 5 and word in index.initials:
            return True
    return False


def _claim(ground: Ground, name: Name, sentence: Region) -> Claim:
    said = " ".join(ground.response.value[name.start : name.end].split())
    stated = Region(name.start, name.end)
    replaced = _replaced(ground, name, sentence)
    if replaced is not None:
        span, other = replaced
        return Claim(
            "name", stated, span, "high", f"States “{said}” where the source has “{other}”."
        )
    near = ground.nearest(sentence)
    source = ground.index.units[near[0].unit].span if near else None
    # A short answer to a question is the name it gives.
    short = len(ground.response.words) <= _SHORT_ANSWER_WORDS
    severity: Severity = "medium" if ground.task is Task.FAITHFUL or short else "low"
    return Claim(
        "absent_name", stated, source, severity, f"Names “{said}”, which is not in the source."
    )


def _replaced(ground: Ground, name: Name, sentence: Region) -> tuple[Span, str] | None:
    """Return the name of a near unit in whose place the sentence states this one."""
    text = ground.response
    said = {text.lower[w.start : w.end] for w in words_in(text, sentence)}
    place = _place(text, name)
    for near in ground.nearest(sentence)[:3]:
        unit = ground.index.units[near.unit]
        if not states(unit):
            continue
        for other in names_among(unit.text, unit.region, words_in(unit.text, unit.region)):
            if said.isdisjoint(part for word in other.words for part in word.split("-")) and _alike(
                place, _place(unit.text, other)
            ):
                span = Span(other.start, other.end, unit.source)
                return span, " ".join(unit.text.value[other.start : other.end].split())
    return None


def _place(text: Text, name: Name) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the two words before a name and the two after it."""
    first, last = first_word(text, name.start), first_word(text, name.end)
    before = text.words[max(0, first - 2) : first]
    after = text.words[last : last + 2]
    return (
        tuple(stem(text.lower[a:b]) for a, b in before),
        tuple(stem(text.lower[a:b]) for a, b in after),
    )


def _alike(
    one: tuple[tuple[str, ...], tuple[str, ...]], other: tuple[tuple[str, ...], tuple[str, ...]]
) -> bool:
    """Tell whether two names stand in the same place: after the same words, or before the same word of content."""
    if len(one[0]) == 2 and one[0] == other[0]:
        return True
    if one[0][-1:] == other[0][-1:] and one[1][:1] == other[1][:1] and one[0] and one[1]:
        return True
    return bool(one[1]) and one[1] == other[1] and any(w not in STOPWORDS for w in one[1])


# Names for the same, and names that need no source.
_ALIASES = frozenset(
    "us usa u.s america american americans united states uk u.k britain british england english eu europe european un "
    "ai ii iii iv ww1 ww2 wwi wwii first second world war internet earth q1 q2 q3 q4 company's company".split()
)
