"""Finds names that a response puts in each other's place: who did it, who it was done to, from where and to where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.index import Index, Unit
from fairwitness.evaluator.facts.names import Name, names_among
from fairwitness.evaluator.facts.polarity import whole
from fairwitness.evaluator.facts.words import STOPWORDS, content_stems, first_word, stem, words_in
from fairwitness.evaluator.text import Region, Text

_MAX_SENTENCES = 40
_MAX_SENTENCE_CHARS = 300
_MAX_UNITS = 400
_MAX_HOMES = 8
_BEING = frozenset("is was are were be been being".split())
_TITLES = frozenset("mr mrs ms dr prof".split())
_LEAVING = frozenset({"left", "leaves", "leaving"})
_ARRIVING = frozenset({"arrived", "arrives", "arriving"})
_BEATING = frozenset("beat beats defeated defeats overcame".split())
_RESULTS = dict.fromkeys(("lost", "lose", "loses"), "lose") | dict.fromkeys(
    ("won", "win", "wins"), "win"
)
_ARTICLES = frozenset({"the", "our", "their", "its", "a", "an"})


class _Role(NamedTuple):
    """What a name is to a word: "agent chair", "object beat", "is buyer", "after from"."""

    role: str
    name: Name


class _Given(NamedTuple):
    """A role in a given unit."""

    unit: int
    name: Name


def role_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim where the source has another of its names in a name's role, and only that one."""
    text = ground.response
    if not ground.both_in_english or not ground.compared or len(ground.index.units) > _MAX_UNITS:
        return
    given: dict[str, list[_Given]] | None = None
    for sentence in text.sentences[:_MAX_SENTENCES]:
        if sentence.end - sentence.start > _MAX_SENTENCE_CHARS or text.in_code(sentence.start):
            continue
        roles = list(_roles(text, sentence))
        if not roles or whole(text, sentence).negations or text.value[sentence.end - 1] == "?":
            continue
        if given is None:
            given = _given(ground.index)
        for role, name in roles:
            if not _is_proper(name, ground.index.proper):
                continue
            claim = _exchanged(ground, sentence, role, name, given.get(role, []))
            if claim is not None:
                yield claim
                break


def _given(index: Index) -> dict[str, list[_Given]]:
    """Return the roles of given names."""
    found: dict[str, list[_Given]] = {}
    for number, unit in enumerate(index.units):
        for role, name in _roles(unit.text, unit.region):
            found.setdefault(role, []).append(_Given(number, name))
    return {
        role: [one for one in names if _is_proper(one.name, index.proper)]
        for role, names in found.items()
    }


def _is_proper(name: Name, proper: set[str]) -> bool:
    """Tell a name from a word that only opens a sentence."""
    return name.sure or len(name.words) > 1 or proper.issuperset(name.words)


def _exchanged(
    ground: Ground, sentence: Region, role: str, name: Name, given: list[_Given]
) -> Claim | None:
    if not given or any({*one.name.words} & {*name.words} for one in given):
        return None
    if len({one.name.words for one in given}) > 1 or not {*name.words} <= ground.index.words:
        return None
    number, other = given[0]
    unit, text = ground.index.units[number], ground.response
    if not _same_matter(ground, sentence, role, name, (unit, other)):
        return None
    said = " ".join(text.value[name.start : name.end].split())
    source = " ".join(unit.text.value[other.start : other.end].split())
    span = Span(other.start, other.end, unit.source)
    message = f"States “{said}” where the source has “{source}”."
    return Claim("role", Region(name.start, name.end), span, ground.against, message)


def _same_matter(
    ground: Ground, sentence: Region, role: str, name: Name, given: tuple[Unit, Name]
) -> bool:
    """Tell whether a sentence and a unit speak of the same: of both names, or of one thing more than the role."""
    unit, other = given
    lower = unit.text.lower
    near = {lower[start:end] for start, end in words_in(unit.text, unit.region)}
    kind, _, word = role.partition(" ")
    if {*name.words} <= near and kind == "object":
        return _swapped(ground.response, sentence, name, unit, other)
    if {*name.words} <= near:
        return kind != "after" or _turned(ground.response, sentence, name, unit)
    said, theirs = {*content_stems(ground.response, sentence)}, {*_stems(unit)}
    # "Lumenta made that of the older one": the sentence speaks of what the source says of this name.
    homes = [
        ground.index.units[n] for n in ground.index.units_with(stem(name.words[0]))[:_MAX_HOMES]
    ]
    own = {each for home in homes for each in _stems(home)}
    if said & (own - theirs) - {*map(stem, name.words)}:
        return False
    return kind == "agent" and bool(said & theirs - {word})


