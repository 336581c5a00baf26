"""Compares a "yes" or a "no" with the clause of the source that the question asks about, and what a rule excepts."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.polarity import Clause, clauses, opposite, same_modality, whole
from fairwitness.evaluator.facts.words import STOPWORDS, content_stems, stem, words_in
from fairwitness.evaluator.given.statements import question_of
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MIN_STEMS = 2
_MAX_EXCEPTED = 4
_MAX_SENTENCES = 6
_MAX_PROMPT_CHARS = 3000
_POLAR = Pattern(
    r"^(?:[^,?]{0,60}, ?)?(?:so |and |then )?(?:do|does|did|is|are|was|were|can|could|may|must|has|have|had|will)\s",
    ignore_case=True,
)
# A clause with one of these holds in part; its "yes" may be a "no" with a reason.
_IN_PART = frozenset(
    "only except unless if when some most many few often usually sometimes rarely partly mostly until before after but than".split()
)
_EXCEPTING = _IN_PART | {"apart", "besides", "without"}
_TIMES = frozenset({"day", "week", "month", "year"})
_BEING = frozenset("is are was were do does did has have had can could may must will".split())


def polar_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for a "yes" where the source denies, a "no" where it affirms, and a rule said of what it excepts."""
    text = ground.response
    if not ground.both_in_english or not ground.compared or not text.words:
        return
    said = text.lower[text.words[0].start : text.words[0].end]
    if said in {"yes", "no"}:
        yield from _answered(ground, said == "yes")
    yield from _excepted(ground)


def _answered(ground: Ground, yes: bool) -> Iterator[Claim]:
    prompt = ground.prompt
    asked = question_of(prompt) if len(prompt) <= _MAX_PROMPT_CHARS else None
    if asked is None or not _POLAR.search(prompt.slice(asked).encode()):
        return
    lead = prompt.value.find(",", asked.start, asked.end)
    opening = (
        lead + 1
        if lead >= 0 and not _POLAR.search(prompt.slice(asked)[:12].encode())
        else asked.start
    )
    question = whole(prompt, Region(opening, asked.end))
    stems = {*question.stems}
    if question.negations or question.supposing or len(stems) < _MIN_STEMS or _numbers(question):
        return
    answers: dict[bool, Span] = {}
    for near in ground.index.nearest(stems, 4):
        unit = ground.index.units[near.unit]
        if unit.text is prompt and unit.region.start < asked.end and asked.start < unit.region.end:
            continue
        for clause, of in _with_subject(unit.text, unit.region):
            words = opposite(question, clause)
            mine, theirs = (
                stems - {stem(words[0])} if words else stems,
                of | ({stem(words[1])} if words else set()),
            )
            if (
                len(stems) < _MIN_STEMS
                or not mine <= theirs
                or clause.supposing
                or _numbers(clause)
            ):
                continue
            if not _IN_PART.isdisjoint(clause.words) or not same_modality(question, clause):
                return
            answers[(clause.negations == 0) != bool(words)] = unit.span
    if len(answers) == 1 and yes not in answers:
        (right, span), first = next(iter(answers.items())), ground.response.words[0]
        message = (
            f"Answers “{'yes' if yes else 'no'}” where the source says {'yes' if right else 'no'}."
        )
        yield Claim("answer", first, span, ground.against, message)


def _numbers(clause: Clause) -> bool:
    return any(word[0].isdecimal() for word in clause.words)


def _with_subject(text: Text, region: Region) -> Iterator[tuple[Clause, set[str]]]:
    """Yield each clause with its stems; one that begins with its verb has the subject of the first."""
    parts = clauses(text, region)
    first = words_in(text, region)
    subject: set[str] = set()
    for at, word in enumerate(first):
        if text.lower[word.start : word.end] in _BEING and at:
            subject = {*content_stems(text, Region(region.start, word.start))}
            break
    found = {clause.region for clause in parts}
    for clause in [*parts, *_bare(text, region, found)]:
        opening = next(
            (word for word in clause.words if word not in {"and", "but", "also", "they", "it"}), ""
        )
        inherits = opening in _BEING or opening.endswith(("n't", "n’t"))
        yield clause, {*clause.stems} | (subject if inherits else set())


def _bare(text: Text, region: Region, found: set[Region]) -> Iterator[Clause]:
    """Yield the end of a sentence after its last "and" or "but", which may be too short to be a clause of its own."""
    words = words_in(text, region)
    for at in range(len(words) - 1, 0, -1):
        if text.lower[words[at].start : words[at].end] in {"and", "but"}:
            part = Region(words[at].start, region.end)
            if not any(part.start == other.start for other in found):
                yield whole(text, part)
            return


def _excepted(ground: Ground) -> Iterator[Claim]:
    """Yield a claim where a rule is said of what it excepts: "open on Tuesday", where it is every day but Tuesday."""
    for unit in ground.index.units:
        lower = unit.text.lower
        at = lower.find(" except ", unit.region.start, unit.region.end)
        if at < 0:
            continue
        rule = whole(unit.text, Region(unit.region.start, at))
        excepted = []
        for word in words_in(unit.text, Region(at + 8, unit.region.end))[:_MAX_EXCEPTED]:
            low = lower[word.start : word.end]
            if low not in STOPWORDS:
                excepted.append(stem(low))
            if unit.text.value[word.end : word.end + 1] in {".", ",", ";"}:
                break
        verb = next((n for n, word in enumerate(rule.words) if word in _BEING), len(rule.words))
        predicate = {
            stem(word) for word in rule.words[verb + 1 :] if word not in STOPWORDS
        } - _TIMES
        yield from _said_of(ground, unit.span, rule, predicate, set(excepted))


def _said_of(
    ground: Ground, span: Span, rule: Clause, predicate: set[str], excepted: set[str]
) -> Iterator[Claim]:
    text = ground.response
    for sentence in text.sentences[:_MAX_SENTENCES]:
        asks = text.slice(sentence).rstrip(" *_").endswith("?")
        for clause in () if asks else clauses(text, sentence):
            stems = {*clause.stems}
            of_it = excepted and excepted <= stems and predicate & stems
            if of_it and clause.negations == rule.negations and _EXCEPTING.isdisjoint(clause.words):
                yield Claim(
                    "denial",
                    clause.region,
                    span,
                    ground.against,
                    "Applies a rule to something that the source excepts from it.",
                )
                return
