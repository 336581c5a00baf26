"""Checks short answers that the form of a given sentence decides: who is the tallest of a chain, and what is new of a change."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.given.statements import question_of
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_PROMPT_CHARS = 2000
_MAX_ANSWER_WORDS = 30
_MAX_CHAIN = 8
# What is more of each, and what is less of it.
_MORE = "taller older faster heavier bigger larger richer higher longer stronger warmer louder deeper wider".split()
_LESS = "shorter younger slower lighter smaller smaller poorer lower shorter weaker colder quieter shallower narrower".split()
_COMPARED = Pattern(
    rf"\b(?P<one>[A-Z]\pL+) (?:is|was|are|runs|ran|weighs|earns) (?:much |a bit |slightly |even )?(?P<how>{'|'.join(sorted({*_MORE, *_LESS}))}) than (?P<other>[A-Z]\pL+)"
)
_EXTREME = Pattern(
    rf"\b(?P<how>{'|'.join(sorted({word[:-1] + 'st' for word in (*_MORE, *_LESS)}))})\b",
    ignore_case=True,
)
_CHANGE = Pattern(
    r"\bfrom (?P<old>[$€£]?\d[\d.,]*\d|[$€£]?\d)(?: ?%| \pL+)? to (?P<new>[$€£]?\d[\d.,]*\d|[$€£]?\d)",
    ignore_case=True,
)
_NEW = Pattern(r"\b(?:new|now|current|currently|afterwards|today|final)\b", ignore_case=True)
_OLD = Pattern(
    r"\b(?:old|previous|previously|original|originally|before|former|formerly|initial|used to)\b",
    ignore_case=True,
)


def order_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for a short answer that names another than the sentences before the question decide."""
    prompt, text = ground.prompt, ground.response
    if len(prompt) > _MAX_PROMPT_CHARS or not 0 < len(text.words) <= _MAX_ANSWER_WORDS:
        return
    asked = question_of(prompt)
    if asked is not None:
        question = Text(prompt.slice(asked))
        yield from _in_chain(ground, question)
        yield from _of_change(ground, question)


def _in_chain(ground: Ground, question: Text) -> Iterator[Claim]:
    """Yield a claim where "A is taller than B, B is taller than C" is answered with the wrong end."""
    prompt, text = ground.prompt, ground.response
    found = prompt.matches(_COMPARED, limit=_MAX_CHAIN)
    extremes = question.matches(_EXTREME, limit=2)
    kinds = {_kind(match["how"].lower()) for match in found}
    if len(extremes) != 1 or len(kinds) != 1:
        return
    how = extremes[0]["how"].lower()[:-2] + "r"
    (kind,) = kinds
    if _kind(how) != kind:
        return
    pairs = [_greater(match) for match in found]
    names = {name for pair in pairs for name in pair}
    ends = names - {pair[1 if how in _MORE else 0] for pair in pairs}
    said = {text.value[a:b] for a, b in text.words if text.value[a:b] in names}
    if len(ends) == len(said) == 1 and said != ends:
        (right,), (wrong,) = ends, said
        at, place = text.value.index(wrong), prompt.value.index(right)
        message = f"Names “{wrong}” where “{right}” is the {extremes[0].text.lower()}."
        span = Span(place, place + len(right), "prompt")
        yield Claim("order", Region(at, at + len(wrong)), span, ground.against, message)


def _kind(how: str) -> int:
    """Return which comparison a word belongs to, whichever side of it."""
    return next((n for n, pair in enumerate(zip(_MORE, _LESS, strict=True)) if how in pair), -1)


def _greater(match: Match) -> tuple[str, str]:
    """Return the one that has more, then the one that has less."""
    one, other = match["one"], match["other"]
    return (one, other) if match["how"].lower() in _MORE else (other, one)


def _of_change(ground: Ground, question: Text) -> Iterator[Claim]:
    """Yield a claim where the old value of "from 4 to 6" is given as the new one, or the new as the old."""
    prompt, text = ground.prompt, ground.response
    found = prompt.matches(_CHANGE, limit=2)
    new, old = question.search(_NEW) is not None, question.search(_OLD) is not None
    if len(found) != 1 or new == old:
        return
    right, wrong = (found[0]["new"], found[0]["old"]) if new else (found[0]["old"], found[0]["new"])
    stated = [text.value[place.start : place.end] for place in text.sentences[:1]]
    if right == wrong or right in text.value or not stated or wrong not in stated[0]:
        return
    at = text.value.index(wrong)
    low, high = found[0].span("new" if new else "old")
    message = f"States “{wrong}” where the source has “{right}”."
    yield Claim(
        "order", Region(at, at + len(wrong)), Span(low, high, "prompt"), ground.against, message
    )
