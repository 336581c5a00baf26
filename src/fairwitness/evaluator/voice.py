"""Tells where the response speaks for the assistant itself, and where for somebody else.

Quotations, code, sample lines and writing for somebody else are not the assistant's own claims.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern, PatternSet
from fairwitness.evaluator.text import Region, Text


class Voice:
    """Where the assistant speaks for itself in one exchange; each part is computed once, when first used."""

    def __init__(self, exchange: Exchange) -> None:
        """Keep the exchange; nothing is computed yet."""
        self.exchange = exchange

    @cached_property
    def written_for_someone_else(self) -> bool:
        """Whether the prompt asks for writing in somebody else's voice, or the response clearly is such writing."""
        prompt, response = self.exchange.prompt, self.exchange.response
        return WRITING_REQUEST.search(prompt.utf8) or is_draft(response)

    @cached_property
    def role_played(self) -> bool:
        """Whether the response plays a role or is a draft: narrower than `written_for_someone_else`."""
        prompt, response = self.exchange.prompt, self.exchange.response
        return ROLE_PLAY_REQUEST.search(prompt.utf8) or is_draft(response)

    @cached_property
    def quotes(self) -> list[Region]:
        """The regions in quotation marks and the quoted lines, in order."""
        return quotations(self.exchange.response)

    def is_own(self, position: int) -> bool:
        """Tell whether the assistant speaks for itself at this code point of the response."""
        response = self.exchange.response
        if response.in_code(position) or self._in_sample_line(position):
            return False
        index = bisect_right(self.quotes, position, key=lambda region: region.start) - 1
        return index < 0 or not self.quotes[index].contains(position)

    def _in_sample_line(self, position: int) -> bool:
        """Tell whether the line is a list item, table row or labelled line that opens in the first person."""
        lines = self.exchange.response.lines
        line = lines[max(0, bisect_right(lines, position, key=lambda region: region.start) - 1)]
        # The start of a line is enough; the bound keeps a very long line cheap.
        head = self.exchange.response.value[line.start : min(line.end, line.start + 80)]
        own = head.partition(":")[0].strip(" *_#").lower() in OWN_LABELS
        return not own and _SAMPLE_LINE.search(head.encode())


def quotations(text: Text) -> list[Region]:
    """Return the regions between paired marks inside one paragraph, and the lines that start with '>'."""
    found = [Region(match.start, match.end) for match in text.matches(_QUOTED)]
    found.extend(_straight_quotes(text))
    return _merged(found)


def _straight_quotes(text: Text) -> list[Region]:
    """Pair straight double quotes in each paragraph; an unpaired last one is ignored."""
    found: list[Region] = []
    if '"' not in text.value:
        return found
    for paragraph in text.paragraphs:
        opened = -1
        at = text.value.find('"', paragraph.start, paragraph.end)
        while at >= 0:
            if opened < 0:
                opened = at
            else:
                found.append(Region(opened, at + 1))
                opened = -1
            at = text.value.find('"', at + 1, paragraph.end)
    return found


def _merged(regions: list[Region]) -> list[Region]:
    joined: list[Region] = []
    for region in sorted(regions):
        if joined and region.start < joined[-1].end:
            joined[-1] = Region(joined[-1].start, max(joined[-1].end, region.end))
        else:
            joined.append(region)
    return joined


def is_draft(response: Text) -> bool:
    """Tell whether the response is a letter, script or form, by salutation, subject line or blanks."""
    return bool(_DRAFT.occurring(response.utf8))


def last_turn(prompt: Text) -> Region:
    """Return the user's last message where the prompt is a transcript, else the whole prompt."""
    turns = prompt.matches(_USER_TURN)
    return Region(turns[-1].end, len(prompt)) if turns else Region(0, len(prompt))


def is_transcript(prompt: Text) -> bool:
    """Tell whether the prompt contains an earlier conversation with the assistant."""
    return _ASSISTANT_TURN.search(prompt.utf8)


