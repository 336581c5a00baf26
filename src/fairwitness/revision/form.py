"""Operators for the text's form: hidden and active content, loops, cut endings, fences, damage."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.coherence.damage import undo
from fairwitness.evaluator.patterns import Pattern
from fairwitness.revision.edits import Case, Edit, Operator, joined, removal, sentences_removed

_LINK_TEXT = Pattern(r"^\[(?P<text>[^\]]*)\]\(")
WARNING = "Warning: this destroys data and cannot be undone. "


def _unhidden(case: Case) -> Iterator[Edit]:
    """Take out characters that cannot be seen: first those quoted, then all of their kind."""
    spans = case.spans
    if not spans:
        return
    kinds = {
        char for start, end in spans for char in case.text[start:end] if not char.isprintable()
    }
    kinds -= {"\n", "\t", "\r"}
    places = [index for index, char in enumerate(case.text) if char in kinds]
    if places:
        yield joined(case.text, [(place, place + 1, "") for place in places])


def _link_plain(case: Case) -> Iterator[Edit]:
    """Leave a link's words and take its target away; an image goes whole."""
    from fairwitness.evaluator.text import Text

    for start, end in case.spans:
        match = Text(case.text[start:end]).search(_LINK_TEXT)
        if match is not None and match["text"].strip():
            yield Edit(start, end, match["text"])
        yield removal(case.text, start, end)


def _taken_out(case: Case) -> Iterator[Edit]:
    for start, end in case.spans:
        yield removal(case.text, start, end)
    yield from sentences_removed(case)


def _warned(case: Case) -> Iterator[Edit]:
    """Say what the command does, before the line or block that gives it."""
    for start, _ in case.spans:
        blocks = [block.region for block in case.exchange.response.code_blocks]
        inside = next((region for region in blocks if region.holds(start)), None)
        if inside is not None:
            yield Edit(inside.start, inside.start, WARNING.strip() + "\n\n")
            return
        sentence = case.exchange.response.sentence_at(start)
        yield Edit(sentence.start, sentence.start, WARNING)


def _said_once(case: Case) -> Iterator[Edit]:
    """Keep the first of what repeats: the last passage goes, or all but the start of a cycle."""
    spans = case.spans
    if len(spans) >= 2:
        yield removal(case.text, *spans[-1])
        yield Edit(spans[0][1], len(case.text), "")
    elif spans:
        sentence = case.exchange.response.sentence_at(spans[0][0])
        yield (
            Edit(sentence.end, spans[0][1], "")
            if sentence.end < spans[0][1]
            else removal(case.text, *spans[0])
        )


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
    """Write the number that follows on the one before."""
    if len(case.spans) != 2:
        return
    (first, first_end), (start, end) = case.spans
    before = "".join(char for char in case.text[first:first_end] if char.isdigit())
    now = "".join(char for char in case.text[start:end] if char.isdigit())
    if before and now and now in case.text[start:end]:
        at = start + case.text[start:end].index(now)
        yield Edit(at, at + len(now), str(int(before[:6]) + 1))


OPERATORS = (
    Operator("hidden characters removed", ("output_safety.hidden",), _unhidden),
    Operator("link made plain", ("output_safety.link",), _link_plain),
    Operator("active content removed", ("output_safety.active",), _taken_out),
    Operator("note to the judge removed", ("output_safety.addressed",), sentences_removed),
    Operator("warning added", ("output_safety.command",), _warned),
    Operator("loop cut", ("coherence.loop",), _said_once),
    Operator("tail trimmed", ("coherence.cut", "coherence.code"), _tail_trimmed),
    Operator("decoding undone", ("coherence.damage.misread",), _decoded),
    Operator("empty heading dropped", ("coherence.outline.heading",), _heading_dropped),
    Operator("items renumbered", ("coherence.outline.numbering",), _renumbered),
)
