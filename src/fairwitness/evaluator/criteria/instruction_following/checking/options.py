"""Checks that a response picks one of the options the prompt gives."""

from __future__ import annotations

from fairwitness.evaluator.criteria.instruction_following.checking import evidence, wording
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.text import Region, Text

_QUOTES = "\"'“”‘’"
_MAX_SPANS = 5
_LABEL_WORDS = 3
_MAX_SHORT_CHARS = 3  # a word this short is part of many others


def options(demand: Demand, exchange: Exchange) -> Outcome:
    """One of the options is in the response, and nothing else where it must be alone."""
    spans: list[Region] = []
    for term in demand.terms:
        spans += _places(term, exchange.response)[:1]
    # Room for a label or for what the option means: "Answer: B", "B) Paris".
    longest = max(len(term.split()) for term in demand.terms) + _LABEL_WORDS
    crowded = demand.alone and len(exchange.response.words) > longest
    said = ", ".join(dict.fromkeys(f"“{exchange.response.slice(span)}”" for span in spans))
    return Outcome(
        met=bool(spans) and not crowded,
        asked="one of "
        + ", ".join(f"“{term}”" for term in demand.terms)
        + (" and nothing else" if demand.alone else ""),
        found=f"{said} with other text" if crowded and said else said or "none of them",
        spans=tuple(spans[:_MAX_SPANS]) or evidence.opening(exchange.response),
    )


def _places(term: str, text: Text) -> list[Region]:
    """Find an option: a word may change its case, a phrase or a letter is given to be said as it is."""
    exact = " " in term or len(term) == 1
    if len(term) <= _MAX_SHORT_CHARS:
        found = wording.occurrences(text, term, whole=True)
        return [at for at in found if _is_said(text, at, term, exact=exact)]
    at = text.value.find(term) if exact else text.lower.find(term.lower())
    return [Region(at, at + len(term))] if at >= 0 else []


def _is_said(text: Text, at: Region, term: str, *, exact: bool) -> bool:
    """Tell an answer from a word of a sentence: "No, it is not" says no, "I have no idea" does not."""
    if exact:
        return text.slice(at) == term
    if term.lower() != "no":
        return True
    before = text.value[: at.start].rstrip(_QUOTES + "*_ ")
    after = text.value[at.end :].lstrip("*_")[:1]
    led = before[-1:] in {"", ".", ":", "\n", "!", "?", ","} or before.lower().endswith(
        (" is", " be")
    )
    return led or not (after == " " or after.isalnum())
