"""Checks which of the things a prompt lists with their amounts is the most or the least, and how far two of them are apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

from fairwitness.evaluator.criteria.calculation.listed_amounts import listed_amounts, shown
from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.quantities import (
    CLOCK,
    DURATION,
    MONEY,
    NUMBER,
    Line,
    Quantity,
)
from fairwitness.evaluator.criteria.calculation.question_times import duration_of
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_PROMPT_CHARS, _MAX_RESPONSE_CHARS, _MAX_BARE_CHARS = 1_500, 2_000, 60
_MAX_SENTENCES = 12
_MOST = "longest largest biggest highest greatest tallest heaviest oldest warmest hottest furthest farthest latest slowest dearest".split()
_LEAST = "shortest smallest lowest fewest lightest youngest coldest coolest earliest fastest quickest cheapest".split()
_OF_MONEY = frozenset({"dearest", "cheapest", "most expensive", "least expensive"})
_OF_TIME = frozenset({"latest", "slowest", "earliest", "fastest", "quickest"})
_OF_AGE, _MAX_AGE = frozenset({"oldest", "youngest"}), 130
_WORD = rf"(?P<rank>second|third|2nd|3rd|next)?[- ]?(?P<word>{'|'.join(_MOST + _LEAST)}|(?:most|least) expensive)"
_SUPERLATIVE = Pattern(rf"\b{_WORD}\b", ignore_case=True)
# Asked of the whole list: nothing but its end follows, no "tallest boy" and no "longest river in Europe".
_ASKED = Pattern(
    rf"\b{_WORD}(?:[?,.;]|$| one\b| of (?:them|all|these)\b| and (?:by )?how\b)", ignore_case=True
)
_RANKS = {"second": 1, "2nd": 1, "third": 2, "3rd": 2}
# What is asked, or said, is narrower than the list, or of something else than its amounts.
_NARROWED = Pattern(
    r"%|\b(?:except|excluding|apart from|other than|besides|under|below|above|over|less than|more than|at least|at most|within|up to|each|among|before|after|by (?:noon|\d)|already|"
    r"without|not|isn't|wasn't|never|if|only|that \pL+|of those|who (?:are|has|have)|with an?|value|combined|total|average|in a row|would|last year|increase|growth|change|"
    r"rank\w*|positions?|places?|priorit\w+|gauge|grit|grains?|seed\w*|built|founded|years?)\b",
    ignore_case=True,
)
# The name of an item is all that stands between it and the one before.
_LABEL = Pattern(
    r"(?:^|[,;:(.!?]|\band)\s*[*_`•-]{0,3}\s*(?P<name>[\pL\d][\pL\d'’&./-]*(?: [\pL\d][\pL\d'’&./-]*){0,3})[*_`]{0,2}\s*[:(=–—-]?\s*(?:(?:is|was|at|has|had|took|with|got|ran|jumped|scored|weighs|measures|costs) )?[-−$€£]?$"
)
_BARE = Pattern(r"^\W*(?:the )?(?P<name>[^.,(\n]{2,40})(?:[.,(]|$| at | with )", ignore_case=True)
_ASKS_DIFFERENCE = Pattern(
    r"\b(?:how (?:far|close|much) (?:behind|ahead|apart|was|were|is|are|more|less|\pL+er)|by (?:how much|what margin)|margin|difference|gap)\b",
    ignore_case=True,
)
_OTHERWISE = Pattern(
    r"%|[×~≈]|\b(?:per|each|totals?|average|if|would|could|need\w*|must|combined|times|twice|double|half|about|around|roughly|nearly|almost|over|approximately)\b",
    ignore_case=True,
)
_APART = Pattern(
    r"\b(?:difference|gap|margin|lead|between (?:them|the two)|ahead of|behind|after|in front of|(?:\pL+er|more|less) than)\b",
    ignore_case=True,
)


class _Item(NamedTuple):
    name: str
    amount: Quantity


def listed_extremes(exchange: Exchange) -> Iterator[Check]:
    """Yield a check for each thing of the prompt's list that the response calls the extreme that was asked for."""
    prompt, response = exchange.prompt, exchange.response
    if len(prompt) > _MAX_PROMPT_CHARS or len(response) > _MAX_RESPONSE_CHARS:
        return
    asked, difference = prompt.matches(_ASKED, limit=3), prompt.search(_ASKS_DIFFERENCE)
    items = _items(prompt) if asked or difference else []
    if not items:
        return
    if difference or len(asked) > 1:
        yield from _apart(response, items)
    for match in asked:
        question = Text(prompt.slice(prompt.sentence_at(match.start)))
        listed = "\n" not in question.value and any(_named(question, items))
        if not listed and not _NARROWED.search(_around(prompt, items).encode()):
            yield from _extremes(response, items, match)


def _around(prompt: Text, items: list[_Item]) -> str:
    """Return what a prompt says beside its list."""
    line = prompt.value.rfind("\n", 0, items[0].amount.start) + 1
    return f"{prompt.value[:line]} {prompt.value[items[-1].amount.end :]}"


