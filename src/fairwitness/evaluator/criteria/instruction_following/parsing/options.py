"""Finds a closed choice: the answers the prompt allows, quoted or not."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.term_lists import (
    Terms,
    quoted_terms,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import LINE, STRING
from fairwitness.evaluator.criteria.instruction_following.parsing.unquoted_options import (
    UNQUOTED_OPTIONS,
    unquoted_options,
)
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region

OPTIONS = Pattern(
    r"\b(?:WRITE|RESP|USE|SAY|choose|pick|select|be|APPEAR) (?:[^ |]+ ){0,6}?(?:Q\d+ )?(?:[^ |]+ ){0,5}?S (?:, )?or (?:[^ |]+ )?S "
    r"|\b(?:RESP|choose|pick|select|WRITE|SAY) (?:[^ |]+ ){0,5}?(?:Q\d+ |from )(?:following |option |choice |RESP |phrases |from )*(?:: )?(?:\( )?S (?:, |or )"
    r"|\b(?:RESP|choose|pick|select|WRITE|SAY) (?:[^ |]+ ){0,5}?Q\d+ (?:following |option |choice |RESP |phrases |from |possible |WRITE |as |Q\d+ |words |word |labels |categories )*(?P<plain>:) "
    r"|\bQ\d+ (?:following |(?:[^ |]+ )?option |(?:[^ |]+ )?choice |RESP |phrases ){1,3}(?:only )?(?:[:(] )+(?:[^ |]+ )?S "
)
PATTERNS = (OPTIONS, UNQUOTED_OPTIONS)

_MAX_TOKENS_BEFORE = 60  # further back nothing governs a choice

_ASKS_TO_CHOOSE = frozenset(
    "say answer respond reply choose pick select options response one".split()
)


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the choice the prompt gives, at most one."""
    for match in prompt.find(OPTIONS):
        before, _ = prompt.around(match)
        if "NEG" in before[:4] or "NEG" in match.text:
            continue
        index = prompt.token_index(match.start)
        if match["plain"] and prompt.around(match)[1][:1] not in (["S"], ["("]):
            index = prompt.token_index(match.span("plain")[0]) + 1
            found = _plain_options(prompt, index)
        else:
            while index < len(prompt.tokens) and prompt.tokens[index].kind != STRING:
                index += 1
            found = quoted_terms(prompt.text.value, prompt.tokens, index)
        if not found.terms or prompt.lows(index - 2, index) == ["such", "as"]:
            continue
        first, _ = prompt.sentence_of(index)
        lows = set(prompt.lows(max(first, index - _MAX_TOKENS_BEFORE), index))
        if "can" in lows and "only" not in lows:
            continue
        if match["plain"] and not (
            "one" in lows and lows & {"of", "options", "following", "choices"}
        ):
            continue
        meant = lows & _ASKS_TO_CHOOSE
        included = lows & {"include", "word", "words", "keywords"}
        if {"one", "of"} <= lows:
            included -= {"word", "words"}
        if len(found.terms) < 2 or not meant or included:
            continue
        span = Region(prompt.tokens[index].start, prompt.tokens[found.last - 1].end)
        consumed.tokens.update(range(prompt.token_index(match.start), found.last))
        first = prompt.token_index(match.start)
        consumed.quantities.update(
            n for n, quantity in enumerate(prompt.quantities) if first <= quantity.first < index
        )
        alone = bool(match["plain"]) and "only" in lows
        yield Demand("options", span, terms=found.terms, alone=alone)
        return
    unquoted = unquoted_options(prompt)
    if unquoted is not None:
        yield unquoted


def _plain_options(prompt: Prompt, index: int) -> Terms:
    """Find unquoted options after a colon: by commas and "or" on a line, or line by line."""
    tokens, value = prompt.tokens, prompt.text.value
    while index < len(tokens) and tokens[index].kind == LINE:
        index += 1
    last = index
    while last < len(tokens) and not (tokens[last].kind == LINE and tokens[last].low == "blank"):
        last += 1
    if index >= last:
        return Terms((), 0)
    block = value[tokens[index].start : tokens[last - 1].end]
    if "\n" in block:
        pieces = block.split("\n")
    elif ", " in block or " or " in block or " / " in block:
        pieces = block.replace(" or ", ", ").replace(" / ", ", ").split(", ")
    else:
        pieces = [f"{piece}." for piece in block.rstrip(".").split(". ")]
    terms = tuple(piece.strip(" -*•,\t") for piece in pieces if piece.strip(" -*•,\t"))
    if terms and not any(term.endswith(".") for term in terms[:-1]):
        terms = (*terms[:-1], terms[-1].rstrip("."))  # the sentence's own stop
    short = all(len(term.split()) <= 5 for term in terms)
    return Terms(terms, last) if 2 <= len(terms) <= 8 and short else Terms((), 0)
