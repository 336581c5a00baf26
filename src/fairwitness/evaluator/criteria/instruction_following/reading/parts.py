"""Reads demands on the parts of a response: separators, marked sections and first words."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading, Taken
from fairwitness.evaluator.criteria.instruction_following.reading.numerals import ordinal_of
from fairwitness.evaluator.criteria.instruction_following.reading.tokens import (
    LINE,
    NUMBER,
    STRING,
    SYMBOL,
    WORD,
)
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region

SEPARATED = Pattern(
    r"\bSEP (?:[^ |]+ ){0,14}?(?:RULE|S|asterisk|STAR) "
    r"|\b(?:RULE|S) (?:[^ |]+ ){0,4}?(?:SEP|between) "
    r"|\bSEP (?:[^ |]+ ){0,8}?(?:below|:) "
)
SECTIONS = Pattern(
    r"\b(?:mark|look|label|labeled|labelled|noted|STARTS|indicated|titled?|with|numbered|called|named|name|call|heading|denoted|identified|headed|designated) "
    r"(?:[^ |]+ ){0,7}?(?:(?P<marker>S|[a-zA-Z]+) (?P<x>x|HASH|n)|(?P<numbered>section|part|chapter|day|scene|act|step|stanza|verse|week) (?P<one>Q\d+)|(?P<s>S)) "
)
SECTION_COUNT = Pattern(
    r"\b(?P<q>Q\d+) (?:[^ |Q]+ )?(?P<unit>section|part|chapters?|day|days|scenes?|acts?|steps?|stanza|verse) "
)
OPENERS = Pattern(
    r"\b(?:ORD paragraph|paragraph Q\d+) (?:[^ |Q]+ ){0,3}?STARTS (?:with |by |off )?"
    r"|\bSTARTS (?P<place>ORD paragraph|paragraph Q\d+) with "
)
LAYOUT = Pattern(r"\| RULE \|")
PATTERNS = (SEPARATED, LAYOUT, SECTIONS, SECTION_COUNT, OPENERS)

_SIX = "******"


def read(reading: Reading, taken: Taken) -> Iterator[Demand]:
    """Yield the demands on parts."""
    yield from _separated(reading, taken)
    yield from _sections(reading, taken)
    yield from _openers(reading, taken)


def _separated(reading: Reading, taken: Taken) -> Iterator[Demand]:
    seen = -1
    for match in reading.find(SEPARATED):
        index = reading.token_index(match.start)
        if reading.sentence_of(index)[0] == seen:
            continue
        seen = reading.sentence_of(index)[0]
        separator = _separator(reading, index)
        if not separator:
            continue
        span = reading.span(match)
        parts, number = _how_many(reading, index, separator)
        if number is not None:
            taken.quantities.add(number)
        if parts is None:
            parts = _template_parts(reading, separator)
        if separator == _SIX:
            yield Demand("separated_parts", span, parts or Bounds(2, 2), separator=separator)
        elif separator == "***":
            yield Demand("paragraph_count", span, parts or Bounds(at_least=2), separator=separator)
        else:
            yield Demand("separated_parts", span, parts or Bounds(at_least=2), separator=separator)
        return
    template = _template_parts(reading, "***")
    if template is not None and "***" in reading.text.value and "format" in reading.text.lower:
        at = reading.text.value.index("***")
        yield Demand("paragraph_count", Region(at, at + 3), template, separator="***")


def _separator(reading: Reading, index: int) -> str:
    """Return the mark named near a token: a rule of its own, or "six asterisks" in words."""
    first, last = reading.sentence_of(index)
    tokens, value = reading.tokens, reading.text.value
    stop = min(last + 8, len(tokens))
    asterisks = 0
    for at in range(first, stop):
        token = tokens[at]
        if token.kind == SYMBOL and token.low == "RULE":
            raw = value[token.start : token.end]
            return _SIX if raw[0] == "*" and len(raw) >= 5 else raw
        if token.low.startswith("asterisk") and at and at < last:
            asterisks = next(
                (t.value for t in reversed(tokens[max(at - 3, first) : at]) if t.kind == NUMBER), 0
            )
        if token.kind == STRING and at < last:
            raw = value[token.start + 1 : token.end - 1].strip()
            if len(raw) >= 3 and not raw.strip("*-=#|~_+/<>"):
                return raw
    return "*" * asterisks if asterisks >= 3 else ""


def _how_many(reading: Reading, index: int, separator: str) -> tuple[Bounds | None, int | None]:
    """Find the number of parts in the sentence of the separator, or in the two before it."""
    first, _ = reading.sentence_of(index)
    places = [n for n, (start, _) in enumerate(reading.sentences) if start <= first]
    for place in places[-1:-4:-1]:
        start, stop = reading.sentences[place]
        for number, quantity in enumerate(reading.quantities):
            if not start <= quantity.first < stop or quantity.often or quantity.vague:
                continue
            nouns = reading.lows(quantity.last, quantity.last + 3)
            if any(
                noun.startswith(("asterisk", "*", "new", "line", "star", "symbol"))
                for noun in nouns[:1]
            ):
                continue
            if {
                "words",
                "word",
                "sentences",
                "times",
                "placeholders",
                "minutes",
                "years",
                "year",
                "days",
                "bullet",
            } & set(nouns[:2]):
                continue
            if _counts_parts(nouns, separator, quantity.bare):
                return quantity.bounds, number
    return None, None


def _counts_parts(nouns: list[str], separator: str, bare: bool) -> bool:
    known = {
        "paragraph", "paragraphs", "section", "sections", "part", "parts", "response", "responses", "version",
        "versions", "answer", "answers", "poems", "jokes", "stories", "options", "alternatives", "replies",
        "letters", "emails", "steps", "step", "movies", "songs", "haikus", "limericks", "essays", "riddles",
        "suggestions", "names", "chapters", "stanzas", "verses", "tweets", "summaries", "outputs", "variations",
    }  # fmt: skip
    return bool(known & set(nouns[:3]))


def _template_parts(reading: Reading, separator: str) -> Bounds | None:
    """Count the parts of an example layout: lines that are nothing but the separator."""
    lines = [line.strip() for line in reading.text.value.split("\n")]
    rules = sum(1 for line in lines if line == separator)
    if not rules or any(line.strip(". …") == "" and line for line in lines):
        return None
    return Bounds(rules + 1, rules + 1)


def _sections(reading: Reading, taken: Taken) -> Iterator[Demand]:
    for match in reading.find(SECTIONS):
        marker = _marker(reading, match)
        if not marker:
            continue
        for counted in reading.find(SECTION_COUNT):
            number = int(counted["q"][1:])
            quantity = reading.quantity(counted["q"])
            if (
                number in taken.quantities
                or quantity.vague
                or abs(counted.start - match.start) > 250
            ):
                continue
            taken.quantities.add(number)
            bounds = Bounds(at_least=quantity.bounds.at_least or quantity.bounds.at_most)
            start = min(reading.span(counted).start, reading.span(match).start)
            end = max(reading.span(counted).end, reading.span(match).end)
            yield Demand("section_count", Region(start, end), bounds, terms=(marker,))
            return


def _marker(reading: Reading, match: Match) -> str:
    """Return the word that numbers the sections: the one before X or 1, or inside quotation marks."""
    value = reading.text.value
    if match["s"]:
        token = reading.tokens[reading.token_index(match.span("s")[0])]
        inside = value[token.start + 1 : token.end - 1].split()
        numbered = len(inside) == 2 and (
            inside[1].lower() in {"x", "n", "#"} or inside[1].isdigit()
        )
        return inside[0] if numbered else ""
    name = "marker" if match["marker"] else "numbered"
    if name == "numbered" and reading.tokens[reading.token_index(match.span("one")[0])].value != 1:
        return ""
    token = reading.tokens[reading.token_index(match.span(name)[0])]
    inner = 1 if token.kind == STRING else 0
    return value[token.start + inner : token.end - inner]


def _openers(reading: Reading, taken: Taken) -> Iterator[Demand]:
    for match in reading.find(OPENERS):
        index = reading.token_index(max(match.span("place")[0], match.start))
        token = reading.tokens[index]
        place = ordinal_of(token.low) or (token.value if token.low == "ORD" else 0)
        if not place:
            number = next((t for t in reading.tokens[index : index + 3] if t.kind == NUMBER), None)
            place = number.value if number else 0
            taken.quantities.update(
                n for n, q in enumerate(reading.quantities) if index <= q.first < index + 3
            )
        word, end = _first_word(reading, reading.token_index(match.end - 1) + 1)
        if place and word:
            span = Region(reading.span(match).start, end)
            yield Demand("paragraph_start", span, terms=(word,), position=place)


def _first_word(reading: Reading, index: int) -> tuple[str, int]:
    value = reading.text.value
    for token in reading.tokens[index : index + 6]:
        if token.kind == STRING:
            return value[token.start + 1 : token.end - 1].strip(), token.end
        if token.kind == WORD and token.low not in {
            "with",
            "the",
            "word",
            "words",
            "a",
            "an",
            "phrase",
            "exact",
            "of",
            "off",
        }:
            return value[token.start : token.end], token.end
        if token.kind == LINE:
            break
    return "", 0