def _extremes(response: Text, items: list[_Item], asked: Match) -> Iterator[Check]:
    word, rank = asked["word"].lower(), (asked["rank"] or "").lower()
    wanted = _ranked(items, word, rank)
    if wanted is None:
        return
    for at, sentence in enumerate(response.sentences[:_MAX_SENTENCES]):
        said = Text(response.slice(sentence))
        words = said.matches(_SUPERLATIVE, limit=2)
        # A short answer leaves out what the question says.
        bare = not (at or words) and len(response) <= _MAX_BARE_CHARS and said.search(_BARE)
        alike = [one for one in words if one["word"].lower() == word and len(words) == 1]
        if any((one["rank"] or "").lower() != rank for one in alike) or not (alike or bare):
            continue
        named = [*_named(Text(bare["name"]) if bare else said, items)]
        narrowed = _NARROWED.search(said.utf8) or _APART.search(said.utf8)
        if narrowed or len({item for item, _ in named}) != 1:
            continue
        item = named[0][0]
        start = said.lower.find(item.name.lower())
        place = Region(start, start + len(item.name)) if start >= 0 else named[0][1]
        region = Region(sentence.start + place.start, sentence.start + place.end)
        fixed = f"{wanted.name} ({wanted.amount.text.strip()})"
        yield Check.of(region, item == wanted, fixed, named=True)


def _items(prompt: Text) -> list[_Item]:
    """Return the things of the prompt's list, each by its name and its amount; none where one has no name of its own."""
    amounts, _ = listed_amounts(prompt, bare=False)
    found = []
    for before, amount in zip([None, *amounts], amounts, strict=False):
        start = max(prompt.value.rfind("\n", 0, amount.start) + 1, before.end if before else 0)
        said = prompt.value[start : amount.start].rstrip().lstrip(" 0123456789.)-*•")
        name = Text(said).search(_LABEL)
        if name is None:
            return []
        found.append(_Item(name["name"].removeprefix("and ").strip(), amount))
    names = {item.name.lower() for item in found}
    return found if len(names) == len(found) and all(len(name) > 1 for name in names) else []


def _ranked(items: list[_Item], word: str, rank: str) -> _Item | None:
    """Return the thing of a rank, or None where the word may mean something else than the amounts, or two are level."""
    kind, most = items[0].amount.kind, word in _MOST or word == "most expensive"
    if (word in _OF_MONEY) != (kind == MONEY) and kind != NUMBER:
        return None
    if word in _OF_TIME and kind not in {CLOCK, DURATION}:
        return None
    if word in _OF_AGE and max(item.amount.value for item in items) > _MAX_AGE:
        return None  # years: the oldest has the least
    ordered = sorted(items, key=lambda item: item.amount.value, reverse=most)
    values = [item.amount.value for item in ordered]
    level = any(one == other for one, other in pairwise(values))
    at = _RANKS.get(rank) if rank else 0
    return None if level or at is None or at >= len(ordered) else ordered[at]


def _named(said: Text, items: list[_Item]) -> Iterator[tuple[_Item, Region]]:
    """Yield the things that a sentence names, or whose amount it states."""
    amounts = Line(said).of(items[0].amount.kind, NUMBER)
    for item in items:
        place = said.lower.find(item.name.lower())
        around = said.lower[max(place - 1, 0) : place] + said.lower[place + len(item.name) :][:1]
        if place >= 0 and not any(map(str.isalnum, around)):
            yield item, Region(place, place + len(item.name))
            continue
        for amount in amounts:
            if amount.value == item.amount.value:
                yield item, amount.place
                break


def _apart(response: Text, items: list[_Item]) -> Iterator[Check]:
    """Yield a check for what two things of the list are said to be apart, where it is no two's difference."""
    like = items[0].amount
    known = {item.amount.value for item in items}
    kinds = {CLOCK: {CLOCK, DURATION}}.get(like.kind, {like.kind})
    sentences = response.sentences[:_MAX_SENTENCES]
    for before, sentence in zip([*sentences[:1], *sentences], sentences, strict=False):
        said = Text(response.slice(sentence))
        if not said.search(_APART) or said.search(_OTHERWISE):
            continue
        new = [q for q in Line(said).quantities if q.value not in known]
        pair = {item for item, _ in _named(said, items)}
        if len(pair) < 2:
            pair |= {item for item, _ in _named(Text(response.slice(before)), items)}
        if len(pair) != 2 or len(new) != 1 or new[0].kind not in kinds:
            continue
        one, other = (item.amount.value for item in pair)
        stated, wanted = new[0].value, abs(one - other)
        any_two = {abs(a.amount.value - b.amount.value) for a, b in combinations(items, 2)}
        # "12:40" may be minutes and seconds.
        any_two |= {apart / 60 for apart in any_two} if like.kind == CLOCK else set()
        if stated == wanted or stated not in any_two:
            timed = like.kind in {CLOCK, DURATION}
            fixed = duration_of(wanted) if timed else shown(wanted, [new[0], like])
            yield Check.of(new[0].moved(sentence.start).place, stated == wanted, fixed)
