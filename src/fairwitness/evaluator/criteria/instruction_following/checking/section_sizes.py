"""Checks the size of one named section: from its heading to the next heading."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.checking import counting
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import counted
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_BEFORE_NAME = "#*_ \t0123456789.)-—"
_AFTER_NAME = "*_ \t"
_TITLED = Pattern(r"^[ \t]*(?:#{1,6}[ \t]|\*\*[^*\n]+\*\*|-{3,}[ \t]*$|={3,}[ \t]*$)")
_NAMED = Pattern(r"^[ \t]*\p{Lu}[\pL'’&-]*(?: [\pL'’&-]+){0,4}:")

_BARE = Pattern(r"^[ \t]*\p{Lu}[\pL'’&-]*(?: [\pL'’&-]+){0,3}[ \t]*$")


def section_size(demand: Demand, exchange: Exchange) -> Outcome:
    """The named section has the size asked for; without its heading it is not judged."""
    assert demand.bounds is not None
    label, unit = demand.terms
    text = exchange.response
    found = [
        (region, count) for region in _bodies(text, label) for count in _counts(text, region, unit)
    ]
    fitting = [(region, count) for region, count in found if demand.bounds.hold(count)]
    region, count = next(iter(fitting or found), (Region(0, 0), 0))
    rough = "" if demand.firm else "about "
    return Outcome(
        met=bool(fitting),
        asked=f"{rough}{demand.bounds.of(unit)} in “{label}”",
        found=counted(count, unit),
        spans=(region,) if region.end > region.start else (),
        unchecked="" if found else f"The response has no single part headed “{label}”",
    )


def _bodies(text: Text, label: str) -> list[Region]:
    """Return what the part may be: up to the next heading, the next line that a name opens, or the next bare name."""
    lines = counting.lines(text)
    named = [(n, end) for n, line in enumerate(lines) if (end := _past_name(text, line, label))]
    if len(named) != 1:
        return []
    at, start = named[0]
    ends = {_end(text, lines[at + 1 :], pattern) for pattern in (_TITLED, _NAMED, _BARE)}
    found = (_trimmed(text, start, end) for end in sorted(ends))
    return [region for region in found if region.end > region.start]


def _past_name(text: Text, line: Region, label: str) -> int:
    """Return where what follows the name begins on a line that the name opens, else 0."""
    said = text.slice(line)
    opening = said.lstrip(_BEFORE_NAME)
    if opening[: len(label)].casefold() != label.casefold():
        return 0
    rest = opening[len(label) :]
    marked = rest.lstrip(_AFTER_NAME)
    titled = said.lstrip().startswith(("#", "**"))
    if marked[:1] != ":" and marked and not (titled and rest.startswith("**")):
        return 0
    return line.end - len(marked.removeprefix(":"))


def _end(text: Text, following: list[Region], pattern: Pattern) -> int:
    titled = (line.start for line in following if _opens(text.slice(line), pattern))
    return next(titled, len(text.value))


def _opens(line: str, pattern: Pattern) -> bool:
    return _TITLED.search(line.encode()) or pattern.search(line.encode())


def _trimmed(text: Text, start: int, end: int) -> Region:
    body = text.value[start:end]
    lead = len(body) - len(body.lstrip(_AFTER_NAME + "\n\r"))
    return Region(start + lead, start + max(len(body.rstrip()), lead))


def _counts(text: Text, region: Region, unit: str) -> Iterator[int]:
    """Yield every count that people could mean."""
    part = Text(text.slice(region))
    if unit == "word":
        yield from counting.word_counts(part)
    elif unit == "sentence":
        yield len(counting.sentences(part))
    elif unit == "paragraph":
        yield len(part.paragraphs)
        yield len(counting.prose(part, part.paragraphs))
    else:
        yield len(counting.bullets(part) or counting.numbered(part))
