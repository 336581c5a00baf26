"""Finds unquoted text pasted into a prompt to work on: where it begins, and where the demands go on."""

from __future__ import annotations

from collections.abc import Sequence

from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import WORKS
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import (
    END,
    LINE,
    STRING,
    WORD,
    Token,
)

_TEXT_KINDS = frozenset(
    """text passage paragraph sentence sentences article email essay story poem statement blog pitch
    code paper review conversation dialogue document content message post speech abstract excerpt
    tweet summary letter paragraphs transcript snippet riddle joke haiku limerick information data
    context lyrics description question problem prompt instruction instructions rule rules request note
    notice memo comment chat""".split()
)
# What one does to a pasted text.
_WORKED_ON = frozenset(
    """rewrite improve summarize summarise translate proofread edit paraphrase fix correct shorten simplify
    critique rephrase polish analyze analyse reword""".split()
)
_MAX_BARE_WORDS = 4  # words before the colon of "Translate to German:"
_LIST_NOUNS = frozenset("word words keyword keywords phrase phrases format options items".split())
_POINTERS = frozenset("following below this given these".split())
_RULE_NOUNS = frozenset("rule rules instruction instructions".split())
_RULE_VERBS = frozenset("follow obey keep observe respect apply with by under using to per".split())
# Texts that themselves ask their readers for something: the demands in them are theirs to the end.
_TEXTS_WITH_DEMANDS = frozenset(
    """email letter message post comment chat conversation dialogue transcript tweet note notice memo question
    problem prompt instruction instructions rule rules request code snippet""".split()
)
_OPENERS = frozenset("also and but please finally then additionally".split())
# How a demand on form begins, after a text, and what it speaks of.
_ORDERS = frozenset(
    """use include make ensure do don't highlight wrap end finish answer respond write limit keep avoid refrain add
    put start begin separate mark italicize capitalize mention format never""".split()
)
_MAX_ITEM_WORDS = 3
_MAX_TERSE_WORDS = 5  # words of "no commas please"
_SUBJECTS = frozenset("it there the your all no".split())
_OBLIGES = frozenset("should must shouldn't mustn't cannot needs".split())
_FORM = frozenset(
    """word words sentence sentences paragraph paragraphs section sections comma commas capital lowercase uppercase
    markdown quotation quotes json keyword keywords bullet bullets placeholder placeholders postscript stanzas
    asterisk asterisks phrase language letter title""".split()
)


def pasted_text(tokens: Sequence[Token], ranges: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the token range of the pasted text; an empty one at the end where there is none."""
    recent: list[str] = []
    for index, token in enumerate(tokens):
        if token.kind in {END, LINE}:
            recent.clear()
        if token.low == ":" and index + 1 < len(tokens):
            follows = tokens[index + 1]
            if follows.kind == LINE and index + 2 < len(tokens):
                follows = tokens[index + 2]
            if follows.kind != STRING and _announces_text(recent):
                spoken = bool(_TEXTS_WITH_DEMANDS & set(recent))
                return index + 1, len(tokens) if spoken else _resumes(tokens, ranges, index + 1)
        if token.low == ":":
            recent.clear()
        if token.kind == WORD:
            recent.append(token.low)
    return len(tokens), len(tokens)


def opens_with_error(tokens: Sequence[Token], first: int) -> bool:
    """Tell whether a line is what a program said: "TypeError: can only join ..." asks nothing of the writer."""
    low = tokens[first].low
    # "Exception: no commas in the title" goes on with an order.
    if tokens[first].kind != WORD or not low.endswith(("error", "exception")) or low == "exception":
        return False
    return first + 1 < len(tokens) and tokens[first + 1].low == ":"


def _announces_text(words: Sequence[str]) -> bool:
    """Tell whether "the following text" or the like comes before a colon, and not a list of words."""
    pointed = next((n for n in range(len(words) - 1, -1, -1) if words[n] in _POINTERS), None)
    worked_on = bool(_WORKED_ON & set(words[:3])) and not _LIST_NOUNS & set(words)
    if pointed is None:
        return worked_on and len(words) <= _MAX_BARE_WORDS
    if worked_on:
        return True
    named = set(words[max(pointed - 1, 0) :])
    if _RULE_NOUNS & named and _RULE_VERBS & set(words):
        return False  # "follow these rules:" leads up to demands
    return bool(_TEXT_KINDS & named) and not _LIST_NOUNS & named


def _resumes(tokens: Sequence[Token], ranges: Sequence[tuple[int, int]], first: int) -> int:
    """Return where the prompt goes on after the text: at the last sentences, as far as all are about form.

    What is as short as an item of a list, or as "Thank you", is passed over.
    """
    resumed = len(tokens)
    for start, end in reversed(ranges):
        words = [token.low for token in tokens[start:end] if token.kind == WORD]
        if start <= first + 1:
            break
        if _about_form(words):
            resumed = start
        elif len(words) > _MAX_ITEM_WORDS:
            break
    return resumed


def _about_form(words: list[str]) -> bool:
    """Tell whether a sentence orders how a text is to be written: "Use fewer than 20 words"."""
    start = next((n for n, word in enumerate(words) if word not in _OPENERS), len(words))
    lead, rest = words[start : start + 1], set(words[start:])
    if not lead or not _FORM & rest:
        return False
    if lead[0] in _ORDERS or (lead[0] == "no" and len(words) <= _MAX_TERSE_WORDS):
        return True
    named = lead[0] != "the" or bool(WORKS & set(words[start + 1 : start + 2]))
    return lead[0] in _SUBJECTS and named and bool(_OBLIGES & rest)
