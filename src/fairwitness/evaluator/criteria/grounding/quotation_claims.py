"""Finds quotations of a response that are in none of the texts it was given."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.facts.words import content_stems
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.voice import quotations

_MIN_WORDS = 5
_LONG_WORDS = 8
_MAX_QUOTATIONS = 40
_LEAD_CHARS = 60
_BLOCK_LEAD_CHARS = 160


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
        if said.lstrip().startswith(">") and not _is_quoted_block(text, region):
            continue  # a draft set apart
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


def _is_quoted_block(text: Text, region: Region) -> bool:
    """Tell whether a line set apart by ">" is in quotation marks, or the words around its block say whose it is."""
    if text.slice(region).lstrip("> \t*_")[:1] in _OPENING_MARKS:
        return True
    lines = text.lines
    here = bisect_right(lines, region.start, key=lambda line: line.start) - 1
    first, last = here, here
    while first and _is_set_apart(text, lines[first - 1]):
        first -= 1
    while last + 1 < len(lines) and _is_set_apart(text, lines[last + 1]):
        last += 1
    lead = text.value[: lines[first].start].rstrip().rpartition("\n")[2][-_BLOCK_LEAD_CHARS:]
    block = text.value[lines[first].start : lines[last].end]
    after = text.value[lines[last].end :].lstrip()[:_LEAD_CHARS]
    signed = _SIGNED.search(after.encode()) or _SIGNED_WITHIN.search(block.encode())
    return signed or _ATTRIBUTES.search(lead.encode())


def _is_set_apart(text: Text, line: Region) -> bool:
    return text.slice(line).lstrip().startswith(">")


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


_OPENING_MARKS = frozenset("\"“«„‘'")
# What leads into words of the source: who says them, or where they stand. "Easier to read:" and "a paragraph for the
# newsletter:" lead into a draft.
_ATTRIBUTES = Pattern(
    r"\b(?:says|said|saying|states|stated|stating|reads|writes|wrote|(?:is|as|was) written|tells|told|explains|explained|notes|noted|mentions|mentioned"
    r"|(?:they|\pL{2,}s) (?:say|state|read|write|tell|explain|note|mention)|specif\w+|puts? it|according to"
    r"|(?:the|this|that|these|those|its|his|her|their)(?: \pL+)? (?:clauses?|sections?|articles?|paragraphs?|passages?)"
    r"|(?:clause|section|article|paragraph) \d|excerpts?|extracts?|quot(?:e[sd]?|ing|ations?)|cit(?:e[sd]?|ing|ations?)"
    r"|verbatim|word for word|wording is|exact (?:words|text)|own words"
    r"|(?:source|document|original|policy|contract|report|manual|leaflet)(?: text| wording)?:"
    r"|(?:from|in) (?:the|your|its|his|her|their|this) [\pL -]{2,40}:)|^\W*(?:the )?(?:text|notice|clause|passage):",
    ignore_case=True,
)
# "— Annual report, page 3" under a quotation.
_SIGNED = Pattern(r"^[—–(][ ]?(?:\p{Lu}|the |from |page |p\.)")
_SIGNED_WITHIN = Pattern(r"\n[ \t]*>[> \t]*[—–] ?\p{Lu}[^\n]*$")
# Words that somebody might say, not words of the source.
_EXAMPLE = Pattern(
    r"\b(?:(?:could|can|might|may|would|should|try) (?:say|ask|write|reply)|for (?:example|instance)|e\.g\.|such as|like|something|"
    r"(?:start|draft|template|wording|suggestion|sample|send|copy|paste)\b[^\n.!?]{0,30}:)\W*$",
    ignore_case=True,
)
