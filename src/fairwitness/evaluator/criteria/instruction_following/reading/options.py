"""Reads a closed choice: the answers the prompt allows, quoted or not."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading, Taken
from fairwitness.evaluator.criteria.instruction_following.reading.closed import CLOSED, closed
from fairwitness.evaluator.criteria.instruction_following.reading.terms import Terms, quoted
from fairwitness.evaluator.criteria.instruction_following.reading.tokens import LINE, STRING
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region

OPTIONS = Pattern(
    r"\b(?:WRITE|RESP|USE|SAY|choose|pick|select|be|APPEAR) (?:[^ |]+ ){0,6}?(?:Q\d+ )?(?:[^ |]+ ){0,5}?S (?:, )?or (?:[^ |]+ )?S "
    r"|\b(?:RESP|choose|pick|select|WRITE|SAY) (?:[^ |]+ ){0,5}?(?:Q\d+ |from )(?:following |option |choice |RESP |phrases |from )*(?:: )?(?:\( )?S (?:, |or )"
    r"|\b(?:RESP|choose|pick|select|WRITE|SAY) (?:[^ |]+ ){0,5}?Q\d+ (?:following |option |choice |RESP |phrases |from |possible |WRITE |as |Q\d+ |words |word |labels |categories )*(?P<plain>:) "
    r"|\bQ\d+ (?:following |(?:[^ |]+ )?option |(?:[^ |]+ )?choice |RESP |phrases ){1,3}(?:only )?(?:[:(] )+(?:[^ |]+ )?S "
)
PATTERNS = (OPTIONS, CLOSED)

_FAR = 60  # tokens; further back nothing governs a choice


def read(reading: Reading, taken: Taken) -> Iterator[Demand]:
    """Yield the choice the prompt gives, at most one."""
    for match in reading.find(OPTIONS):
        before, _ = reading.around(match)
        if "NEG" in before[:4] or "NEG" in match.text:
            continue
        index = reading.token_index(match.start)
        if match["plain"] and reading.around(match)[1][:1] not in (["S"], ["("]):
            index = reading.token_index(match.span("plain")[0]) + 1
            found = _plain_options(reading, index)
        else:
            while index < len(reading.tokens) and reading.tokens[index].kind != STRING:
                index += 1
            found = quoted(reading.text.value, reading.tokens, index)
        if not found.terms or reading.lows(index - 2, index) == ["such", "as"]:
            continue
        first, _ = reading.sentence_of(index)
        lows = set(reading.lows(max(first, index - _FAR), index))
        if "can" in lows and "only" not in lows:
            continue
        if match["plain"] and not (
            "one" in lows and lows & {"of", "options", "following", "choices"}
        ):
            continue
        meant = lows & {
            "say",
            "answer",
            "respond",
            "reply",
            "choose",
            "pick",
            "select",
            "options",
            "response",
            "one",
        }
        included = lows & {"include", "word", "words", "keywords"}
        if {"one", "of"} <= lows:
            included -= {"word", "words"}
        if len(found.terms) < 2 or not meant or included:
            continue
        span = Region(reading.tokens[index].start, reading.tokens[found.last - 1].end)
        taken.tokens.update(range(reading.token_index(match.start), found.last))
        first = reading.token_index(match.start)
        taken.quantities.update(
            n for n, quantity in enumerate(reading.quantities) if first <= quantity.first < index
        )
        alone = bool(match["plain"]) and "only" in lows
        yield Demand("options", span, terms=found.terms, alone=alone)
        return
    unquoted = closed(reading)
    if unquoted is not None:
        yield unquoted


def _plain_options(reading: Reading, index: int) -> Terms:
    """Read options that stand unquoted after a colon: by commas and "or" on a line, or line by line."""
    tokens, value = reading.tokens, reading.text.value
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
