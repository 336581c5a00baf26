"""Finds quotations of a response that are in none of the texts it was given."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.facts.words import content_stems
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text
from fairwitness.evaluator.voice import quotations

_MIN_WORDS = 5
_LONG_WORDS = 8
_MAX_QUOTATIONS = 40
_LEAD_CHARS = 60


def quotation_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each quotation of some words that no given text has, word for word."""
    text = ground.response
    if not ground.strict or ground.given.rewords or not ground.both_in_english:
        return
    if text.value.lstrip()[:1] in {"{", "["}:
        return  # the strings of JSON are no quotations
    given: str | None = None
    for region in quotations(text)[:_MAX_QUOTATIONS]:
        said = text.slice(region)
        if len(said.split()) < _MIN_WORDS or text.in_code(region.start) or _is_title(said):
            continue
        if _EXAMPLE.search(text.value[max(0, region.start - _LEAD_CHARS) : region.start].encode()):
            continue
        if given is None:
            told = (*ground.given.passages, *ground.given.beside)
            given = "\n".join(_plain(part.text.slice(part.region)) for part in told)
        if all(piece in given for piece in _pieces(said)):
            continue
        near = ground.index.nearest(content_stems(text, region)[:60], 1)
        source = ground.index.units[near[0].unit].span if near else None
        yield Claim(
            "quotation",
            region,
            source,
            _severity(said),
            "Quotes words that the source does not have.",
        )


def _severity(said: str) -> Severity:
    # A short one may be a word used with reserve.
    return "high" if len(said.split()) >= _LONG_WORDS else "medium"


def _is_title(said: str) -> bool:
    """Tell whether most words are capitalised: the title of a work, which the source may name in other words."""
    words = [word.strip("\"'“”‘’.,") for word in said.split()]
    return sum(word[:1].isupper() for word in words) > len(words) / 2


def _pieces(said: str) -> list[str]:
    """Return the parts of a quotation between its omissions and insertions, as they are compared."""
    for mark in ("...", "…", "[", "]", "(", ")"):
        said = said.replace(mark, "\0")
    return [plain for part in said.split("\0") if len((plain := _plain(part)).split()) > 1]


def _plain(value: str) -> str:
    """Return the words of a text in lower case, one space apart."""
    text = Text(value)
    return " ".join(text.lower[start:end] for start, end in text.words)


# Words that somebody might say, not words of the source.
_EXAMPLE = Pattern(
    r"\b(?:(?:could|can|might|may|would|should|try) (?:say|ask|write|reply)|for (?:example|instance)|e\.g\.|such as|like|something|"
    r"(?:start|draft|template|wording|suggestion|sample|send|copy|paste)\b[^\n.!?]{0,30}:)\W*$",
    ignore_case=True,
)
