"""Checks the size of each part: words per sentence, sentences per paragraph, words per bullet and so on."""

from __future__ import annotations

from fairwitness.evaluator.criteria.instruction_following.checking import counting
from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import counted
from fairwitness.evaluator.text import Region, Text

_MAX_SPANS = 3
_MARKERS = "-*+•‣◦▪●○– \t0123456789.):("


def part_size(demand: Demand, exchange: Exchange) -> Outcome:
    """Every part of the named kind has the size asked for."""
    assert demand.bounds is not None
    part, unit = demand.terms
    text = exchange.response
    parts = _parts(text, part)
    wrong = [region for region in parts if not _has_size(text.slice(region), unit, demand.bounds)]
    parts_found = counted(len(parts), part)
    return Outcome(
        met=not wrong,
        asked=f"each {part} to have {demand.bounds.of(unit)}",
        found=f"{len(wrong)} of {parts_found} {'is' if len(wrong) == 1 else 'are'} too long or too short"
        if wrong
        else f"{parts_found}, all of that size",
        spans=tuple(wrong[:_MAX_SPANS]),
        unchecked="" if parts else f"The response has no {part}s",
    )


def _parts(text: Text, part: str) -> list[Region]:
    if part == "bullet":
        return counting.bullets(text)
    if part == "item":
        return counting.bullets(text) or counting.numbered(text)
    if part == "paragraph":
        return counting.prose(text, text.paragraphs)
    if part == "stanza":
        return [block for block in text.paragraphs if "\n" in text.slice(block)]
    if part == "line":
        return [line for line in counting.lines(text) if not _titles(text, line)]
    return [
        sentence
        for block in counting.prose(text, text.paragraphs)
        for sentence in _sentences(text, block)
    ]


def _titles(text: Text, line: Region) -> bool:
    """Tell whether a line is a heading or a lead-in, or a first line with nothing right under it."""
    said = text.slice(line).strip()
    alone = line.start == 0 and text.value[line.end : line.end + 2] == "\n\n"
    return said[0] == "#" or said[-1] == ":" or alone or (said[:2] == said[-2:] == "**")


def _sentences(text: Text, block: Region) -> list[Region]:
    inner = Text(text.slice(block))
    return [
        Region(block.start + sentence.start, block.start + sentence.end)
        for sentence in counting.sentences(inner)
    ]


def _has_size(said: str, unit: str, bounds: Bounds) -> bool:
    """Count one part; where a word can be counted as one or as two, either count will do."""
    body = said.lstrip(_MARKERS)
    if unit == "character":
        return bounds.hold(len(body.strip())) or bounds.hold(len(said.strip()))
    if unit == "line":
        return bounds.hold(sum(1 for line in said.split("\n") if line.strip()))
    text = Text(body)
    if unit == "sentence":
        return bounds.hold(len(counting.sentences(text)))
    return any(map(bounds.hold, counting.word_counts(text)))
