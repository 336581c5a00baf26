"""Checks words, phrases and letters: whether they are used, and how often."""

from __future__ import annotations

from itertools import islice

from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import counted
from fairwitness.evaluator.text import Region, Text

_MAX_SPANS = 5


def occurrences(text: Text, term: str, *, whole: bool) -> list[Region]:
    """Return where a term is, whatever its case; `whole` leaves out parts of longer words."""
    needle = term.lower()
    if len(needle) != len(term):
        needle = term
    low, found, start = text.lower, [], 0
    while needle and (at := low.find(needle, start)) >= 0:
        end = at + len(needle)
        if not whole or (not _joined(low, at - 1, at) and not _joined(low, end - 1, end)):
            found.append(Region(at, end))
        start = end
    return found


def _joined(low: str, left: int, right: int) -> bool:
    """Tell whether two neighbouring characters belong to one word."""
    if left < 0 or right >= len(low):
        return False
    return (low[left].isalnum() or low[left] == "_") and (low[right].isalnum() or low[right] == "_")


def _named(terms: tuple[str, ...]) -> str:
    return ", ".join(f"“{term}”" for term in terms)


def required_words(demand: Demand, exchange: Exchange) -> Outcome:
    """Every named word or phrase is there."""
    found = {term: occurrences(exchange.response, term, whole=False) for term in demand.terms}
    missing = tuple(term for term, places in found.items() if not places)
    spans = tuple(places[0] for places in found.values() if places)[:_MAX_SPANS]
    return Outcome(
        met=not missing,
        asked=f"the response to include {_named(demand.terms)}",
        found=f"{_named(missing)} missing" if missing else "included",
        spans=spans,
        suggestion=f"Add {_named(missing)}." if missing else None,
    )


def forbidden_words(demand: Demand, exchange: Exchange) -> Outcome:
    """None of the named words or phrases is there."""
    found = [
        place for term in demand.terms for place in occurrences(exchange.response, term, whole=True)
    ]
    return Outcome(
        met=not found,
        asked=f"the response not to use {_named(demand.terms)}",
        found=f"used {counted(len(found), 'time')}" if found else "not used",
        spans=tuple(sorted(found)[:_MAX_SPANS]),
        suggestion=f"Remove {_named(demand.terms)}." if found else None,
    )


def keyword_count(demand: Demand, exchange: Exchange) -> Outcome:
    """Each named word or phrase is there as often as asked."""
    assert demand.bounds is not None
    counts = {term: occurrences(exchange.response, term, whole=False) for term in demand.terms}
    said = ", ".join(f"“{term}” {counted(len(places), 'time')}" for term, places in counts.items())
    spans = tuple(place for places in counts.values() for place in places)[:_MAX_SPANS]
    return Outcome(
        met=all(demand.bounds.hold(len(places)) for places in counts.values()),
        asked=f"{_named(demand.terms)} {demand.bounds.of('time')}",
        found=said,
        spans=spans,
    )


def letter_count(demand: Demand, exchange: Exchange) -> Outcome:
    """Each named letter is there as often as asked, whatever its case; of several the sum will do too."""
    assert demand.bounds is not None
    letters = tuple(dict.fromkeys(letter.lower() for letter in demand.terms))
    counts = [exchange.response.lower.count(letter) for letter in letters]
    met = all(map(demand.bounds.hold, counts)) or demand.bounds.hold(sum(counts))
    noun = "letter" if len(letters) == 1 else "letters"
    return Outcome(
        met=met,
        asked=f"the {noun} {_named(letters)} {demand.bounds.of('time')}",
        found=counted(sum(counts), "time"),
        spans=() if met else _first_places(exchange.response, letters),
    )


def _first_places(text: Text, letters: tuple[str, ...]) -> tuple[Region, ...]:
    """Return where the first of some letters are, as evidence."""
    places = (at for at, char in enumerate(text.lower) if char in letters)
    return tuple(Region(at, at + 1) for at in islice(places, _MAX_SPANS))
