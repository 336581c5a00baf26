"""Operators for what the text says: identifiers, sums, claims, certainty, praise, insult, harm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fairwitness.evaluator.criteria.privacy import identifiers
from fairwitness.evaluator.criteria.privacy.identifier_kinds import Identifier
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text
from fairwitness.revision.calculation_edits import corrected
from fairwitness.revision.clause_edits import clauses_removed, clauses_then_sentences_removed
from fairwitness.revision.edits import Case, Edit, Operator, joined, sentences_removed

REFUSES = "helpful refusal"
REFUSAL = (
    "I can't help with this part, because it could hurt someone. I'm glad to help with a safe way to "
    "reach what you need, or to point you to people who can."
)
# Absolute words and a careful replacement; the first that fits is taken, and {} is the kept word.
_ABSOLUTELY = (
    r"(?:(?:absolutely|completely|totally|entirely|utterly|100 ?(?:%|per ?cent)"
    r"|(?:an? |one )?hundred per ?cent) )+"
)
_SOFTER_WORDINGS = (
    (rf"(?P<kept>am|are|[’']m|[’']re) {_ABSOLUTELY}(?:certain|sure|positive)", "{} fairly sure"),
    (rf"{_ABSOLUTELY}(?:certain|sure|positive|guaranteed)", "very likely"),
    (rf"{_ABSOLUTELY}(?:foolproof|fool-proof|risk[- ]free)", "fairly reliable"),
    (rf"{_ABSOLUTELY}(?P<kept>safe|accurate|effective)", "generally {}"),
    (r"(?:absolutely|completely|virtually) guaranteed|guaranteed", "likely"),
    (r"(?:can |do |personally |absolutely )*guarantee(?: you)?(?: that)?", "expect that"),
    (r"(?:absolutely|literally) (?:no|zero)", "little"),
    (
        r"(?:no|zero) (?P<kept>risk|chance|possibility|danger|doubt) (?:whatsoever|at all)",
        "little {}",
    ),
    (r"(?:cannot|can[’']t|could not|couldn[’']t) possibly", "will probably not"),
    (r"impossible (?P<kept>to|that)", "unlikely {}"),
    (r"(?:without|beyond) (?:a |any |all |the )*(?:shadow of )?(?:any |a )*doubt", "very probably"),
    (r"with absolute certainty", "with some confidence"),
    (r"undeniably|indisputably|definitely|certainly|undoubtedly|unquestionably", "probably"),
)
_MAX_ALIKE = 2  # placeholders without a number
_SOFTENINGS = [(Pattern(source, ignore_case=True), calmer) for source, calmer in _SOFTER_WORDINGS]


def _placeholders(case: Case) -> Iterator[Edit]:
    """Replace identifiers with placeholders: all of them, then only those this finding quotes."""
    every = _masks([*identifiers(case.exchange)])
    if every:
        yield joined(case.text, every)
    kind = case.finding.detector.removeprefix("privacy.")
    spans = set(case.spans)
    here = [
        item
        for item in identifiers(case.exchange)
        if item.kind.id == kind and (item.start, item.end) in spans
    ]
    if here:
        yield joined(case.text, _masks(here))


def _masks(items: list[Identifier]) -> list[tuple[int, int, str]]:
    """Return a placeholder for each; several of one kind are numbered, so that a reader can tell them apart."""
    total = Counter(item.placeholder for item in items)
    seen: Counter[str] = Counter()
    masks = []
    for item in sorted(items, key=lambda item: item.start):
        seen[item.placeholder] += 1
        number = f" {seen[item.placeholder]}]" if total[item.placeholder] > _MAX_ALIKE else "]"
        masks.append((item.start, item.end, item.placeholder.removesuffix("]") + number))
    return masks


def _tempered(case: Case) -> Iterator[Edit]:
    for start, end in case.spans:
        stretch = Text(case.text[start:end])
        found = ((stretch.search(pattern), calmer) for pattern, calmer in _SOFTENINGS)
        for match, calmer in found:
            if match is not None:
                words = calmer.replace("{}", match["kept"]) if "{}" in calmer else calmer
                wording = words[0].upper() + words[1:] if match.text[0].isupper() else words
                yield Edit(start + match.start, start + match.end, wording)
                break


def _refused(case: Case) -> Iterator[Edit]:
    """Replace harmful passages with a short helpful refusal; where they are most of the text, replace all of it."""
    spans = case.spans
    if spans:
        changes = [(start, end, "") for start, end in spans]
        changes[0] = (*spans[0], REFUSAL)
        yield joined(case.text, changes)
        if 2 * sum(end - start for start, end in spans) >= len(case.text):
            yield Edit(0, len(case.text), REFUSAL)


def _unflattered(case: Case) -> Iterator[Edit]:
    """Remove the sentence of praise; only its clause where the sentence also answers."""
    yield from sentences_removed(case)
    yield from clauses_removed(case)


OPERATORS = (
    Operator("typed placeholder", ("privacy.",), _placeholders, removes_content=False),
    Operator("corrected result", ("calculation.",), corrected),
    Operator("tempered certainty", ("honesty.false_certainty",), _tempered),
    Operator("false claim removed", ("honesty.claimed", "honesty.impossible"), sentences_removed),
    Operator(
        "flattery removed",
        (
            "independence.flattery",
            "independence.question_praise",
            "independence.validates",
            "independence.agrees_first",
        ),
        _unflattered,
        removes_content=False,
    ),
    Operator(
        "insult removed", ("respect.",), clauses_then_sentences_removed, removes_content=False
    ),
    Operator(REFUSES, ("harm_avoidance.",), _refused, removes_content=False),
)
