"""Finds the length that a question asks for before or behind what it asks: "In one sentence: what is inflation?"."""

from __future__ import annotations

from collections.abc import Sequence

from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import QUESTION_WORDS
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import NUMBER, Token

_LENGTHS = frozenset("word words sentence sentences paragraph paragraphs".split())


def closing_length(tokens: Sequence[Token], first: int, last: int) -> int:
    """Skip to the "in two sentences" that a question ends with: that much of it is a demand."""
    if tokens[last - 1].low[:1] != "?" or tokens[first].low not in QUESTION_WORDS:
        return first
    for index in range(max(last - 9, first), last):
        rest = [token.low for token in tokens[index + 1 : last]]
        if (
            tokens[index].low in {"in", "using"}
            and _LENGTHS & set(rest)
            and any(token.kind == NUMBER for token in tokens[index:last])
        ):
            return index
    return first


def opens_with_length(sentence: Sequence[Token]) -> bool:
    """Tell whether a question begins with a length; "one" and the like are numbers here."""
    opening = [token.low for token in sentence[:4]]
    if len(opening) < 4 or sentence[1].kind != NUMBER:
        return False
    return opening[0] == "in" and opening[2] in _LENGTHS and opening[3] in {":", ","}