def _stems(unit: Unit) -> list[str]:
    return content_stems(unit.text, unit.region)


def _swapped(text: Text, sentence: Region, name: Name, unit: Unit, other: Name) -> bool:
    """Tell whether each name stands before the verb where the other text has it after it: "B beat A" for "A beat B"."""
    mine = text.lower.find(other.words[0], sentence.start, name.start)
    theirs = unit.text.lower.find(name.words[0], unit.region.start, other.start)
    return mine >= 0 and theirs >= 0


def _turned(text: Text, sentence: Region, name: Name, unit: Unit) -> bool:
    """Tell whether a sentence has one name after "from" that the source has after "to", or the other way round."""
    mine, theirs = (
        [(role, one.words) for role, one in _roles(where, region) if role.startswith("after")]
        for where, region in ((text, sentence), (unit.text, unit.region))
    )
    own = {role for role, words in mine if words == name.words}
    given = {role for role, words in theirs if words == name.words}
    return len(own) == len(given) == 1 and own != given


def _roles(text: Text, region: Region) -> Iterator[_Role]:
    """Yield what the names of a sentence are in it, as far as the words right beside them show."""
    for name in names_among(text, region, words_in(text, region)):
        first, last = first_word(text, name.start), first_word(text, name.end)
        first -= _at(text, region, first - 1) in _TITLES
        before = [_at(text, region, first - step) for step in (1, 2, 3, 4)]
        after = [_at(text, region, last + step) for step in (0, 1)]
        joint = text.value[text.words[first - 1].end : text.words[first].start] if first else ""
        gap = text.value[name.end : text.words[last].start] if last < len(text.words) else ""
        # "American" in "by American painters" does nothing.
        described = (
            gap == " "
            and after[0] not in STOPWORDS
            and text.value[text.words[last].start].islower()
        )
        yield from _before(name, before, joint, described)
        opens = not before[0] or (before[0] == "and" and "," in _gap(text, first - 1))
        yield from _after(name, opens, after, gap)


def _before(name: Name, before: list[str], joint: str, described: bool) -> Iterator[_Role]:
    """Yield the roles that the words before a name give it."""
    titled = before[1] in _ARTICLES and before[0] not in STOPWORDS
    by = before[2:] if titled else before
    if by[0] == "by" and not described and by[1] and by[1] not in STOPWORDS:
        yield _Role(f"agent {_verb(by[1])}", name)
    if titled and joint in {" ", ", "}:
        yield _Role(f"is {stem(before[0])}", name)  # "the owl Wetherby", "a heron, Sael,"
    elif joint.strip(" *_") == ":":
        yield _Role(f"agent {_verb(before[0])}", name)  # "Chair: Gillian Frost"
    elif before[0] in {"from", "to"}:
        yield _Role(f"after {before[0]}", name)
    elif joint == " " and before[0] in _LEAVING:
        yield _Role("after from", name)
    elif joint == " " and (before[0] == "reached" or before[1] in _ARRIVING):
        yield _Role("after to", name)
    elif joint == " " and _is_verb(before[0]):
        yield _Role(f"object {stem(before[0])}", name)
        if before[0] in _BEATING:
            yield _Role("agent lose", name)


def _after(name: Name, opens: bool, after: list[str], gap: str) -> Iterator[_Role]:
    """Yield the roles that the words after a name give it."""
    if gap in {" ", ", "} and after[0] == "who" and _is_verb(after[1]):
        yield _Role(f"agent {_verb(after[1])}", name)
    elif gap == " " and _is_verb(after[0]) and opens:
        yield _Role(f"agent {_verb(after[0])}", name)
    elif gap.strip() in {"(", ","} and after[1] and after[0] in _ARTICLES:
        yield _Role(f"is {stem(after[1])}", name)


def _gap(text: Text, at: int) -> str:
    """Return what stands between a word and the one before it."""
    return text.value[text.words[at - 1].end : text.words[at].start] if at > 0 else ""


def _verb(word: str) -> str:
    """Return a verb as roles are compared by it: who beat somebody won, and who was beaten lost."""
    return _RESULTS.get(word) or ("win" if word in _BEATING else stem(word))


def _is_verb(word: str) -> bool:
    """Tell whether a word can be a verb in one of its forms; whatever is inflected may be one."""
    return len(word) > 3 and word not in STOPWORDS | _BEING and not word[0].isdecimal()


def _at(text: Text, region: Region, index: int) -> str:
    if not 0 <= index < len(text.words):
        return ""
    start, end = text.words[index]
    return text.lower[start:end] if region.start <= start < region.end else ""
