"""Finds a paragraph that breaks off inside the text: it stops in mid-sentence, and another one begins.

How the whole text ends is text_ending.py's. Only prose is checked, and only against how the text's other lines end.
"""

from __future__ import annotations

from fairwitness.evaluator.criteria.coherence import text_ending
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

# Words that no paragraph of prose ends in, whatever comes after it.
_HANGING = frozenset(
    "the a an and or nor of to for with by from as their your our its his her my these because whose although "
    "whereas into onto upon between among towards whether unless".split()
)
_MIN_PROSE_WORDS, _MIN_SENTENCE_WORDS = (
    8,
    10,
)  # of a line that is prose, and of one that needs closing punctuation
_MAX_CANDIDATES = 4  # a text with more of them never uses closing punctuation
_MIN_NEXT_WORDS = 4  # fewer are a label or a formula
_MAX_PARAGRAPHS, _MAX_LINES = 60, 120
_ASKS_FOR_UNFINISHED = Pattern(
    r"\b(?:poems?|poet\w*|songs?|lyrics?|verses?|haikus?|sonnets?|limericks?|raps?|unfinished|incomplete|cliff-?hangers?|"
    r"interrupted|trail(?:s|ing)? off|mid-?sentence|fill in the blanks?|complete the|continue the)\b",
    ignore_case=True,
)


def find(exchange: Exchange) -> list[Finding]:
    """Return the first paragraph before the last that breaks off in mid-sentence."""
    text = exchange.response
    if "\n" not in text.value:
        return []
    paragraphs = text.paragraphs[:_MAX_PARAGRAPHS]
    open_ended = [
        index
        for index, paragraph in enumerate(paragraphs[:-1])
        if text.value[paragraph.end - 1].islower() and _may_break_off(text, paragraphs, index)
    ]
    for index in open_ended[:_MAX_CANDIDATES]:
        if (
            _is_certain(text, paragraphs[index])
            and exchange.prompt.search(_ASKS_FOR_UNFINISHED) is None
        ):
            return [_finding(paragraphs[index])]
    return []


def _may_break_off(text: Text, paragraphs: list[Region], index: int) -> bool:
    line = _last_line(text, paragraphs[index])
    words = line.split()
    plain = line[0] not in '#|>"“' and "=" not in line and "http" not in line
    if (
        len(words) < _MIN_PROSE_WORDS
        or not words[-1].isalpha()
        or not words[-1].islower()
        or not plain
    ):
        return False
    return _begins_anew(text, paragraphs[index + 1])


def _begins_anew(text: Text, following: Region) -> bool:
    """Tell prose that begins with a capital from a formula, a list, a label or the sentence going on."""
    opening = text.value[following.start : following.end].split("\n", 1)[0]
    return (
        opening[:1].isupper() and opening.count(" ") >= _MIN_NEXT_WORDS - 1 and "=" not in opening
    )


def _is_certain(text: Text, paragraph: Region) -> bool:
    """Tell a sentence broken off: by its last word, or because all the text's other lines of its kind have an end."""
    line = _last_line(text, paragraph)
    words = line.split()
    if text.in_code(paragraph.end - 1):
        return False
    item = text_ending.is_item(line)
    if words[-1] in _HANGING and not item:
        return True
    if paragraph.start == text.paragraphs[0].start and text.sentence_at(paragraph.end - 1) == (
        text.sentence_at(paragraph.start)
    ):
        return False  # a title has no end either
    others = [other for other in _lines_like(text, item) if other != line]
    finished = sum(map(text_ending.is_finished, others))
    if item:
        return len(words) >= _MIN_SENTENCE_WORDS and finished == len(others) >= 3
    return len(words) >= _MIN_SENTENCE_WORDS and len(others) >= 2 and finished >= 0.8 * len(others)


def _lines_like(text: Text, item: bool) -> list[str]:
    lines = (text.slice(line).strip() for line in text.lines[:_MAX_LINES])
    return [
        line
        for line in lines
        if line.count(" ") >= _MIN_PROSE_WORDS - 1
        and line[0] not in "#|>"
        and line[-1] != ":"
        and text_ending.is_item(line) == item
    ]


def _last_line(text: Text, paragraph: Region) -> str:
    return text.value[text.value.rfind("\n", 0, paragraph.end) + 1 : paragraph.end].strip()


def _finding(paragraph: Region) -> Finding:
    return Finding(
        severity="medium",
        message="A paragraph stops in the middle of a sentence, and a new one begins.",
        detector="coherence.cut.midway",
        spans=(Span(max(paragraph.start, paragraph.end - 60), paragraph.end),),
        suggestion="Finish the sentence.",
    )
