"""Checks how a response starts and ends, what it repeats first, and how its parts are separated."""

from __future__ import annotations

from fairwitness.evaluator.criteria.instruction_following.checking import (
    counting,
    evidence,
)
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import counted
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region

_QUOTES = "\"'“”‘’"
_MAX_QUOTED_CHARS = 40
_SIGNATURE_LINES, _SIGNATURE_WORDS = 3, 6
_OPENING_BLOCKS = 3  # a subject, a greeting, and the text
_SIGNED = Pattern(r"\b(?:sign(?:ed|ature|s)?|sign[- ]off|letter|e-?mail)\b", ignore_case=True)


def _plain(text: str) -> str:
    """Fold what nobody means to fix: case, runs of white space, the kind of quotation mark."""
    folded = text.lower().replace("“", '"').replace("”", '"').replace("’", "'").replace("‘", "'")
    return " ".join(folded.split())


def _quote(text: str, *, last: bool = False) -> str:
    """Return the first words of a text, or the last, as far as a message has room for them."""
    words = " ".join(text.split())
    if len(words) <= _MAX_QUOTED_CHARS:
        return words
    return f"…{words[-_MAX_QUOTED_CHARS:]}" if last else f"{words[:_MAX_QUOTED_CHARS]}…"


def ends_with(demand: Demand, exchange: Exchange) -> Outcome:
    """The last words are the phrase asked for."""
    phrase = demand.terms[0]
    value = exchange.response.value
    body = value.rstrip().rstrip(_QUOTES + "*_ ")
    wanted = _plain(phrase).rstrip(_QUOTES)
    met = _plain(body).endswith(wanted) or _closes_letter(value, wanted)
    tail = value.rstrip()
    span = Region(max(len(tail) - max(len(phrase), 40), 0), len(tail))
    return Outcome(
        met=met,
        asked=f"the response to end with “{phrase}”",
        found=f"it ends with “{_quote(value[span.start : span.end], last=True)}”",
        spans=(span,) if span.end > span.start else (),
        suggestion=None if met else f"End with “{phrase}”.",
    )


def _closes_letter(value: str, wanted: str) -> bool:
    """Tell whether a letter closes with these words, alone on their line, before the name of who writes it."""
    lines = [line.strip() for line in value.rstrip().split("\n") if line.strip()]
    closing = [_plain(line).rstrip(",.! ") for line in lines[-_SIGNATURE_LINES - 1 : -1]]
    return wanted.rstrip(",.! ") in closing and all(_is_name(line) for line in lines[-1:])


def _before_signature(value: str) -> int:
    """Return where the text before a signature of its own paragraph ends."""
    body, blank, last = value.rpartition("\n\n")
    lines = last.strip().split("\n")
    signed = blank and len(lines) <= _SIGNATURE_LINES and all(map(_is_name, lines))
    return len(body.rstrip()) if signed else len(value)


def _is_name(line: str) -> bool:
    """Tell whether a line can be a name or a closing: a few words and no end of a sentence."""
    words = line.split()
    return 0 < len(words) <= _SIGNATURE_WORDS and words[0][:1].isupper() and line[-1] not in ".!?:;"


def ends_question(demand: Demand, exchange: Exchange) -> Outcome:
    """The last sentence is a question, or is none where that was asked for."""
    value = exchange.response.value
    tail = len(value.rstrip())
    if exchange.prompt.search(_SIGNED) is not None:
        tail = _before_signature(value[:tail])
    while tail and not (value[tail - 1].isalnum() or value[tail - 1] in ".!?？…:;"):
        tail -= 1  # closing marks and emojis say nothing of the sentence
    question = value[tail - 1 : tail] in {"?", "？"}
    wanted = "no question" if demand.negated else "a question"
    span = Region(max(tail - 60, 0), max(tail, min(len(value), 1)))
    return Outcome(
        met=question is not demand.negated,
        asked=f"the response to end with {wanted}",
        found="it ends with a question" if question else "it does not end with a question",
        spans=(span,) if span.end > span.start else (),
        suggestion=None if question is not demand.negated else f"End with {wanted}.",
    )


def starts_with(demand: Demand, exchange: Exchange) -> Outcome:
    """The first words are the phrase asked for, or are not where it was ruled out."""
    if demand.negated:
        return _starts_otherwise(demand, exchange)
    phrase = demand.terms[0]
    value = exchange.response.value
    body = value.lstrip().lstrip(_QUOTES + "*_# ")
    met = _plain(body[: 4 * len(phrase) + 40]).startswith(_plain(phrase).strip(_QUOTES))
    start = len(value) - len(value.lstrip())
    span = Region(start, min(len(value), start + max(len(phrase), 40)))
    return Outcome(
        met=met,
        asked=f"the response to start with “{phrase}”",
        found=f"it starts with “{_quote(value[span.start : span.end])}”",
        spans=(span,) if span.end > span.start else (),
        suggestion=None if met else f"Start with “{phrase}”.",
    )


