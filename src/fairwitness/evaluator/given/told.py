"""Finds the blocks of a prompt that tell facts beside one that asks: notes, a list, a letter, a quoted passage.

The form is a prompt of several blocks, of which a short one asks or orders. One paragraph alone is never split.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.given.blocks import (
    Block,
    asks,
    blocks_of,
    is_quoted,
    may_tell,
    of_oneself,
    of_the_answer,
    tells,
)
from fairwitness.evaluator.given.orders import NOUNS
from fairwitness.evaluator.given.statements import reckons
from fairwitness.evaluator.given.task import last_turn, works_out
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.voice import quotations

_MAX_CHARS = 200_000
_MIN_BLOCKS, _MAX_BLOCKS = 2, 200
# Of a long prompt, what asks stands at its beginning or its end; a question in the middle belongs to the text.
_FEW_BLOCKS, _ENDS = 6, 2
_MIN_WORDS = 12
_END_CHARS = 80
_MAX_PROBLEM_WORDS = 60


def told_beside_a_request(prompt: Text) -> Iterator[Region]:
    """Yield the blocks that tell facts, where another block asks; none of a chat, of code or of a puzzle."""
    if len(prompt) > _MAX_CHARS or prompt.code_blocks:
        return
    blocks = blocks_of(prompt, _MAX_BLOCKS)
    if len(blocks) < _MIN_BLOCKS or last_turn(prompt):
        return
    letter = _letter(prompt, blocks)
    asking = [
        block
        for block in (blocks if len(blocks) <= _FEW_BLOCKS else blocks[:_ENDS] + blocks[-_ENDS:])
        if not _within(block.region, letter) and asks(prompt.slice(block.region))
    ]
    request = "\n".join(prompt.slice(block.region) for block in asking)
    if not asking or _TO_SOLVE.search(request.encode()):
        return
    if letter is not None:
        yield letter
    # Who asks without a word of oneself has the text of somebody else at hand.
    own = of_oneself(request)
    for run in _runs(prompt, blocks, asking, own=own):
        if any(_hands_over(prompt, block, request, own=own) for block in run):
            yield Region(run[0].region.start, run[-1].region.end)
    yield from _introduced(prompt)


def _runs(
    prompt: Text, blocks: list[Block], asking: list[Block], *, own: bool
) -> Iterator[list[Block]]:
    """Yield the neighbouring blocks that may belong to one source: a title and its paragraphs, a list and its heads."""
    run: list[Block] = []
    for block in blocks:
        if block not in asking and may_tell(prompt.slice(block.region), own=own):
            run.append(block)
            continue
        yield run
        run = []
    yield run


def _within(region: Region, other: Region | None) -> bool:
    return other is not None and other.start <= region.start and region.end <= other.end


def _hands_over(prompt: Text, block: Block, request: str, *, own: bool) -> bool:
    said = prompt.slice(block.region)
    if not tells(said, block.items, own=own):
        return False
    if block.items > 1:
        # Of a plan or a story to be made, the items are wishes.
        return not _TO_MAKE.search(request.encode())
    # Prose with amounts to reckon with is a problem to solve, and no source.
    problem = works_out(request) or (
        len(said.split()) <= _MAX_PROBLEM_WORDS and _COMPARES.search(request.encode())
    )
    return is_quoted(said) or not (problem and reckons(said))


def _letter(prompt: Text, blocks: list[Block]) -> Region | None:
    """Return the letter of a prompt: from its greeting to its close, or its first block where it has none."""
    for at, block in enumerate(blocks):
        said = prompt.slice(block.region)
        if not _GREETING.search(said.encode()):
            continue
        end = next(
            (
                later.region.end
                for later in blocks[at:]
                if _CLOSE.search(prompt.slice(later.region)[-_END_CHARS:].encode())
            ),
            0,
        )
        if not end and _DEAR.search(said.encode()):
            end = block.region.end
        region = Region(block.region.start, end)
        letter = prompt.slice(region)
        if len(letter.split()) >= _MIN_WORDS and not _TEMPLATE.search(letter.encode()):
            return region
        return None
    return None


def _introduced(prompt: Text) -> Iterator[Region]:
    """Yield a quotation after a colon, and what follows "Rules of the house:" in its paragraph."""
    for region in quotations(prompt):
        said = prompt.slice(region)
        led = prompt.value[max(0, region.start - 4) : region.start].rstrip()[-1:] == ":"
        if led and len(said.split()) >= _MIN_WORDS and "?" not in said and not of_the_answer(said):
            yield region
    for match in prompt.matches(_TITLE_OF, limit=8):
        end = next((part.end for part in prompt.paragraphs if part.end >= match.end), len(prompt))
        said = prompt.slice(Region(match.end, end)).strip()
        if not said.startswith(('"', "“")) and tells(said):
            yield Region(match.end, end)


_TO_SOLVE = Pattern(
    r"\b(?:code|program|function|script|app|website|python|java\w*|typescript|sql|html|css|regex|api|algorithm|debug|implement|puzzle|riddle|solve|deduce|logic\w*|these steps)\b",
    ignore_case=True,
)
_COMPARES = Pattern(
    r"\b(?:cheap\w*|pays?|costs?|owes?|totals?|altogether|together|differen\w+|gap|average|percent\w*|left|remain\w*|more|less|fewer|longer|faster|estimat\w+)\b",
    ignore_case=True,
)
_TO_MAKE = Pattern(
    r"(?:^|[.!?:] )\W*plan\b|\bplan (?:me|us|my|our|an?)\b|\b(?:design|suggest\w*|recommend\w*|ideas?|brainstorm\w*|invent|stor(?:y|ies)|poems?|songs?|scenes?|characters?|quiz)\b",
    ignore_case=True,
)
_DEAR = Pattern(r"^\W*Dear\s[^\n]{1,60}?[,:!](?:\s|$)")
_GREETING = Pattern(
    r"^\W*(?:Dear|Hi|Hello|Hey|Good (?:morning|afternoon|evening))\s[^\n,:!]{1,60}[,:!–-](?:\s|$)"
)
_CLOSE = Pattern(
    r"\b(?:regards|wishes|sincerely|yours|cheers|love|thanks|thank you|best)\b(?:\s\pL+)?[,.!]?\s+[–—-]?\s?[A-Z][^?\n]{0,50}$|\n\s*[–—-]\s?[A-Z][\pL. ]{1,40}$",
    ignore_case=True,
)
# A letter with blanks is a form to fill in.
_TEMPLATE = Pattern(r"\[[^\]\n]*\]|\{[^}\n]*\}|_{3,}|<[^>\n]*>")
_TITLE_OF = Pattern(
    rf"(?:^|[.!?] )[ \t>*_#]{{0,6}}(?:(?:the|our|this)\s)?(?:\pL+[’']?s?\s){{0,3}}(?:{NOUNS})\s(?:of|for|from|on|by|at|in|to|about|after|before)\s[^.?!:\n]{{1,60}}:[*_]{{0,2}}\s",
    ignore_case=True,
    multiline=True,
)
