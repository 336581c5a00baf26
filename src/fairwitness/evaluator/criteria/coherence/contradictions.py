"""Finds statements of a response that contradict each other: one affirms, word for word, what another denies.

Statements that suppose, quote, ask, or discuss two sides are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.facts.polarity import (
    NEGATORS,
    Clause,
    clauses,
    opposed_words,
    same_modality,
    states,
)
from fairwitness.evaluator.facts.words import content_stems
from fairwitness.evaluator.judgement import Finding
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.voice import Voice

_MIN_STEMS = 2
_MAX_SENTENCE_CHARS = 160
_SAME_QUESTION = 0.8


def find(exchange: Exchange) -> list[Finding]:
    """Return a finding for the first two statements that contradict each other."""
    response = exchange.response
    answered = _contradicted_answer(exchange)
    if answered is not None:
        return [_finding("The opening Yes or No contradicts the statement after it.", answered)]
    # Cheap checks first: without a denial there is nothing to compare.
    if not _DENIAL.search(response.utf8) or _BOTH_SIDES.search(response.utf8):
        return []
    voice = Voice(exchange)
    if voice.written_for_someone_else:
        return []
    seen: dict[frozenset[str], list[Clause]] = {}
    nevers: list[Clause] = []
    said: list[Clause] = []
    for clause in _statements(response, voice):
        (nevers if "never" in clause.words else said).append(clause)
        earlier = seen.setdefault(frozenset(clause.stems), [])
        other = next((item for item in earlier if _contradict(item, clause)), None)
        if other is not None:
            return [_finding("Two statements contradict each other.", other.region, clause.region)]
        if len(earlier) < _MAX_SAME:
            earlier.append(clause)
    for never in nevers[:_MAX_SAME]:
        other = next((item for item in said[:_MAX_SAID] if _excluded(item, never)), None)
        if other is not None:
            regions = sorted((other.region, never.region))
            return [_finding("Two statements contradict each other.", *regions)]
    return []


def _excluded(said: Clause, never: Clause) -> bool:
    """Tell whether a statement, in more detail, says what another says never happens."""
    general, detailed = {*never.stems}, {*said.stems}
    return (
        _MIN_NEVER_STEMS <= len(general) < len(detailed)
        and general <= detailed
        and len(detailed - general) <= _MAX_DETAILS
        and said.stems[0] == never.stems[0]
        and _contradict(said, never)
    )


def _finding(message: str, *regions: Region) -> Finding:
    return Finding(
        severity="medium",
        message=message,
        detector="coherence.contradiction",
        spans=tuple(Span(region.start, region.end) for region in regions),
        suggestion="Decide which of the two is true, and say only that.",
    )


def _statements(text: Text, voice: Voice) -> Iterator[Clause]:
    """Yield the clauses that state something for themselves, each with its subject."""
    for sentence in text.sentences:
        if sentence.end - sentence.start > _MAX_SENTENCE_CHARS or not voice.is_own(sentence.start):
            continue
        if text.value[sentence.end - 1] != ".":
            continue
        parts = clauses(text, sentence)
        if any(clause.supposing for clause in parts):
            continue
        for clause in parts:
            if (
                len({*clause.stems}) >= _MIN_STEMS
                and states(clause)
                and (clause.words[0] not in _NO_SUBJECT or _is_impersonal(clause))
            ):
                yield clause


def _contradict(one: Clause, other: Clause) -> bool:
    denied = (one.negations - other.negations) % 2 == 1
    same = all(
        words.intersection(one.words) == words.intersection(other.words)
        for words in (_PAST, _QUALIFIERS)
    )
    return denied and same and same_modality(one, other) and not opposed_words(one, other)


def _is_impersonal(clause: Clause) -> bool:
    """Tell "it is safe to mix them", where "it" stands for nothing named before."""
    return clause.words[0] == "it" and "to" in clause.words[2:] and len(clause.stems) > _MIN_STEMS


def _contradicted_answer(exchange: Exchange) -> Region | None:
    """Return the opening where Yes is followed by a denial of the question, or No by its confirmation."""
    response, prompt = exchange.response, exchange.prompt
    opening = response.search(_OPENING)
    asked = prompt.value.strip()
    if opening is None or not asked.endswith("?") or len(asked) > _MAX_SENTENCE_CHARS:
        return None
    said_yes = opening["word"] == "Yes"
    rest = response.sentence_at(opening.end)
    statement = next(iter(clauses(response, Region(opening.end, rest.end))), None)
    if statement is None or statement.supposing or not states(statement):
        return None
    question = {*content_stems(prompt, Region(0, len(prompt)))}
    if {*statement.stems} != question or len(question) < _MIN_STEMS:
        return None
    if not NEGATORS.isdisjoint(asked.lower().split()) or "n't" in asked:
        return None
    if not _QUALIFIERS.isdisjoint(statement.words):
        return None
    denied = statement.negations % 2 == 1
    return Region(opening.start, statement.region.end) if denied == said_yes else None


_MAX_SAME = 4
_MAX_SAID = 200
_MIN_NEVER_STEMS, _MAX_DETAILS = 3, 2
_DENIAL = Pattern(r"\b(?:not|never|cannot|no)\b|n[’']t\b", ignore_case=True)
_OPENING = Pattern(r"^\s*(?P<word>Yes|No)[,.]\s")
_PAST = frozenset("was were had did been wasn't weren't hadn't didn't".split())
_NO_SUBJECT = frozenset(
    "it this that these those they he she there here which what who and or but so then because while".split()
)
_QUALIFIERS = frozenset(
    """only always sometimes often usually none if when while because although though yet still just merely simply
    necessarily either once now currently longer than all every any some many most few one another other others also
    first second before after until without instead again anymore too enough exactly neither nor both same as""".split()
)
# A text that discusses two sides states both on purpose.
_BOTH_SIDES = Pattern(
    r"\b(?:myths?|facts?:|arguments? (?:for|against)|some (?:people )?(?:say|argue|believe)|on (?:the )?one hand|paradox|puzzle"
    r"|true or false|premise|proof|contradict\w*|suppose|version|grammar|negat\w+|opposite|sentence|statement|example|pros|cons"
    r"|do(?:s and|’s and|'s and) don|theorem|assum\w+|hypothe\w+|scenario|claims?|critics|debate)\b",
    ignore_case=True,
)
