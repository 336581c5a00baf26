"""Finds what a prompt states right beside its question: "Ann is 31 and Tom is 27. How old is Ann?".

Nothing is handed over here, and what is stated may be wrong: only what a response states otherwise is held against it.
"""

from __future__ import annotations

from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_CHARS = 3000
_MAX_QUESTION_CHARS = 300
_MIN_WORDS = 4
_MAX_QUESTIONS = 3
_CLOSING = "\"'”’)*_ "


def stated_beside_question(prompt: Text) -> list[Region]:
    """Return the sentences that a short prompt states before or after its question; none where it asks nothing."""
    if not 0 < len(prompt) <= _MAX_CHARS or prompt.code_blocks:
        return []
    sentences = prompt.sentences
    questions = [sentence for sentence in sentences if asks(prompt, sentence)]
    if not questions or any(_PROBLEM.search(prompt.slice(each).encode()) for each in questions):
        return []
    how_many = any(_HOW_MANY.search(prompt.slice(each).encode()) for each in questions)
    if how_many and _RECKONING.search(prompt.utf8):
        return []
    # A question with its choices, or a row of questions, states nothing.
    if len(questions) > _MAX_QUESTIONS or _CHOICES.search(prompt.utf8):
        return []
    return [
        sentence
        for sentence in sentences
        if sentence not in questions and _states(prompt, sentence)
    ]


def question_of(prompt: Text) -> Region | None:
    """Return the last sentence that asks with its mark, or else by its words, where there is one."""
    found = [sentence for sentence in prompt.sentences if asks(prompt, sentence)]
    marked = [sentence for sentence in found if prompt.value[sentence.end - 1] == "?"]
    return next(reversed(marked or found), None)


def asks(prompt: Text, sentence: Region) -> bool:
    """Tell whether a sentence asks: by its mark, or by the words it begins with."""
    if sentence.end - sentence.start > _MAX_QUESTION_CHARS:
        return False
    said = prompt.slice(sentence).rstrip(_CLOSING)
    return said.endswith("?") or _ASKING.search(said.encode())


def reckons(said: str) -> bool:
    """Tell whether amounts are put together, taken away or shared: a problem to solve."""
    return _RECKONING.search(said.encode())


def _states(prompt: Text, sentence: Region) -> bool:
    said = prompt.slice(sentence)
    return len(said.split()) >= _MIN_WORDS and not _NOT_STATED.search(said.encode())


_ASKING = Pattern(
    r"^\W*(?:please |now |so |then |and |just )?(?:tell me|name|state|give|who|what|when|where|which|whose|how (?:many|much|old|long|far|tall|high|big|often)|rank|sort|arrange|calculate|compute|find|work out|answer)\b",
    ignore_case=True,
)
# What is to be worked out, and not looked up.
_PROBLEM = Pattern(
    r"\b(?:total|altogether|in all|combined|together|left|remain\w*|each|every|per|more|fewer|less|difference|average|mean|fraction|percent\w*|ratio|probabilit\w+|chance|odds"
    r"|true|right|correct|calculate|compute|find|determine|solve|work out|prove|estimate|profit|twice|times|now|again|another|if (?:i|you|he|she|it|they|we|the|an?|this|that|\pL+ (?:is|are|was))|would|could|should|will (?:he|she|it|they|you|i|we|be)|area|volume|perimeter|x|y|n)\b"
    r"|[=+*^]|\d\s?/\s?\d",
    ignore_case=True,
)
_HOW_MANY = Pattern(r"\bhow (?:many|much|old|long|far)\b", ignore_case=True)
_RECKONING = Pattern(
    r"\b(?:each|every|per|times|twice|thrice|half|\pL*-?(?:thirds?|quarters?|fourths|fifths)|double\w*|triple\w*|more|fewer|less|rest|remain\w*|left|another|additional|extra|total"
    r"|as (?:many|much)|together|again|gave|gives?|bought|buys?|sold|ate|eats?|lost|adds?|added|spends?|spent|both|an? (?:hour|minute|dozen)|then|all)\b|\d\s?/\s?\d",
    ignore_case=True,
)
_CHOICES = Pattern(r"^\W{0,3}[A-Ha-h][.)]\s[^\n]*\n+\W{0,3}[B-Ib-i][.)]\s", multiline=True)
# What is supposed, believed, reported or demanded: no statement to keep to.
_NOT_STATED = Pattern(
    r"\b(?:if|suppose|assum\w+|imagine|let|i (?:think|believe|guess|heard|read|feel|thought|was told|am told|want|need|would)|i'm (?:sure|certain|told)|everyone|everybody|people say|they say|he says|she says|says? that|said that|claim\w*|told me|supposedly|apparently|allegedly|rumou?r\w*|myth|pretend|true or false|you (?:should|must)|please|your (?:answer|response|reply|task)|words?|sentences?|paragraphs?|respond|reply|you are|you're)\b"
    r"|\b(?:teacher|friend|brother|sister|boss|professor|colleague|textbook|book|website|article)\b[^.]{0,20}\b(?:says|said|states|stated|insists|insisted|told|claims)\b"
    r"|^\W*(?:do not|don't|never|always)\b|_{2,}|[=<>{}\\$^]\s?[a-z(\\]",
    ignore_case=True,
)
