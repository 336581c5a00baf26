"""Tells what a count is said of: the whole response, one part of it, or each of several."""

from __future__ import annotations

from bisect import bisect_left

from fairwitness.evaluator.criteria.instruction_following.demand import Kind
from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import (
    COMMANDS,
    SYMBOLS,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.quantities import Quantity

_BOUNDARIES = frozenset({",", ";", "and", "but", ":", "(", ")"})
# Parts of a text: a count said of one of them is not a count of the whole response.
_PARTS = frozenset(
    """title introduction intro conclusion heading header headline subject paragraph sentence bullet
    section verse chorus line stanza item point slide subtitle caption summary ORD step scene act
    hook body abstract chapter letters word keyword name sender recipient character""".split()
)
# Nouns that are often part of the subject: they must be next to the count.
_WEAK = frozenset(
    "section line item point step scene act body letters word keyword name character ORD".split()
)
_JOINED = frozenset("USE with long short WRITE all only limit NEG ORD".split())
# What is too small to hold the thing counted is no part it could be counted in.
_HAVING = frozenset("with needs need have has having include includes including plus under".split())
_MENTIONING = frozenset("mention mentioning refer referring touch devote".split())
# Orders that shape the text or close it, and so ask for no second one after it.
_SHAPING = frozenset(
    """end finish close conclude stop start begin wrap keep make use put format be don't never sign stick limit check
    verify double-check leave avoid ensure bold capitalize capitalise highlight italicize underline separate add include insert append""".split()
)
# Clauses that tell of deeds one after another: "how to heat milk and then add cocoa".
_TELLING = frozenset("how who when if where".split())
_MAX_TOKENS_TO_ORDER, _MAX_TOKENS_TO_NEXT = 40, 2
_SMALLER: dict[Kind, tuple[str, ...]] = {
    "bullet_count": ("bullet", "sentence", "word", "line"),
    "sentence_count": ("sentence", "word", "keyword"),
    "paragraph_count": ("sentence", "word", "keyword", "line", "bullet", "point", "summary"),
}


def is_of_part(before: list[str], kind: Kind) -> bool:
    """Tell whether a count is said of one part: "the title should be", "each paragraph has"."""
    if _said_of_each(before):
        return True
    for distance, symbol in enumerate(before[:8]):
        if symbol == "," and before[distance - 1 : distance] in (["with"], ["USE"]):
            continue
        if symbol in _BOUNDARIES:
            return symbol == ":" and distance == 0 and before[1:2] == ["title"]
        if symbol in _PARTS and symbol not in _SMALLER.get(kind, ()):
            # "Rewrite the following sentence in 50 words" names the text to work on.
            given = "following" in before[distance + 1 : distance + 3]
            said_of_it = set(before[:distance]) <= (
                _JOINED if symbol in _WEAK else {*_JOINED, "in", "of"}
            )
            return said_of_it and not given
    return False


def _said_of_each(before: list[str]) -> bool:
    """Tell whether "each" governs the count: no boundary is in between."""
    cut = next((n for n, symbol in enumerate(before[:8]) if symbol in _BOUNDARIES), 8)
    set_in = cut and before[cut - 1 : cut] in (["with"], ["USE"])
    return "each" in before[: 8 if set_in else cut]


def is_whole_response(prompt: Prompt, quantity: Quantity) -> bool:
    """Tell "write a paragraph of 5 sentences" and "rewrite my sentence in 9 words" from a part."""
    first, last = prompt.sentence_of(quantity.first)
    lows = prompt.lows(first, min(last, first + 12))
    if _made_into(prompt.lows(quantity.first - 8, quantity.first)):
        return True
    verbs = (
        n
        for n, low in enumerate(lows[:4])
        if SYMBOLS.get(low) == "WRITE" or low in {"shorten", "sum"}
    )
    at = next(verbs, None)
    if at is None:
        return False
    named = [low for low in lows[at + 1 : at + 5] if low not in {"me", "short", "single", "brief"}]
    return named[:1] in (["a"], ["one"], ["my"], ["this"]) and named[1:2] in (
        ["paragraph"],
        ["sentence"],
    )


def is_of_headline(prompt: Prompt, quantity: Quantity) -> bool:
    """Tell whether a count is said of a headline that the text is to have, not of one that is all there is."""
    before = prompt.lows(quantity.first - 8, quantity.first)
    if not {"headline", "title", "heading"} & set(before):
        return False
    at = max(n for n, low in enumerate(before) if low in {"headline", "title", "heading"})
    return not _HAVING.isdisjoint(before[max(at - 3, 0) : at])


def is_of_mention(prompt: Prompt, quantity: Quantity) -> bool:
    """Tell whether a count is said of a remark within the text: "mention my dog in one sentence"."""
    return not _MENTIONING.isdisjoint(prompt.lows(quantity.first - 7, quantity.first))


def is_of_first_part(prompt: Prompt, quantity: Quantity) -> bool:
    """Tell whether another text is ordered after the one counted: "sum it up in a sentence, then list the names"."""
    _, end = prompt.sentence_of(quantity.last - 1)
    rest = prompt.lows(quantity.last, min(end, quantity.last + _MAX_TOKENS_TO_ORDER))
    telling = next((at for at, low in enumerate(rest) if low in _TELLING), len(rest))
    for at in range(len(rest)):
        ahead = rest[at : at + 6]
        if _orders_more(ahead) and (at < telling or not {"me", "us"}.isdisjoint(ahead)):
            return True
    # In the next sentence only its opening goes on with the order: "Then tell me ...".
    at = bisect_left(prompt.directives, (end, 0))
    follows = prompt.directives[at : at + 1]
    return any(
        first - end <= _MAX_TOKENS_TO_NEXT
        and _orders_more(prompt.lows(first, first + 6), opens=True)
        for first, _ in follows
    )


def _orders_more(words: list[str], *, opens: bool = False) -> bool:
    """Tell whether words open with "then", "after that" or the like and an order for something more.

    "Next" means so only where it opens a sentence.
    """
    rest = words[1:] if words[:1] == ["and"] else words
    if rest[:1] in (["then"], ["afterwards"], ["finally"], ["lastly"]) or (
        opens and rest[:1] == ["next"]
    ):
        rest = rest[1:]
    elif rest[:2] in (["after", "that"], ["after", "this"]):
        rest = rest[2:]
    else:
        return False
    order = next((low for low in rest[:3] if low not in {",", "please", "also", "just"}), "")
    return order in COMMANDS and order not in _SHAPING


def _made_into(before: list[str]) -> bool:
    """Tell whether a count closes "into a paragraph of": the paragraph is then all there is."""
    for at, low in enumerate(before):
        if low in {"paragraph", "sentence"} and before[at - 1] in {"a", "one", "single", "short"}:
            return bool({"into", "as"} & set(before[max(at - 4, 0) : at]))
    return False


def is_per_part(after: list[str]) -> bool:
    """Tell whether the count is per something: "3 sentences each", "two lines per verse"."""
    if "each" not in after[:5] or (_BOUNDARIES - {")"}) & set(after[: after.index("each")]):
        return False
    if any(symbol[0] == "Q" and symbol[1:].isdigit() for symbol in after[: after.index("each")]):
        return False  # another count is nearer
    following = after[after.index("each") + 1 : after.index("each") + 3]
    if after[0] == "each":
        return "SEP" not in following
    return not {"SEP", "section", "paragraph"} & set(following)
