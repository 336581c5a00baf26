"""Finds statements taken over from the source with a "no" lost or added, and things denied that a record lists."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.criteria.grounding.ground import MAX_SENTENCES, Claim, Ground
from fairwitness.evaluator.facts.index import Unit
from fairwitness.evaluator.facts.moments import WEEKDAYS
from fairwitness.evaluator.facts.polarity import (
    NEGATORS,
    Clause,
    by_pronoun,
    clauses,
    denies_by_verb,
    opposed_words,
    opposite,
    same_modality,
    states,
    whole,
)
from fairwitness.evaluator.facts.words import STOPWORDS, stem, words_in
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import NUMBER_WORDS

# Of the response's clause, and of the source's, in the other.
_TAKEN_OVER, _COVERED = 0.8, 0.6
_MIN_STEMS = 2
_NOTHING = frozenset("none no nil n/a na not nothing unknown negative zero never -".split())
_DENYING = frozenset("no none nobody nothing unable".split())
_AFTER_DENIED = frozenset("and at but for from in of on or to with".split())
# What a field has under a condition may be denied in another case.
_CONDITIONS = frozenset("only if when unless except until".split())
_MAX_CLAIMS = 6
# Words by which a response names where it has something from: "under our policy".
_OF_SOURCES = frozenset(
    map(stem, "policy rules terms contract agreement handbook manual notes record records".split())
)
# A rule holds whatever the task is.
_RULING = frozenset(
    "may must can cannot allowed permitted forbidden prohibited can't mustn't".split()
)
_FORBIDDING = frozenset("banned barred forbidden prohibited refused excluded".split())
_COMPARED = frozenset("more less fewer".split())
_MAX_FIELD_CHARS = 120
_WHOLLY = frozenset(
    "altogether completely entirely fully wholly always necessarily automatically".split()
)
_BEYOND = frozenset("above over beyond below under after before until without outside".split())
# What is said to be said by others, or to be wrong.
_REPORTED = Pattern(
    r"\b(?:myth|misconception|mistaken?|(?:is|isn[’']t|was|are|were|not) (?:wrong|false|untrue|true)|told (?:you|us|me|him|her|them)|(?:was|were|been) told|claim(?:s|ed)? that|you mentioned|rumou?r\w*|believ\w+|contrary to)\b",
    ignore_case=True,
)
# The "no" of a cell denies what its column says, and not the rest of its row.
_NO_CELL = Pattern(r"\|\s*(?:no|none|never|nil|not\b[^|]{0,30})\s*(?:\||$)", ignore_case=True)
# Cells between gaps or pipes are no clause.
_CELLS = Pattern(r"\|[^|\n]*\||\S(?: {3,}|\t)\S[^\n]*\S(?: {3,}|\t)\S")
# What opens so names a time or an exception, and does not say whether it is so: "until the council agreed".
_OPENS_ASIDE = frozenset("until till when once before after except".split())


def denial_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each clause that affirms what the source denies, or denies what it affirms."""
    text = ground.response
    if not ground.both_in_english:
        return
    claims = 0
    for sentence in text.sentences[:MAX_SENTENCES]:
        if text.in_code(sentence.start) or text.value[sentence.end - 1] == "?":
            continue
        # A row of a table may have the "no", or leave out its column.
        cells = text.value[sentence.start] == "|" or _NO_CELL.search(text.slice(sentence).encode())
        found = (None if cells else _turned(ground, sentence)) or _denied_field(ground, sentence)
        if found is not None:
            yield found
            claims += 1
            if claims >= _MAX_CLAIMS:
                return


def _turned(ground: Ground, sentence: Region) -> Claim | None:
    text = ground.response
    stated = clauses(text, sentence)
    if any(clause.supposing for clause in stated) or is_reported(text, sentence):
        return None
    for clause in filter(states, stated):
        if _is_aside(clause) and clause.region.start > sentence.start:
            continue
        near = [
            one
            for one in ground.index.nearest(clause.stems, 4)
            if one.coverage >= _COVERED / 2 and not _is_row(ground.index.units[one.unit])
        ]
        matching = [
            (
                one.unit,
                [
                    given
                    for given in ground.unit_clauses(one.unit)
                    if _asserts(given, clause) and _same(clause, given, ground.asked)
                ],
            )
            for one in near
        ]
        # What one sentence of the source denies, another may say of something else.
        if any(_agrees(clause, c) for _, found in matching for c in found):
            continue
        for number, found in matching[:2]:
            if not found:
                continue
            unit = ground.index.units[number]
            if _both_turned(text, sentence, unit):
                continue
            said = " ".join(unit.text.slice(found[0].region).split())
            return Claim(
                "denial",
                clause.region,
                unit.span,
                _severity(ground, found[0]),
                f"Says the opposite of the source, which has “{_short(said)}”.",
            )
    return None


def _asserts(given: Clause, stated: Clause) -> bool:
    return states(given) and not (_is_aside(given) and given.words[0] != stated.words[0])


def _is_aside(clause: Clause) -> bool:
    return clause.words[0] in _OPENS_ASIDE


def _is_row(unit: Unit) -> bool:
    return _CELLS.search(unit.text.slice(unit.region).encode())


def is_reported(text: Text, sentence: Region) -> bool:
    """Tell whether a sentence repeats what others say, or what is wrong."""
    return _REPORTED.search(text.slice(sentence).encode())


def _both_turned(text: Text, sentence: Region, unit: Unit) -> bool:
    """Tell whether two negations are lost: who has not paid may not enter, so who has paid may."""
    return abs(whole(unit.text, unit.region).negations - whole(text, sentence).negations) == 2


