"""Checks that the thing asked for stands alone, without a fence where none was wanted, and that results are rounded."""

from __future__ import annotations

from fairwitness.evaluator.criteria.instruction_following.checking import evidence
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import counted
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

# Words around code: a lead-in of a few, or almost none where nothing else was allowed.
_MAX_AROUND, _MAX_AROUND_STRICT = 8, 2
_MIN_PROSE_WORDS = 6
_MAX_ANSWER_WORDS = 15
_MAX_ITEM_WORDS = 12
_MAX_LINES = 400
_CODE_MARKS = ("#", "//", "--", "/*", "*", "%", ";", "<!--", "$", ">")
_CODE_SIGNS = frozenset("(){}[]=<>|$\\/_")
_REASONS = Pattern(
    r"\b(?:because|since|therefore|thus|hence|so|we (?:can|get|have|need|know)|first|then|next|finally|which (?:gives|means)|that (?:gives|means)|this (?:gives|means|is)|step \d)\b",
    ignore_case=True,
)
_ITEM = Pattern(r"^[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t]+\S")
_NUMBER = Pattern(r"(?:^|[^\d.,\pL])(?P<number>\d[\d,]*\.(?P<places>\d+))(?:[^\d.]|\.?$|\.\D)")


def only_it(demand: Demand, exchange: Exchange) -> Outcome:
    """No words stand around the code, the answer or the names asked for."""
    what, text = demand.terms[0], exchange.response
    found = _EXTRA[what](text, demand.alone)
    return Outcome(
        met=not found,
        asked=f"{_NAMES[what]} and nothing else" if demand.alone else f"only {_NAMES[what]}",
        found="text around it" if found else "no text around it",
        spans=tuple(evidence.cut(region) for region in found[:3]),
        suggestion="Leave out the text around it." if found else None,
    )


def _around_code(text: Text, strict: bool) -> list[Region]:
    """Return the lines around the code where they are more than a lead-in."""
    most = _MAX_AROUND_STRICT if strict else _MAX_AROUND
    lines = [line for line in text.lines if line.end > line.start]
    if text.code:
        outside = [line for line in lines if not text.in_code(line.start)]
        words = sum(not text.in_code(word.start) for word in text.words)
        # A line that begins with code in backticks goes on outside of it.
        places = outside or [line for line in lines if text.slice(line).lstrip()[:1] == "`"]
        return places if words > most else []
    lines = lines[:_MAX_LINES]
    prose = [line for line in lines if _is_prose(text.slice(line))]
    # Without a fence, only a line that must be code tells that the others are words around it.
    return (
        prose
        if any(_CODE_SIGNS & set(text.slice(line)) for line in lines if line not in prose)
        else []
    )


def _is_prose(line: str) -> bool:
    """Tell a sentence from a line of code without a fence: plain words, mostly letters, and a stop."""
    body = line.strip()
    if body.startswith(_CODE_MARKS) or body[-1:] not in {".", ":", "!"}:
        return False
    words = body.split()
    plain = sum(word.strip(".,:!'’()").isalpha() for word in words)
    return len(words) >= _MIN_PROSE_WORDS and plain * 5 >= len(words) * 4


def _around_answer(text: Text, strict: bool) -> list[Region]:
    """Return the sentences of an answer that shows how it was reached."""
    if len(text.words) <= _MAX_ANSWER_WORDS:
        return []
    sentences = text.sentences[:_MAX_LINES]
    return [one for one in sentences if _REASONS.search(text.slice(one).encode())]


def _around_items(text: Text, strict: bool) -> list[Region]:
    """Return the items of a list of names where most go on to describe what they name."""
    items = [line for line in text.lines[:_MAX_LINES] if _ITEM.search(text.slice(line).encode())]
    long = [item for item in items if len(text.slice(item).split()) > _MAX_ITEM_WORDS]
    return long if len(long) * 2 > len(items) else []


_EXTRA = {"code": _around_code, "answer": _around_answer, "items": _around_items}
_NAMES = {"code": "the code", "answer": "the answer", "items": "the names"}


def no_fence(demand: Demand, exchange: Exchange) -> Outcome:
    """No part of the response stands in a fenced block."""
    blocks = exchange.response.code_blocks
    return Outcome(
        met=not blocks,
        asked="no code fence",
        found="a code fence" if blocks else "no code fence",
        spans=(evidence.cut(blocks[0].region),) if blocks else (),
        suggestion="Remove the fence (```)." if blocks else None,
    )


def decimals(demand: Demand, exchange: Exchange) -> Outcome:
    """Not every result has more decimals than asked for: steps may, and so may numbers of the prompt."""
    assert demand.bounds is not None
    assert demand.bounds.at_most is not None
    text, most = exchange.response, demand.bounds.at_most
    given = exchange.prompt.value
    found = [
        match
        for match in text.matches(_NUMBER, limit=_MAX_LINES)
        if match["number"] not in given and not text.in_code(match.start)
    ]
    long = [match for match in found if len(match["places"]) > most]
    wrong = bool(long) and len(long) == len(found)
    return Outcome(
        met=not wrong,
        asked=f"results with {demand.bounds.of('decimal')}",
        found=f"{counted(len(long), 'number')} with more decimals"
        if wrong
        else "results with no more decimals",
        spans=tuple(Region(*match.span("number")) for match in long[:3]) if wrong else (),
    )
