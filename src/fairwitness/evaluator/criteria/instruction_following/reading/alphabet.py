"""Reads letters of the alphabet that a prompt names one by one: "the letter e", "the letters a, e or 'i'"."""

from __future__ import annotations

from collections.abc import Sequence

from fairwitness.evaluator.criteria.instruction_following.reading.tokens import STRING, WORD, Token

JOINTS = frozenset({",", "or", "and", "nor", "/", "&"})
# Letters that are words too: in a list they count only where nothing follows that such a word belongs to.
_WORDS_TOO = frozenset({"a", "i"})
_MAY_FOLLOW = JOINTS | frozenset("in at anywhere throughout when while should must may".split())
_MOST = 26


def is_letter(listed: Sequence[Token], index: int) -> bool:
    """Tell whether a token is one letter alone, quoted or not."""
    if index >= len(listed):
        return False
    token = listed[index]
    # A "u" is read as "you", so that its length in the prompt tells.
    written = token.end - token.start if token.kind == WORD else len(token.low)
    return token.kind in {WORD, STRING} and written == 1


def named_letters(listed: Sequence[Token], index: int) -> list[int]:
    """Return which tokens are the letters named from a token on; none where no letter stands there."""
    if index < len(listed) and listed[index].low == ":":
        index += 1
    if not is_letter(listed, index):
        return []
    found = [index]
    while len(found) < _MOST:
        at = found[-1] + 1
        while at < len(listed) and at - found[-1] <= 2 and listed[at].low in JOINTS:
            at += 1
        if at == found[-1] + 1 or not is_letter(listed, at) or _is_article(listed, at):
            break
        found.append(at)
    return found


def _is_article(listed: Sequence[Token], at: int) -> bool:
    """Tell the "a" of "the letter e and a comma" from a letter."""
    if listed[at].kind == STRING or listed[at].low not in _WORDS_TOO:
        return False
    following = listed[at + 1 : at + 2]
    return bool(following) and following[0].kind == WORD and following[0].low not in _MAY_FOLLOW
