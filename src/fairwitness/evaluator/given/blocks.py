"""Splits a prompt into blocks, and tells those that ask for something from those that tell facts.

A block is a paragraph, a list, or a part between two rules ("---"). Only its form and its place are looked at.
"""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_REQUEST_CHARS = 600
_MIN_WORDS = 12
_MIN_CLAUSES = 2
_MIN_LIST_WORDS = 8
_MIN_MARKS = 2
_MAX_READ_CHARS = 6000
# So long a block tells, whether it has names and numbers or not.
_MANY_WORDS, _MANY_SENTENCES = 30, 3
_AFTER = "\"'”’)*_ "
_OPENING, _CLOSING = '"“«„', '"”»“'


class Block(NamedTuple):
    """A part of a prompt: where it stands, and whether it has items."""

    region: Region
    items: int = 0


def blocks_of(prompt: Text, limit: int) -> list[Block]:
    """Return the blocks of a prompt, in order; none where there are more than `limit`."""
    found: list[Block] = []
    lines: list[Region] = []
    items = 0

    def close() -> None:
        nonlocal items
        if lines:
            found.append(Block(Region(lines[0].start, lines[-1].end), items))
        lines.clear()
        items = 0

    for line in prompt.lines:
        said = prompt.slice(line)
        if not said.strip() or _RULE.search(said.encode()):
            close()
            continue
        item = _ITEM.search(said.encode())
        if lines and _begins(prompt, lines, items, said, item=item):
            close()
        if len(found) >= limit:
            return []
        lines.append(line)
        items += item
    close()
    return found


def _begins(prompt: Text, lines: list[Region], items: int, said: str, *, item: bool) -> bool:
    """Tell whether a line begins a block of its own, with no blank line before it."""
    before = prompt.slice(lines[-1]).rstrip()
    if items:
        return not item and said[0] not in " \t#" and not before.endswith(":")
    so_far = prompt.value[lines[0].start : lines[-1].end]
    if item or len(lines) == 1:
        return before.endswith(("?", ":")) and asks(so_far)
    return said.rstrip().endswith("?") and before.endswith((".", "!", ":", '"', "”"))


def asks(said: str) -> bool:
    """Tell whether a block asks, orders or leads up to something: in its first sentence or its last."""
    said = said.strip()
    if not said or len(said) > _MAX_REQUEST_CHARS or is_quoted(said):
        return False
    sentences = [Text(said).slice(each) for each in Text(said).sentences]
    ends = [each for each in (sentences[0], sentences[-1]) if " " in each or len(sentences) == 1]
    bare = said[-1] not in ".!" and "\n" not in said and _ASKING.search(said.encode())
    return (
        said.endswith(":")
        or bare
        or any(each.rstrip(_AFTER).endswith("?") or _REQUEST.search(each.encode()) for each in ends)
    )


def is_quoted(said: str) -> bool:
    """Tell whether a block stands in quotation marks as a whole."""
    said = said.strip()
    return len(said) > 1 and said[0] in _OPENING and said[-1] in _CLOSING