def _severity(ground: Ground, given: Clause) -> Severity:
    ruling = not _RULING.isdisjoint(word.replace("’", "'") for word in given.words)
    return "medium" if ground.against == "low" and ruling else ground.against


def _same(stated: Clause, given: Clause, asked: frozenset[str]) -> bool:
    """Tell whether two clauses speak of the same, whatever they say of it."""
    one, other = {*stated.stems}, {*given.stems}
    if by_pronoun(stated) and by_pronoun(given) and stated.words[0] in given.words[:2]:
        return stated.stems == given.stems  # "she was admitted", "she was not admitted"
    # What only the question names need not be in the source's clause: "included in the ticket".
    if len(one & other) >= _MIN_STEMS:
        one -= asked - other
    one -= _OF_SOURCES - other
    if words := opposite(stated, given):
        one, other = one - {stem(words[0])}, other - {stem(words[1])}
    if len(one) < _MIN_STEMS or not other:
        return False
    shared = len(one & other)
    alike = not by_pronoun(stated) or {*stated.words[:2]} & {*given.words[:2]}
    if by_pronoun(given) and alike and shared >= 2:
        # What "it" is called in the response is not in the clause.
        return shared >= len(one) - 1 and shared >= _TAKEN_OVER * len(other)
    return shared >= _TAKEN_OVER * len(one) and shared >= _COVERED * len(other)


def _agrees(stated: Clause, given: Clause) -> bool:
    """Tell whether two clauses about the same say the same: both deny or neither, and no word is turned around."""
    if given.supposing or not same_modality(stated, given) or _limits(stated, given):
        return True
    if _of_another(stated, given):
        return True
    # Two negations are often one: "I don't have no time".
    denied = (stated.negations > 0) != (given.negations > 0)
    if denied and _denies_otherwise(*((stated, given) if given.negations else (given, stated))):
        return True
    if denied and not (
        denies_by_verb(stated) or denies_by_verb(given) or _DENYING & {*stated.words, *given.words}
    ):
        return True
    return denied == opposed_words(stated, given)


def _denies_otherwise(affirming: Clause, denying: Clause) -> bool:
    """Tell whether the clause without a "not" says the same: "banned" for "not allowed", "no more than" for "not more"."""
    if _FORBIDDING & {*affirming.words} and not _FORBIDDING & {*denying.words}:
        return True
    pairs = pairwise(affirming.words)
    return any(one in {"no", "not"} and two in _COMPARED for one, two in pairs)


def _of_another(stated: Clause, given: Clause) -> bool:
    """Tell whether two clauses name other days, or other numbers: version 3 and version 2, Tuesdays and Mondays."""
    mine, theirs = (
        {word for word in clause.words if _counts(word) or word.rstrip("s") in WEEKDAYS}
        for clause in (stated, given)
    )
    return bool(mine - theirs and theirs - mine)


def _counts(word: str) -> bool:
    """Tell whether a word is a number: "22", "twenty-two"."""
    return word[0].isdecimal() or word.partition("-")[0] in NUMBER_WORDS


def _limits(stated: Clause, given: Clause) -> bool:
    """Tell whether one clause denies only a part of what the other affirms: "not altogether", "not above 30 degrees"."""
    return any(
        one.negations and not words.isdisjoint(one.words) and words.isdisjoint(other.words)
        for one, other in ((stated, given), (given, stated))
        for words in (_WHOLLY, _BEYOND)
    )


def _denied_field(ground: Ground, sentence: Region) -> Claim | None:
    """Return a claim where the response says "no known allergies" and a record lists some."""
    text = ground.response
    words = words_in(text, sentence)
    said = [text.lower[word.start : word.end] for word in words]
    for at, word in enumerate(said):
        if word != "no" or text.value[words[at].end : words[at].end + 1] == ",":
            continue  # "And no, e-bikes are free": an answer
        for step in range(at + 1, min(at + 4, len(said))):
            if (
                text.value[words[step - 1].end : words[step].start] != " "
                or said[step] in STOPWORDS
            ):
                break
            field = ground.index.fields.get(stem(said[step]))
            if field is None or not _lists_something(ground, field):
                continue
            # "No money was lost" denies less than that there is any.
            following = said[step + 1] if step + 1 < len(said) else ""
            gap = text.value[words[step].end : words[step].end + 1]
            if gap == " " and following not in _AFTER_DENIED:
                break
            unit = ground.index.units[field[0]]
            region = Region(words[at].start, words[step].end)
            message = f"Denies what the source lists: “{_short(' '.join(unit.text.slice(unit.region).split()))}”."
            return Claim("denial", region, unit.span, ground.against, message)
    return None


def _lists_something(ground: Ground, field: tuple[int, int]) -> bool:
    """Tell whether the value of a record's field, which begins at a position of its unit, is more than a no."""
    unit = ground.index.units[field[0]]
    value = unit.text.lower[field[1] : min(unit.region.end, field[1] + _MAX_FIELD_CHARS)]
    first, _, rest = value.strip(" *_").partition(" ")
    first = first.strip(",.;")
    denies = not NEGATORS.isdisjoint((first, *rest.split()))
    lists = bool(first) and first not in _NOTHING | _CONDITIONS and first[0] != "("
    return lists and not denies


def _short(value: str) -> str:
    """Return a quoted sentence, cut where it is long."""
    return value if len(value) <= 120 else value[:117] + "..."