# A request to write, perform, translate, complete or exemplify: first person there is not the assistant.
WRITING_REQUEST = Pattern(
    r"\b(?:(?:re-?)?writ(?:e|ing|ten)|re-?phrase|paraphrase|draft|compose|craft|co-?author|ghost-?write"
    r"|generate|create|come up with|make (?:up|me|a)|role-?play(?:ing)?|pretend|act (?:as|like)"
    r"|acting as|imagine|simulate|you are (?:an?|the|now|in|my|acting|going)|you[’']re an?|your name is"
    r"|you will be|you play|play the (?:role|part)|persona|in character|character|in the style"
    r"|in the voice|as if (?:you|i|he|she|they)|perspective|point of view|first[- ]person|speak as"
    r"|respond as|reply as|answer as|talk like|speak like|translate|translation|transcribe|summari[sz]e"
    r"|summary|proofread|edit|correct (?:the|this|my|these)|improve (?:the|this|my)|fix (?:the|this|my)"
    r"|complete (?:the|this)|continue|finish (?:the|this)|fill in|sentences?|examples?|quotes?|caption"
    r"|tweet|blog|essay|poems?|poetry|haiku|limerick|rap|songs?|lyrics|stor(?:y|ies)|novel|fiction|scene"
    r"|script|screenplay|dialog(?:ue)?s?|monologue|skit|jokes?|riddle|letter|speech|eulogy|toast|vows"
    r"|diary|journal|biography|bio|cover letter|resume|review|testimonial|statement|article|paragraph"
    r"|passage|transcript|interview|affirmations?|slogan|advertisement|ad copy|headline|press release"
    r"|description|given (?:the|a|this)|following|hypothetical(?:ly)?|what would (?:you|he|she) say"
    r"|how would you (?:say|respond|reply|phrase|word|answer)|persuade|convince|say something"
    r"|tell me about (?:your|a time)|(?:human|person) would|as an? (?:\w+ ){0,3}(?:would|might)"
    # A sum in the first person is answered in it.
    r"|how (?:many|much|old|long|far)\b[^.?!\n]{0,40} (?:do|am|did|will|would|have) i)\b",
    ignore_case=True,
)
# Playing a role, as opposed to any writing.
ROLE_PLAY_REQUEST = Pattern(
    r"\b(?:role-?play(?:ing)?|pretend|act (?:as|like)|acting as|imagine|simulate|you are (?:an?|the|now|my)"
    r"|you[’']re an?|your name is|you will be|persona|in character|as if|stor(?:y|ies)|script|dialog(?:ue)?"
    r"|translate|sentences?|hypothetical|fiction|novel|scene|poem|game)\b",
    ignore_case=True,
)
_USER_TURN = Pattern(r"^\s*(?:USER|User|HUMAN|Human)\s*:", multiline=True)
_ASSISTANT_TURN = Pattern(
    r"^\s*(?:ASSISTANT|Assistant|AI|BOT|Bot|ChatGPT|GPT|MODEL|Model)\s*:", multiline=True
)
_QUOTED = Pattern(
    r"“[^”\n]*”|«[^»\n]*»|‘(?:[^’\n]|’\w)*’|「[^」\n]*」|^[ \t]*>[^\n]*"
    r"|(?:^|[\s(:])'[^\s'](?:[^'\n]|'\w)*'(?:[\s.,;:!?)]|$)",
    multiline=True,
)
_SAMPLE_LINE = Pattern(
    r"^[\s|]*(?:[-*•–+]|\(?\d{1,2}[.)]|\(?[a-zA-Z][.)]|\|)\s*[*_\"“'‘]*(?:I|My|As an?|When I)\b"
    r"|^\s*[*_]{0,2}[A-Z][\w .'’()-]{0,30}[*_]{0,2}:[*_]{0,2}\s+[\"“]?(?:\([^)]*\)\s*)?\S"
)
# Labels under which the assistant still speaks for itself.
OWN_LABELS = frozenset(
    "answer update note done status result sure response assistant ai bot summary".split()
)
_DRAFT = PatternSet(
    [
        Pattern(r"^\W*(?:Dear|Hi|Hello|Hey|To) [A-Z\[][^\n]{0,60},\s*$", multiline=True),
        Pattern(r"^\W*Subject(?: line)?\W*:", multiline=True, ignore_case=True),
        Pattern(
            r"\[(?:your|my|recipient|name|date|company|insert|sender|boss|user)\b", ignore_case=True
        ),
        Pattern(
            r"^\W*(?:sincerely|best regards|kind regards|warm regards|regards|yours truly|with love)\W*$",
            multiline=True,
            ignore_case=True,
        ),
        Pattern(
            r"\bonce upon a time\b|\bthe end\.\s*$|^\W*(?:chapter|verse|chorus)\b",
            ignore_case=True,
            multiline=True,
        ),
    ]
)
