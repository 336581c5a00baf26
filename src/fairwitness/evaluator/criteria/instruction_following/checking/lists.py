"""Checks lists: how many items they have, and whether these are in alphabetical order.

Only what is clearly one list is judged: one run of items, a lead-in before it and a remark after it at most.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from fairwitness.evaluator.criteria.instruction_following.checking import counting
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text

_ITEM = Pattern(
    r"^(?P<margin>[ \t]*)(?:(?P<mark>[-*+•‣◦▪●○–])|\(?(?P<number>\d{1,3})[.):])[ \t]+(?P<said>\S[^\n]*)",
    multiline=True,
)
_TITLED = Pattern(r"^[ \t]*(?:#{1,6}[ \t]|\*\*[^*\n]+\*\*:?[ \t]*$)", multiline=True)
_TABLE = Pattern(r"^[ \t]*\|", multiline=True)
_MAX_SPANS = 5
_MAX_ITEM_WORDS = 5  # in a list by lines or commas
# Words of sentences: what holds one is no name of a thing.
_SENTENCE_WORDS = frozenset(
    """i you he she it they we my your is are was were has have had like likes love can could will would that
    which because but so there this these if when do does not then also may might should must""".split()
)
_ARTICLES = ("the ", "a ", "an ")
_MARKUP = "*_`\"'“”‘’«»()[]#"


class Item(NamedTuple):
    """One list item: where it is, and its words."""

    region: Region
    said: str


def item_count(demand: Demand, exchange: Exchange) -> Outcome:
    """As many things are listed as were asked for."""
    assert demand.bounds is not None
    text = exchange.response
    items = listed(text)
    # Where the items can be counted in another way too, the count that fits is taken.
    counts = (
        len(items),
        len(counting.numbered(text)),
        len(counting.bullets(text)),
        len(text.matches(_TITLED)),
        0 if text.search(_ITEM) else text.value.count(",") + 1,
    )
    count = next(filter(demand.bounds.hold, counts), len(items))
    return Outcome(
        met=demand.bounds.hold(count),
        asked=f"{demand.bounds} {demand.terms[0]}",
        found=f"{count} listed",
        spans=tuple(item.region for item in items[:_MAX_SPANS]),
        unchecked=_not_a_list(items),
    )


def alphabetical(demand: Demand, exchange: Exchange) -> Outcome:
    """The list is in alphabetical order, or in reverse order where that was asked for."""
    items = listed(exchange.response)
    wrong = _first_wrong(items, reverse=demand.negated)
    order = "reverse alphabetical order" if demand.negated else "alphabetical order"
    return Outcome(
        met=wrong is None,
        asked=order,
        found="in order"
        if wrong is None
        else f"“{wrong[1].said[:40]}” after “{wrong[0].said[:40]}”",
        spans=() if wrong is None else (wrong[0].region, wrong[1].region),
        suggestion=None if wrong is None else f"Put the list in {order}.",
        unchecked=_not_a_list(items),
    )


def _not_a_list(items: list[Item]) -> str:
    return "" if len(items) > 1 else "The response is not one clear list"


def _first_wrong(items: list[Item], *, reverse: bool) -> tuple[Item, Item] | None:
    """Find the first two neighbours out of order; none where leaving articles out sets it right.

    Each language has its own place for letters such as "é" and "ø": lists with them are not judged.
    """
    if not all(_letters(item.said).isascii() for item in items):
        return None
    found = None
    for fold in (_letters, lambda said: _letters(_without_article(said))):
        keys = [fold(item.said.casefold()) for item in items]
        wrong = (
            at
            for at, (one, two) in enumerate(pairwise(keys))
            if one != two and (one < two) is reverse
        )
        at = next(wrong, None)
        if at is None:
            return None
        found = found or (items[at], items[at + 1])
    return found


def _letters(said: str) -> str:
    return "".join(char for char in said if char.isalnum() or char == " ")


def _without_article(said: str) -> str:
    return next((said[len(word) :] for word in _ARTICLES if said.startswith(word)), said)


def listed(text: Text) -> list[Item]:
    """Return the items of the one list that a response is, empty where it is not clearly one."""
    if text.code_blocks or text.search(_TITLED) is not None or text.search(_TABLE) is not None:
        return []
    matches = text.matches(_ITEM)
    if not matches:
        return _by_lines(text) or _by_commas(text)
    margin = min(len(match["margin"].expandtabs(4)) for match in matches)
    items = [match for match in matches if len(match["margin"].expandtabs(4)) == margin]
    lead, rest = text.value[: items[0].start].strip(), text.value[items[-1].end :]
    remark = rest.strip() if "\n\n" in rest else ""
    if "\n" in lead or "\n\n" in remark or not _one_run(text, items):
        return []
    return [Item(Region(match.start, match.end), _said(match["said"])) for match in items]


def _one_run(text: Text, items: list[Match]) -> bool:
    """Tell whether items count on by ones, or all have one mark and no prose between them."""
    numbers = [match["number"] for match in items]
    if all(numbers):
        return [int(number) for number in numbers] == list(range(1, len(numbers) + 1))
    if any(numbers) or len({match["mark"] for match in items}) > 1:
        return False
    gaps = (text.value[one.end : two.start] for one, two in pairwise(items))
    return all(_is_under(gap) for gap in gaps)


def _is_under(gap: str) -> bool:
    """Tell whether the text between two items belongs to the first: indented, or empty."""
    return all(not line.strip() or line[0].isspace() for line in gap.split("\n"))


def _said(words: str) -> str:
    """Return what an item names: the part before a colon or dash, without its markup."""
    for mark in (":", " – ", " — ", " - ", " ("):
        words = words.partition(mark)[0]
    return words.strip().strip(_MARKUP).strip()


def _by_lines(text: Text) -> list[Item]:
    """Read short lines that end in no stop, one thing a line."""
    lines = counting.lines(text)
    short = all(
        len(text.slice(line).split()) <= _MAX_ITEM_WORDS
        and text.value[line.end - 1] not in ".!?:,;"
        for line in lines
    )
    if len(lines) < 2 or not short:
        return []
    return [Item(line, _said(text.slice(line))) for line in lines]


def _by_commas(text: Text) -> list[Item]:
    """Read a response of one line as short things parted by commas: "apple, pear and plum"."""
    value = text.value.strip()
    lead, colon, tail = value.partition(":")
    body = tail if colon and "," not in lead else value
    if "\n" in body.strip() or body.count(",") < 1 or ";" in body:
        return []
    items: list[Item] = []
    start = text.value.index(body)
    pieces = body.split(",")
    for part in [*pieces[:-1], *_around_and(pieces[-1])]:
        said = part.strip().strip(_MARKUP + ".").strip()
        words = said.lower().split()
        if (
            not 0 < len(words) <= _MAX_ITEM_WORDS
            or _SENTENCE_WORDS & set(words)
            or "." in part.rstrip(".! ")
        ):
            return []
        at = text.value.index(part.strip(), start)
        start = at + len(part.strip())
        items.append(Item(Region(at, start), said))
    return items


def _around_and(piece: str) -> list[str]:
    """Part the last piece at its "and": "pear and plum" are two, "and plum" is one."""
    for word in ("and ", "or ", "& "):
        if piece.lstrip().startswith(word):
            return [piece.lstrip()[len(word) :]]
    for word in (" and ", " or ", " & "):
        if word in piece:
            return piece.split(word, 1)
    return [piece]