def _starts_otherwise(demand: Demand, exchange: Exchange) -> Outcome:
    """Tell whether neither the text nor what follows its greeting or lead-in starts with a phrase."""
    text = exchange.response
    blocks = text.paragraphs[:_OPENING_BLOCKS]
    opening = 0
    while opening < len(blocks) - 1 and _leads_in(text.slice(blocks[opening])):
        opening += 1
    wrong = [
        (block, phrase)
        for block in blocks[: opening + 1]
        for phrase in demand.terms
        if _is_opened_by(text.slice(block), phrase)
    ]
    named = " or ".join(f"“{phrase}”" for phrase in demand.terms)
    return Outcome(
        met=not wrong,
        asked=f"the response not to start with {named}",
        found=f"it starts with “{wrong[0][1]}”" if wrong else "it starts otherwise",
        spans=tuple(evidence.cut(block) for block, _ in wrong[:1]),
        suggestion=f"Do not start with {named}." if wrong else None,
    )


def _leads_in(block: str) -> bool:
    """Tell whether a paragraph only greets, names the subject or announces the text."""
    low = block.strip().lower().lstrip("*_#> ")
    return "\n" not in low and (low.rstrip("*_ ").endswith((",", ":")) or low.startswith("subject"))


def _is_opened_by(block: str, phrase: str) -> bool:
    wanted = _plain(phrase).strip(_QUOTES + ".,!?… ")
    body = _plain(block[: 4 * len(phrase) + 80]).lstrip(_QUOTES + "*_#>- ")
    return body.startswith(wanted) and not body[len(wanted) : len(wanted) + 1].isalnum()


def paragraph_start(demand: Demand, exchange: Exchange) -> Outcome:
    """The paragraph asked for starts with the word asked for."""
    text = exchange.response
    blocks = text.paragraphs
    # Position -1 is the last paragraph, whichever that is.
    place = demand.position - 1 if demand.position > 0 else len(blocks) - 1
    named = f"paragraph {demand.position}" if demand.position > 0 else "the last paragraph"
    asked = f"{named} to start with “{demand.terms[0]}”"
    if not 0 <= place < len(blocks):
        return Outcome(met=False, asked=asked, found=counted(len(blocks), "paragraph"))
    block = blocks[place]
    opening = text.value[block.start : block.end].lstrip(_QUOTES + "*_# ")
    wanted = demand.terms[0].lower().strip(_QUOTES)
    after = opening[len(wanted) : len(wanted) + 2]
    # "weekend-long" is another word than "weekend".
    whole = not after[:1].isalnum() and not (after[:1] == "-" and after[1:].isalnum())
    met = opening.lower().startswith(wanted) and whole
    span = Region(block.start, min(block.end, block.start + 40))
    return Outcome(
        met=met,
        asked=asked,
        found=f"it starts with “{_quote(text.slice(span))}”",
        spans=(span,),
        suggestion=None if met else f"Start {named} with “{demand.terms[0]}”.",
    )


def postscript(demand: Demand, exchange: Exchange) -> Outcome:
    """A postscript with the marker asked for is there."""
    marker = demand.terms[0]
    letters = [char for char in marker.lower() if char.isalpha()]
    at, end = _find_dotted(exchange.response.lower, letters, last_dot=marker.rstrip().endswith("."))
    return Outcome(
        met=at >= 0,
        asked=f"a postscript that starts with “{marker}”",
        found="a postscript" if at >= 0 else "no postscript",
        spans=(Region(at, end),) if at >= 0 else (),
        suggestion=None if at >= 0 else f"Add a postscript that starts with “{marker}”.",
    )


def _find_dotted(low: str, letters: list[str], *, last_dot: bool) -> tuple[int, int]:
    """Find "p.s." or "p. p. s": letters, each but perhaps the last followed by a dot."""
    start = low.find(letters[0])
    while start >= 0:
        at, matched = start, True
        for index, letter in enumerate(letters):
            if low[at : at + 1] != letter:
                matched = False
                break
            at += 1
            if index < len(letters) - 1 or last_dot:
                if low[at : at + 1] != ".":
                    matched = False
                    break
                at += 1
            if index < len(letters) - 1 and low[at : at + 1] == " ":
                at += 1
        if matched:
            return start, at
        start = low.find(letters[0], start + 1)
    return -1, -1


def repeated_request(demand: Demand, exchange: Exchange) -> Outcome:
    """The response starts by repeating the text asked for."""
    value = exchange.response.value
    longest = max(map(len, demand.terms))
    opening = _plain(value[: longest * 2 + 80]).lstrip("*_# >")
    met = any(opening.startswith(_plain(wanted)) for wanted in demand.terms)
    start = len(value) - len(value.lstrip())
    span = Region(start, min(len(value), start + 80))
    return Outcome(
        met=met,
        asked="the request repeated word for word at the start",
        found=f"it starts with “{_quote(value[span.start : span.end])}”",
        spans=(span,) if span.end > span.start else (),
        suggestion=None if met else "Start with the request, word for word.",
    )


def separated_parts(demand: Demand, exchange: Exchange) -> Outcome:
    """The response falls into the parts asked for at the separator asked for."""
    assert demand.bounds is not None
    text = exchange.response
    found = counting.parts(text, demand.separator)
    filled = [part for part in found if part.end > part.start]
    distinct = len({text.value[part.start : part.end].strip() for part in filled}) == len(filled)
    met = demand.bounds.hold(len(filled)) and len(filled) == len(found) and distinct
    return Outcome(
        met=met,
        asked=f"{demand.bounds.of('part')} separated by “{demand.separator}”",
        found=counted(len(filled), "part")
        + ("" if len(filled) == len(found) else " and an empty one")
        + ("" if distinct else ", two of them identical"),
        spans=() if met else evidence.miscounted(filled, demand.bounds),
    )
