"""Operators for the text's form: hidden and active content, loops, cut endings, fences, damage."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.coherence.encoding_damage import undo
from fairwitness.evaluator.criteria.output_safety import active_content, link_masking
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text
from fairwitness.revision.edits import Case, Edit, Operator, joined, removal, sentences_removed

_LINK_TEXT = Pattern(r"^\[(?P<text>[^\]]*)\]\(")
# Emoji and several scripts are written with these.
_JOINERS = {"\u200c", "\u200d"}


def _unhidden(case: Case) -> Iterator[Edit]:
    """Remove invisible characters: those of the kinds quoted, then all but joiners."""
    quoted = {char for start, end in case.spans for char in case.text[start:end] if _unseen(char)}
    every = {char for char in case.text if _unseen(char)} - _JOINERS
    for kinds in (quoted, every):
        places = [index for index, char in enumerate(case.text) if char in kinds]
        if places:
            yield joined(case.text, [(place, place + 1, "") for place in places])


def _unseen(char: str) -> bool:
    return not char.isprintable() and char not in "\n\t\r"


def _link_plain(case: Case) -> Iterator[Edit]:
    """Keep a link's words and remove its target; remove an image entirely."""
    for start, end in case.spans:
        match = Text(case.text[start:end]).search(_LINK_TEXT)
        if match is not None and match["text"].strip():
            yield Edit(start, end, match["text"])
        yield removal(case.text, start, end)


def _taken_out(case: Case) -> Iterator[Edit]:
    """Remove every active element from its start to its end; of a link the words stay."""
    changes = sorted(
        (part.start, part.end, element.shown if not index else "")
        for element in active_content.elements(case.exchange.response)
        for index, part in enumerate(element.parts)
    )
    apart = [
        change for at, change in enumerate(changes) if not at or change[0] >= changes[at - 1][1]
    ]
    if apart:
        yield joined(case.text, [_with_space(case.text, *change) for change in apart])


def _with_space(text: str, start: int, end: int, shown: str) -> tuple[int, int, str]:
    """Take the white space after a removed part with it, so that none is left double."""
    if shown:
        return start, end, shown
    edit = removal(text, start, end)
    return start, max(end, edit.end), ""


def _said_once(case: Case) -> Iterator[Edit]:
    """Keep the first copy: remove everything up to the end of the last, or the last alone."""
    spans = case.spans
    if len(spans) >= 2:
        yield Edit(spans[0][1], spans[-1][1], "")
        yield removal(case.text, *spans[-1])


def _judge_unaddressed(case: Case) -> Iterator[Edit]:
    """Remove the sentence that addresses the evaluator; then only the part from the quoted words on."""
    # An image or a link before the sentence is not part of it.
    plain = link_masking.masked(case.exchange)
    yield from sentences_removed(Case(case.finding, plain))
    for start, end in case.spans:
        sentence = case.exchange.response.sentence_at(start)
        words = case.text.rfind(" ", sentence.start, start)
        yield removal(case.text, max(words, sentence.start), max(end, sentence.end))


def _tail_trimmed(case: Case) -> Iterator[Edit]:
    """Close an open fence; else end at the last whole sentence, or the last whole line."""
    blocks = case.exchange.response.code_blocks
    if blocks and not blocks[-1].closed:
        mark = case.text[blocks[-1].region.start :].lstrip()[:3]
        yield Edit(
            len(case.text), len(case.text), ("" if case.text.endswith("\n") else "\n") + mark
        )
    sentences = case.exchange.response.sentences
    for sentence in reversed(sentences[:-1]):
        if case.text[sentence.end - 1] in ".!?…。！？)”\"'`":
            yield Edit(sentence.end, len(case.text), "")
            break
    cut = case.text.rstrip().rfind("\n")
    if cut > 0:
        yield Edit(len(case.text[:cut].rstrip()), len(case.text), "")


def _decoded(case: Case) -> Iterator[Edit]:
    changes = [
        (start, end, fixed) for start, end in case.spans if (fixed := undo(case.text[start:end]))
    ]
    if changes:
        yield joined(case.text, changes)


def _heading_dropped(case: Case) -> Iterator[Edit]:
    for start, end in case.spans:
        yield removal(case.text, start, end)


def _renumbered(case: Case) -> Iterator[Edit]:
    """Write the number that follows the one before."""
    if len(case.spans) != 2:
        return
    (first, first_end), (start, end) = case.spans
    before = "".join(char for char in case.text[first:first_end] if char.isdigit())
    now = "".join(char for char in case.text[start:end] if char.isdigit())
    if before and now and now in case.text[start:end]:
        at = start + case.text[start:end].index(now)
        yield Edit(at, at + len(now), str(int(before[:6]) + 1))


def _made_plain(case: Case) -> Iterator[Edit]:
    """Remove hidden, active and evaluator-addressed content, each in its own way."""
    for prefix, propose in _BY_DETECTOR.items():
        if case.finding.detector.startswith(prefix):
            yield from propose(case)


_BY_DETECTOR = {
    "output_safety.hidden": _unhidden,
    "output_safety.link": _link_plain,
    "output_safety.active": _taken_out,
    "output_safety.judge": _judge_unaddressed,
    "output_safety.leftover": _judge_unaddressed,
    "output_safety.addressed": _judge_unaddressed,
}

OPERATORS = (
    Operator(
        "hidden or active content removed",
        tuple(_BY_DETECTOR),
        _made_plain,
        removes_content=False,
    ),
    Operator("loop cut", ("coherence.loop",), _said_once),
    Operator("tail trimmed", ("coherence.cut",), _tail_trimmed),
    Operator("decoding undone", ("coherence.damage.misread",), _decoded),
    Operator("empty heading dropped", ("coherence.outline.heading",), _heading_dropped),
    Operator("items renumbered", ("coherence.outline.numbering",), _renumbered),
)
