"""Finds letters of the alphabet that a prompt names one by one: "the letter e", "the letters a, e or 'i'"."""

from __future__ import annotations

from collections.abc import Sequence

from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import STRING, WORD, Token

JOINTS = frozenset({",", "or", "and", "nor", "/", "&"})
# Letters that are words too: in a list they count only where nothing follows that such a word belongs to.
_ALSO_WORDS = frozenset({"a", "i"})
_MAY_FOLLOW = JOINTS | frozenset("in at anywhere throughout when while should must may".split())
_MAX_LETTERS = 26


def is_letter(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a token is one letter alone, quoted or not."""
    if index >= len(tokens):
        return False
    token = tokens[index]
    # A "u" is read as "you", so that its length in the prompt tells.
    written = token.end - token.start if token.kind == WORD else len(token.low)
    return token.kind in {WORD, STRING} and written == 1


def named_letters(tokens: Sequence[Token], index: int) -> list[int]:
    """Return which tokens are the letters named from a token on; none where there is no letter."""
    if index < len(tokens) and tokens[index].low == ":":
        index += 1
    if not is_letter(tokens, index):
        return []
    found = [index]
    while len(found) < _MAX_LETTERS:
        at = found[-1] + 1
        while at < len(tokens) and at - found[-1] <= 2 and tokens[at].low in JOINTS:
            at += 1
        if at == found[-1] + 1 or not is_letter(tokens, at) or _is_article(tokens, at):
            break
        found.append(at)
    return found


def _is_article(tokens: Sequence[Token], at: int) -> bool:
    """Tell the "a" of "the letter e and a comma" from a letter."""
    if tokens[at].kind == STRING or tokens[at].low not in _ALSO_WORDS:
        return False
    following = tokens[at + 1 : at + 2]
    return bool(following) and following[0].kind == WORD and following[0].low not in _MAY_FOLLOW
