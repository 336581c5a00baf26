"""Finds the text that an order is to be done to, however short: "Translate to German: I have 3 dogs".

The form is an order of working on a text, then a colon and the text, or the text in quotation marks.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.voice import quotations

_MAX_ORDERS = 8
_MAX_PROMPT_CHARS = 4000
_MIN_QUOTED_WORDS = 2
_NEAR_CHARS = 60
# Languages that people name in an order, in English or in the language itself.
LANGUAGE = (
    r"(?:arabic|chinese|mandarin|czech|danish|dutch|english|finnish|french|german|greek|hebrew|hindi|hungarian|indonesian|italian|japanese|korean"
    r"|norwegian|persian|polish|portuguese|romanian|russian|spanish|swedish|thai|turkish|ukrainian|vietnamese"
    r"|deutsche?|englische?|französische?|spanische?|italienische?|portugiesische?|inglés|español|alemán|francés|italiano"
    r"|anglais|français|allemand|espagnol|italien|inglese|tedesco|francese|spagnolo|português|inglês|alemão|espanhol|francês)"
)
# "Übersetze" begins with a letter that is none to RE2's \\b.
_WORKING = (
    r"(?:translat\w+|summari[sz]\w+|paraphras\w+|re-?phras\w+|re-?word\w*|re-?writ\w+|proof-?read\w*|edit|correct|fix|repair|shorten|condense|simplify|polish|improve|revise"
    r"|extract|pull|pick out|sort|order|arrange|rearrange|reorder|alphabeti[sz]e|rank|reverse|shuffle|convert|turn|transform|change|re-?format|format|transcribe|punctuate|capitali[sz]e"
    r"|put|tidy|clean|remove|delete|drop|strip|replace|split|join|merge|combine|de-?duplicate|dedupe|spell-?check|render|tabulate|restate|abbreviate|expand|rephrase"
    r"|upper-?case|lower-?case|count|highlight|underline|classify|label|tag|number|identify|find|list|name|make"
    r"|ü?bersetz\w*|korrigier\w*|verbesser\w*|fasse|traduc\w*|tradu[iz]\w*|corrig\w*|resum\w*|résum\w*|riassum\w*)"
)
# An order up to its colon: the verb, or the language, or what is to be set right.
_ORDER = Pattern(
    rf"(?:^|[.!?]\s+|\n)[\W_]{{0,4}}(?:(?:please|kindly|now|can you|could you|would you|i need you to|i want you to|bitte|por favor)[, ]+){{0,2}}"
    rf"(?P<order>{_WORKING}\b[^:\n.?!]{{0,100}}|\pL+ (?:this|these)\b[^:\n.?!]{{0,40}}|(?:in|into|to) {LANGUAGE}(?:,? please)?|{LANGUAGE},? please|(?:the )?(?:grammar|spelling|punctuation|translation|summary) (?:of|check|correction|please)[^:\n.?!]{{0,30}}):\s*",
    ignore_case=True,
)
# What follows such a colon is to be used, chosen from or kept to, and not worked on.
_TO_USE = Pattern(
    r"\b(?:using|use|with|include|including|containing?|from)\b(?: \w+){0,2} (?:these|those|following|this)\b(?: \w+)? (?:words?|terms?|phrases?|elements?|ingredients?|characters?|letters?|facts?)\W*$"
    r"|\b(?:rules?|format|style|keywords?|options?|choices?|criteria|requirements?|steps|questions?|topics?|instructions?|examples?|constraints?|guidelines|ways|things|reasons|ideas|tips|poem|story|about|for|on)\W*$"
    r"|^(?:answer|solve|consider|do|explain|imagine|follow|use|choose|discuss|try|complete|continue|finish|calculate|compute|guess|write|create|tell|ask|is|are|does|with|for|and|like|as|about)\b[^:]*$",
    ignore_case=True,
)
# Quoted words that are to be worked on, whichever side of them the order stands.
_QUOTED_ORDER = Pattern(
    rf"\b(?:translat\w+|paraphras\w+|re-?phras\w+|re-?word|re-?write|proof-?read|shorten|correct (?:the|this)|fix (?:the|this)|grammar|spelling|how (?:do|would|can|to) (?:(?:you|i|we) )?say\b[^?]*\bin|what is\b[^?]*\bin {LANGUAGE}|bersetz\w*|traduc\w*|tradu[iz]\w*|extract|pull)\b",
    ignore_case=True,
)


def worked_on(prompt: Text) -> Iterator[Region]:
    """Yield the regions that an order of the prompt is to be done to."""
    if len(prompt) > _MAX_PROMPT_CHARS:
        return
    for match in prompt.matches(_ORDER, limit=_MAX_ORDERS):
        if not _TO_USE.search(match["order"].encode()):
            yield Region(match.end, len(prompt))
            return
    for region in quotations(prompt):
        before = prompt.value[max(0, region.start - _NEAR_CHARS) : region.start]
        after = prompt.value[region.end : region.end + _NEAR_CHARS]
        if len(prompt.slice(region).split()) >= _MIN_QUOTED_WORDS and (
            _QUOTED_ORDER.search(f"{before} … {after}".encode())
        ):
            yield region
