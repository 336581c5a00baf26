"""Finds the text that a prompt hands over to be worked on, by its form.

A labelled or delimited block, a table, a record, a log, a quoted passage, what follows "the following text:", the
paragraphs beside an instruction that points to them, or a block that tells facts beside one that asks. Code is not
among them.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.given.blocks import is_quoted
from fairwitness.evaluator.given.orders import MAX_INSTRUCTION_CHARS, NOUNS, ORDER, instructs
from fairwitness.evaluator.given.rows import rows_of
from fairwitness.evaluator.given.told import told_beside_a_request
from fairwitness.evaluator.given.worked_on import worked_on
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.voice import quotations

_MIN_WORDS = 6
_MIN_QUOTED_WORDS = 6
_LEAD_CHARS = 90
_MIN_LABELLED_WORDS = 3
_MAX_LABELS = 40
_MAX_PARAGRAPHS = 12
_MIN_TITLED_WORDS = 12
_TEXT_LANGUAGES = frozenset({"", "text", "txt", "csv", "markdown", "md", "json", "yaml", "xml"})


def handed_over(prompt: Text) -> list[Region]:
    """Return the regions of the prompt that hand a text over, in order."""
    found = [*_delimited(prompt), *_labelled(prompt), *rows_of(prompt), *_pointed_at(prompt)]
    found += [*_beside_a_request(prompt), *told_beside_a_request(prompt)]
    found += [
        region
        for region in quotations(prompt)
        if _count(prompt, region) >= _MIN_QUOTED_WORDS
        and _POINTS.search(_lead(prompt, region).encode())
    ]
    kept = [region for region in found if not _is_demanded(prompt, region)]
    kept += [_without_instruction(prompt, region) for region in worked_on(prompt)]
    return _merged(prompt, kept)


def _lead(prompt: Text, region: Region) -> str:
    """Return the words that lead up to a region."""
    return prompt.value[max(0, region.start - _LEAD_CHARS) : region.start]


def _is_demanded(prompt: Text, region: Region) -> bool:
    """Tell whether the words before a region make it a phrase to use, a form to keep to, or a choice."""
    return _DEMANDS.search(_lead(prompt, region).encode())


def _delimited(prompt: Text) -> Iterator[Region]:
    """Yield what is between triple quotes, matching tags, or in a fence that holds no code."""
    for match in prompt.matches(_TRIPLE):
        yield Region(match.start + 3, match.end - 3)
    for match in prompt.matches(_TAGGED):
        if match["tag"].lower() == match["end"].lower():
            yield Region(*match.span("body"))
    for block in prompt.code_blocks:
        if block.language in _TEXT_LANGUAGES:
            yield block.body


def _labelled(prompt: Text) -> Iterator[Region]:
    """Yield what follows "Context:", "Policy:" and the like, up to the question or the next label of a speaker."""
    labels = prompt.matches(_LABEL, limit=_MAX_LABELS)
    turns = [match.start for match in prompt.matches(_TURN)]
    for match in labels:
        end = min((turn for turn in turns if turn > match.start), default=len(prompt))
        region = _without_instruction(prompt, Region(match.end, end))
        if _count(prompt, region) >= _MIN_LABELLED_WORDS:
            yield region


def _pointed_at(prompt: Text) -> Iterator[Region]:
    """Yield what follows a pointer and a colon, or the paragraphs beside an instruction with a pointer."""
    match = prompt.search(_POINTER_COLON)
    if match is not None:
        region = _without_instruction(prompt, Region(match.end, len(prompt)))
        if _count(prompt, region) >= _MIN_WORDS:
            yield region
    paragraphs = prompt.paragraphs
    if len(paragraphs) < 2:
        return
    ordering = [
        paragraph
        for paragraph in paragraphs
        if paragraph.end - paragraph.start <= MAX_INSTRUCTION_CHARS
        and _POINTS.search(prompt.slice(paragraph).encode())
    ]
    if not ordering:
        return
    for paragraph in paragraphs:
        beside = paragraph not in ordering and not instructs(prompt, paragraph)
        if beside and _count(prompt, paragraph) >= _MIN_WORDS:
            yield paragraph


def _beside_a_request(prompt: Text) -> Iterator[Region]:
    """Yield the paragraphs with a title, or wholly in quotation marks, beside one that asks."""
    paragraphs = prompt.paragraphs
    if not 2 <= len(paragraphs) <= _MAX_PARAGRAPHS or not any(
        instructs(prompt, paragraph) for paragraph in paragraphs
    ):
        return
    labelled = [one for one in _labelled(prompt) if not _is_demanded(prompt, one)]
    for paragraph in paragraphs:
        said = prompt.slice(paragraph).strip()
        if _count(prompt, paragraph) < _MIN_TITLED_WORDS or instructs(prompt, paragraph):
            continue
        if any(one.start < paragraph.end and paragraph.start < one.end for one in labelled):
            continue
        quoted = is_quoted(said)
        titled = _TITLED.search(said.encode()) and not (
            _ORDER_TITLE.search(said.encode()) or _OF_ONESELF.search(said.encode())
        )
        if (quoted or titled) and not _ABOUT_THE_ANSWER.search(said.encode()):
            yield paragraph


def _without_instruction(prompt: Text, region: Region) -> Region:
    """Drop the last paragraph, or the first words, of a region where they ask and do not tell."""
    inside = [p for p in prompt.paragraphs if p.start < region.end and p.end > region.start]
    end = region.end
    for paragraph in reversed(inside[1:]):
        if not instructs(prompt, paragraph):
            break
        end = paragraph.start
    if end == region.end and inside:
        end = _before_last_question(prompt, region)
    return Region(region.start, end)


def _before_last_question(prompt: Text, region: Region) -> int:
    """Return where the closing question of a region begins, where it follows on the same lines."""
    last = prompt.sentence_at(max(region.start, region.end - 1))
    text = prompt.slice(last).rstrip()
    if last.start > region.start and (
        (text.endswith("?") and last.end - last.start <= MAX_INSTRUCTION_CHARS)
        or ORDER.search(text.encode())
    ):
        return last.start
    return region.end


def _count(prompt: Text, region: Region) -> int:
    return len(prompt.value[region.start : region.end][:2000].split())


def _merged(prompt: Text, regions: list[Region]) -> list[Region]:
    joined: list[Region] = []
    for region in sorted(regions):
        piece = prompt.value[region.start : region.end]
        start = region.start + len(piece) - len(piece.lstrip())
        end = region.start + len(piece.rstrip())
        if end <= start:
            continue
        if joined and start <= joined[-1].end:
            joined[-1] = Region(joined[-1].start, max(joined[-1].end, end))
        else:
            joined.append(Region(start, end))
    return joined


_TRIPLE = Pattern(r'"""(?s:.{20,}?)"""|' + r"'''(?s:.{20,}?)'''")
_TAGGED = Pattern(
    r"<(?P<tag>context|document|doc|passage|text|article|source|data|record|email|transcript|policy|notes?)\b[^>\n]{0,80}>"
    r"(?P<body>(?s:.{10,}?))</(?P<end>\w+)>",
    ignore_case=True,
)
_LABEL = Pattern(
    rf"(?:^|[.!?] )[ \t>*_#]{{0,6}}(?:(?:the|my|our|your|this)\s)?(?:\pL+[’']?s?\s){{0,3}}(?:{NOUNS})(?:\s(?:\d{{1,3}}|[A-Z]))?(?:\s?\([^)\n]{{0,40}}\))?[*_]{{0,2}}\s?:[*_]{{0,2}}",
    ignore_case=True,
    multiline=True,
)
_TURN = Pattern(
    r"^[ \t>*_#]{0,6}(?:questions?|q|user|customer|client|answer|a|task|instructions?|prompt|query|assistant|response|output|request)[*_]{0,2}\s?(?:\d{1,2})?\s?:",
    ignore_case=True,
    multiline=True,
)
# A few words and a colon before the text they are the title of.
_TITLED = Pattern(r"^[\s*_#]{0,4}[A-Z][^.?!:\n]{2,60}:[*_]{0,2}\s+\S")
_ORDER_TITLE = Pattern(
    r"^\W*(?:please|you|your|act|pretend|imagine|let|i|we|my|given|suppose|consider|assume|task|goal|question|instructions?|requirements?|constraints?|format|tone|style|examples?|output|note|role|system|rules?)\b[^:\n]*:"
    r"|^\W*(?:write|create|make|give|list|find|explain|describe|generate|rewrite|translate|summari[sz]e|classify|answer|use|solve|complete|convert|design|develop|suggest|provide)\b",
    ignore_case=True,
)
# Said by the one who asks, of oneself.
_OF_ONESELF = Pattern(r"\b(?:I|I[’']m|I[’']ve|my|me)\b", ignore_case=True)
# Said of the answer that is wanted, and no source for it.
_ABOUT_THE_ANSWER = Pattern(
    r"\b(?:your (?:answers?|response|reply|task|output|role|job)|you (?:are|will|must|should) (?:an?|be|act|write|answer|reply|respond|use|include)|respond (?:with|in|to)|in \d+ words|words or (?:less|fewer)|"
    r"bullet points?|in (?:the|this) format|(?:do not|don[’']t|must) (?:use|include|mention|contain))\b",
    ignore_case=True,
)
_POINTER = rf"(?:following|below|above|this|these|attached|given|here (?:is|are)|here[’']s|based on|according to|(?:from|in|use|using|read) the|the (?:{NOUNS}))"
_POINTER_COLON = Pattern(
    rf"\b(?:{_POINTER}\b[^.?!:\n]{{0,80}}|(?:summari[sz]e|translate|paraphrase|proofread|shorten|rephrase|re-?write|reword|extract)\b[^.?!:\n]{{0,60}}):\s",
    ignore_case=True,
)
_POINTS = Pattern(
    rf"\b(?:(?:following|below|above|this|these|attached|given|the)\s(?:\pL+\s){{0,2}}(?:{NOUNS}|sentence|summary|quote|quotation|speech)s?\b|here (?:is|are|[’']s)|below|the following|summari[sz]e|translate|paraphrase|rephrase|re-?write|reword|shorten|proofread|extract)",
    ignore_case=True,
)
_DEMANDED = (
    r"(?:formats?|forms?|(?:exact )?phrases?|template|structure|style|keywords?|key words|exact words?|words?|sections?|constraints?|requirements?|rules|"
    r"instructions?|guidelines|options?|choices?|examples?|titles?|parameters|fields|keys|tasks?|steps|questions?|placeholders?|hashtags?|"
    r"sentences? (?:with|that)|order|criteria|conditions?|actions?|points)"
)
# "in the following format:", "end with the exact phrase", "choose from the following:", "repeat" right before a text.
_DEMANDS = Pattern(
    rf"(?:\b{_DEMANDED}(?:\s[\pL’']+){{0,2}}[^\pL.?!]*|\b(?:following|these|this|below)\s(?:\pL+\s){{0,2}}{_DEMANDED}\b[^.?!]{{0,30}}"
    r"|\b(?:end|start|begin|finish|conclude|open)\w*\b[^.?!\n]{0,40}\b(?:with|by)\b[^.?!\n]{0,30}"
    r"|\b(?:choose|select|pick)\b[^.?!]{0,40}|\b(?:repeat|say|include|titled|called|named|containing|for example|e\.g\.)[^\pL.?!]*)$",
    ignore_case=True,
)