def tells(said: str, items: int = 0, *, own: bool = True) -> bool:
    """Tell whether a block states facts: several clauses or items, and names, numbers or dates in them, or length.

    `own` is whether what is said in the first person is said by the one who asks, and so no source.
    """
    said = said[:_MAX_READ_CHARS].strip()
    if not may_tell(said, own=own):
        return False
    text, words = Text(said), len(said.split())
    if items > 1:
        lines = [line for line in said.split("\n") if _ITEM.search(line.encode())]
        marked = sum(_ITEM_MARK.search(line.encode()) for line in lines)
        ordered = any(_ITEM_ORDERS.search(line.encode()) for line in lines)
        enough = max(_MIN_MARKS, len(lines) // 2)
        return words >= _MIN_LIST_WORDS and marked >= enough and not ordered
    sentences = text.sentences
    asked = sum(_asked(text, each) for each in sentences)
    long = words >= _MANY_WORDS and len(sentences) >= _MANY_SENTENCES
    if not is_quoted(said) and asked and not (long and asked * 5 <= len(sentences)):
        return False
    # Single words, each on its line, are a choice and no facts.
    if words < max(_MIN_WORDS, len(sentences) * 3) or (
        _SUPPOSED.search(said.encode()) and not long
    ):
        return False
    clauses = len(sentences) + said.count(";")
    marks = len(text.matches(_MARK, limit=_MIN_MARKS))
    return long or (clauses >= _MIN_CLAUSES and marks >= _MIN_MARKS)


def may_tell(said: str, *, own: bool = True) -> bool:
    """Tell whether a block can belong to a source: nothing of the answer, of oneself, of code or of choices."""
    utf8 = said[:_MAX_READ_CHARS].encode()
    if of_the_answer(said) or _NO_PROSE.search(utf8):
        return False
    return not own or is_quoted(said) or not _OF_ONESELF.search(utf8)


def of_oneself(said: str) -> bool:
    """Tell whether something is said in the first person."""
    return _OF_ONESELF.search(said.encode())


def _asked(text: Text, sentence: Region) -> bool:
    """Tell whether a sentence ends with a question mark."""
    return text.slice(sentence).rstrip(_AFTER).endswith("?")


def of_the_answer(said: str) -> bool:
    """Tell whether something is said of the answer that is wanted, or to the one who answers."""
    return _OF_THE_ANSWER.search(said.encode())


_RULE = Pattern(r"^\s*(?:-{3,}|={3,}|_{3,}|—{2,})\s*$")
_ITEM = Pattern(r"^\s*(?:[-*•‣–·]|\d{1,2}[.)]|#\d+)\s?\S")
# Question words ask with a question mark alone: "When the mill burned, ..." tells.
_REQUEST = Pattern(
    r"^\W*(?:(?:please|pls|now|then|so|ok|okay|hi|hello|hey|thanks|kindly|also|and|quick(?:ly)?|just)\b\W*){0,3}"
    r"(?:summari[sz]e|answer|extract|translate|explain|write|rewrite|describe|tell|say|identify|give|list|turn|convert|provide|create|generate|make"
    r"|paraphrase|shorten|rephrase|reword|return|respond|reply|classify|determine|compare|analy[sz]e|draft|compose|find|help|show|check|fix|correct"
    r"|proofread|edit|prepare|suggest|recommend|calculate|compute|work out|add up|total|sort|rank|count|decide|confirm|mention|sum up|tl;?dr|condense"
    r"|simplify|format|put|pull|pick|choose|fill|complete|estimate|solve|read|act|pretend|imagine|repeat|do not|don[’']t|please|let|can you|could you"
    r"|would you|will you|(?:i|we)(?: [’']?\pL+)? (?:need|want|like|have to|must|wonder)|i[’']d like|i(?: a|[’'])m (?:looking|trying|wondering)|you are|you[’']re|your task|use|using|based on|according to|from the|plan|sign|note|report|outline|state|name|rate"
    r"|(?:a |one |two |three |short |quick |brief ){1,3}(?:summary|line|sentence|caption|headline|version|recap|reply|paragraph)s?\b)\b"
    r"|\bwants? (?:to know|an?|one|two|the)\b|\b(?:pls|plz|please)\W*$",
    ignore_case=True,
)
_ASKING = Pattern(
    r"^\W*(?:hi,? |hey,? |so |and |ok,? )?(?:what|who|whom|whose|when|where|which|why|how|is|are|was|were|does|do|did|can|could|may|might|should|would|will|has|have)\b",
    ignore_case=True,
)
_OF_ONESELF = Pattern(r"\b(?:I|I[’']m|I[’']ve|I[’']d|[Mm]y|[Mm]e)\b")
_OF_THE_ANSWER = Pattern(
    r"\byour (?:\pL+ )?(?:answers?|response|reply|task|output|role|job|goal|text|work|letter|e-?mail|essay|post|article)\b|\b(?:the|entire|whole|this|each) (?:\pL+ )?(?:answer|response|reply|output|essay|poem|story|task|request|prompt)\b"
    r"|\byou(?:[’']re| are) (?:an?|the|my|given|going|to)\b|\byou (?:will|must|should|need to|have to) (?:be|act|write|answer|reply|respond|use|include|return|only|never|always|now|provide|follow|generate|produce|give|make)\b|\b(?:respond|reply|answer) (?:with|in|to|only)\b|\bin \d+ words|\b\d+(?:[–-]\d+)? (?:words|sentences|paragraphs|bullets?|lines|characters)\b"
    r"|\bwords or (?:less|fewer)\b|\bbullet points?\b|\bin (?:the|this) (?:format|style|tone)\b|\b(?:do not|don[’']t|must|should) (?:not )?(?:use|include|mention|contain|write|return|add|repeat|say)\b"
    r"|\b(?:make sure|ensure that|for example|placeholders?|keywords?|commas|word count|target audience|tone of voice|step by step|bullet \d)\b"
    r"|(?:^|\n)\W*(?:examples?|input|output|tone|style|format|audience|length|requirements?|constraints?|rules|goal|task|role)\b[^:\n]{0,12}:",
    ignore_case=True,
)
# Code, formulas, blanks to fill in, choices.
_NO_PROSE = Pattern(
    r"[{}\\^]|==|=>|->|\w\(\w*\)[;.]|;\s*(?:\n|$)|_{2,}|\$[^$\n]{1,40}\$|\b[a-moq-zA-MO-Z]\s?=\s?\S|\w_\w+\s?=|(?:^|\n)\s*\w+\s?=\s?\S|<\w+>|<<|\[(?:\pL+ )*(?:here|your|name|insert|put|section|details|title)\b|[.]{4,}|https?://"
    r"|(?:^|\n)\W{0,3}[A-Ha-h][.)]\s|(?:^|\n)(?:def|class|import|public|function|const|var|select|from)\s",
    ignore_case=True,
)
_SUPPOSED = Pattern(
    r"^\W*(?:if|suppose|supposing|imagine|assume|assuming|consider|let|given|true or false|pretend|think of)\b",
    ignore_case=True,
)
# A number, or a name that does not open a sentence.
_MARK = Pattern(r"\d+|[\pL\d,;)–-][’']? (?:the )?[A-Z]\pL+")
_ITEM_MARK = Pattern(
    r"^\s*(?:[-*•‣–·]|\d{1,2}[.)]|#\d+)[^\n]*?(?:\d|\s[-–—]\s|:\s|[\pL,]\s[A-Z]\pL)"
)
_ITEM_ORDERS = Pattern(
    r"^\s*(?:[-*•‣–·]|\d{1,2}[.)])\s*(?:at least|at most|exactly|no more|must|should|include|use|avoid|write|do|don[’']t|make|ensure|keep|explain|describe|give|provide|list|create|state|end|start|begin|mention|be|how|what|why|when|where|who|which)\b",
    ignore_case=True,
)
