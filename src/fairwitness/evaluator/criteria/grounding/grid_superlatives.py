"""Tells what calls something an extreme, which end it means, and whether a request asks for the extremes of all rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fairwitness.evaluator.facts.words import content_stems, stem
from fairwitness.evaluator.given.statements import asks
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_REQUEST_CHARS = 400
SUPERLATIVE = Pattern(
    r"\b(?:most|least|(?:sold|sells?|did|does|performed|scored|fared) (?:best|worst)|(?:best|worst) (?:year|month|week|day|quarter|season|result|score|mark|time)|fewest|\pL{2,}[^aeiou\W]i?est)\b",
    ignore_case=True,
)
# Words that only end like one.
_NO_SUPERLATIVE = Pattern(
    r"\b(?:at (?:the )?(?:most|least|best|worst|latest|earliest)|(?:^|[,;:] |\b(?:and|for|in|of|by|on|while|but) )most of|(?:re|con|in|di|sug|pro|ar|har|for|ho|mo)?(?:quest|test|vest|gest|rest|nest|dest|west)|interest|guest|chest|crest|manifest|latest|forest|honest|harvest"
    r")\b",
    ignore_case=True,
)
# What is asked or said is narrower than the column, not the first of it, or worked out from it.
NARROWED = Pattern(
    r"\b(?:second|third|fourth|runners?-up|next|except\w*|excluding|other|another|under|below|above|over|less than|more than|fewer than|at least|at most|up to|within|between|among|amongst|of (?:those|them|the (?:two|rest|remaining))|without|not|no|nor|unless|if|only (?:one|those)|"
    r"that (?:is|are|has|have|had|can|fits?|meets?|suits?|still|also|do|does|allows?|offers?|works?|runs?|opens?|leaves?|arrives?|gets?|costs?|was|were)|who|which|whose|where|rank\w*|rated|plac\w+|need (?:an?|at|to (?:be|have|fit))|must|budget|afford|per|ratio|average|mean|total|combined|together|overall|sum|"
    r"increas\w*|decreas\w*|gain\w*|growth|grew|grow|rise|rose|fall|fell|drop\w*|change\w*|improve\w*|difference|margin|gap|jump|swing|share|percent\w*|proportion|relative|compared|than|after|before|until|available|open|left|(?:good|best|better) value|value for money|worth|in stock|suitable|eligible|so far|remaining|sort\w*|order\w*|for (?:you|me|us)|works? out|from (?:the )?\pL+est|\pL+est (?:first|up|down|to))\b|n['’]t\b|%",
    ignore_case=True,
)
_ASKING = Pattern(
    r"(?:^|[.?!,:;(]\s?|\b(?:and|or|me|know|say|tell|out|ask|decide|see)\s)(?P<word>who|which|where)\b",
    ignore_case=True,
)
# Superlatives whose end of the column is plain; "most" and "best" may be either.
_HIGHEST = Pattern(
    r"\b(?:highest|largest|biggest|greatest|longest|heaviest|tallest|widest|warmest|hottest|dearest|most expensive|sold best|best-sell\w+)\b",
    ignore_case=True,
)
_LOWEST = Pattern(
    r"\b(?:lowest|smallest|fewest|shortest|lightest|cheapest|narrowest|coldest|coolest|least expensive)\b",
    ignore_case=True,
)
_PRICES = "price cost fee fare rent"
# Superlatives that name their column themselves.
_OF_COLUMN = {
    "cheapest": _PRICES, "dearest": _PRICES, "expensive": _PRICES, "heaviest": "weight mass", "lightest": "weight mass",
    "tallest": "height", "warmest": "temperature", "hottest": "temperature", "coldest": "temperature",
}  # fmt: skip
_COUNTED = {"most": "highest", "least": "lowest"}


def columns_meant(heads: Sequence[str], called: Text) -> set[int]:
    """Return the columns that a superlative names by itself: the cheapest has the lowest price."""
    words = (called.lower[start:end] for start, end in called.words)
    wanted = {stem(name) for word in words for name in _OF_COLUMN.get(word, "").split()}
    texts = [Text(head) for head in heads]
    return {
        at
        for at, head in enumerate(texts)
        if at and wanted & {*content_stems(head, Region(0, len(head)))}
    }


def end_of_counts(called: Text, columns: Collection[int]) -> str:
    """Return the words with the end that "most" and "least" mean right before the name of a column: "most seats"."""
    for start in columns:
        before = called.lower[:start].rstrip()
        for word, end in _COUNTED.items():
            if before.endswith(f" {word}"):
                return f"{before.removesuffix(word)}{end} {called.value[start:]}"
    return called.value


def superlative_request(outside: Text) -> Text | None:
    """Return what the prompt asks with a superlative, where it sets no other condition."""
    found = [
        outside.slice(each)
        for each in outside.sentences
        if each.end - each.start <= _MAX_REQUEST_CHARS and is_superlative(outside.slice(each))
    ]
    asked = " ".join(outside.slice(each) for each in outside.sentences if asks(outside, each))
    narrowed = any(NARROWED.search(_told(said).encode()) for said in (asked, *found))
    return Text(" ".join(found)) if found and not narrowed else None


def _told(said: str) -> str:
    """Return what is said without the words that ask: "and which has" is a question, "a room which has" is narrower."""
    for match in reversed(Text(said).matches(_ASKING, limit=9)):
        low, high = match.span("word")
        said = said[:low] + said[high:]
    return said


def is_superlative(said: str) -> bool:
    spared = Text(said).matches(_NO_SUPERLATIVE, limit=9)
    return any(
        not any(one.end == match.end or one.start <= match.start < one.end for one in spared)
        for match in Text(said).matches(SUPERLATIVE, limit=9)
    )


def ends_meant(line: list[float], said_of: bytes) -> tuple[float, ...]:
    """Return the end of a row or a column that a superlative means, or both where it does not say."""
    if not means_one_end(said_of):
        return min(line), max(line)
    return (max(line),) if _HIGHEST.search(said_of) else (min(line),)


def means_one_end(said: bytes) -> bool:
    """Tell whether words say which end is meant."""
    return _HIGHEST.search(said) != _LOWEST.search(said)
