"""Removes one clause of a sentence and keeps the rest of what it says."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text
from fairwitness.revision.edits import Case, Edit, removal

_SEPARATORS = ",;:—–"
_CONJUNCTION = Pattern(
    r"^\s*(?:but|and|so|yet|though|anyway|still|now|then)\b,?\s*", ignore_case=True
)
_END_MARKS = ".!?…"
_MIN_WORDS_LEFT = 3


def clauses_removed(case: Case) -> Iterator[Edit]:
    """Propose removing each clause that contains the evidence; nothing where no sentence would be left of it."""
    for start, end in case.spans:
        sentence = case.exchange.response.sentence_at(start)
        if not sentence.contains(start):
            continue
        left = _last_separator(case.text, sentence.start, start)
        right = _first_separator(case.text, min(end, sentence.end), sentence.end)
        edit = _edit(case.text, sentence.start, sentence.end, left, right)
        rest = edit.applied(case.text)[
            sentence.start : sentence.end - (edit.end - edit.start) + len(edit.replacement)
        ]
        if sum(any(map(str.isalnum, word)) for word in rest.split()) >= _MIN_WORDS_LEFT:
            yield edit


def clauses_then_sentences_removed(case: Case) -> Iterator[Edit]:
    """Propose removing only the clause; then, where that is not kept, its sentence."""
    yield from clauses_removed(case)
    for start, _ in case.spans:
        sentence = case.exchange.response.sentence_at(start)
        if sentence.contains(start):
            yield removal(case.text, *sentence)


def _last_separator(text: str, low: int, high: int) -> int:
    return max(text.rfind(mark, low, high) for mark in _SEPARATORS)


def _first_separator(text: str, low: int, high: int) -> int:
    found = [at for mark in _SEPARATORS if (at := text.find(mark, low, high)) >= 0]
    return min(found, default=-1)


def _edit(text: str, first: int, last: int, left: int, right: int) -> Edit:
    """Remove what stands between two separators, either of which may be missing (-1)."""
    if left < 0 and right < 0:
        return removal(text, first, last)
    if right < 0:  # at the end: the sentence keeps its mark
        end = last
        while end > left and text[end - 1] in _END_MARKS:
            end -= 1
        return Edit(left, end, "")
    if left >= 0:
        return Edit(left, right, "")
    end = right + 1
    joined = Text(text[end:last]).search(_CONJUNCTION)
    end += joined.end if joined is not None else 0
    while end < last and text[end].isspace():
        end += 1
    return Edit(first, end + 1, text[end : end + 1].upper())
