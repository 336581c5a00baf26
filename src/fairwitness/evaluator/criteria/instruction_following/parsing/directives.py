"""Finds the sentences of a prompt that ask something of the writer.

Left out are questions, stories about somebody, pasted texts to work on, earlier turns of a
pasted dialogue, and demands that are taken back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from fairwitness.evaluator.criteria.instruction_following.parsing.lengths_in_questions import (
    closing_length,
    opens_with_length,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import (
    CODE,
    COMMANDS,
    FRAGMENTS,
    LABELS,
    MODALS,
    QUESTION_WORDS,
    RESPONSES,
    WORKS,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.pasted_text import (
    opens_with_error,
    pasted_text,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import (
    END,
    LINE,
    NUMBER,
    SYMBOL,
    WORD,
    Token,
)

_CONNECTORS = frozenset(
    """also and but then finally next first second third lastly please additionally furthermore
    moreover plus now however importantly note firstly secondly thirdly so ok okay hi hello hey
    again besides afterwards after otherwise yet or overall further just kindly""".split()
)
_QUESTION_LEADS = frozenset(
    "what why how when who whom whose which where is are was were do does did has have am "
    "what's who's how's where's isn't aren't doesn't don't didn't should".split()
)
_PERSONS = frozenset(
    "i we he she they my our his her their i'm i've he's she's we're they're someone".split()
)
_WISHES = frozenset("want need like wish prefer expect require i'd would looking hoping".split())
_WAIVED = frozenset("ignore disregard optional unnecessary needn't".split())
_SUPPOSED = frozenset(
    "if when whenever suppose supposing unless although though because since while".split()
)
_DESCRIBED = frozenset("paragraph paragraphs paragraph's section sections".split())
_STANDS = frozenset("starts start begins begin separated word".split())
_NEEDED = frozenset("need have necessary required".split())
_VERBS = frozenset("answer reply answers replies".split())
_TELLING = frozenset("please to you must should can could will and then i we".split())
_SEE = frozenset("see read hear".split())
_PAST = frozenset("was were had did previous earlier thanks thank".split())
_STATES = frozenset("be have contain each all both not also include".split())
_JOINTS = frozenset({",", ":", "and", "but", "then", "-", "–", "—", ")", ";"})
_SO = frozenset({"so", "please"})  # "We're in Leeds, so use British spelling"
_MAKE = frozenset(
    "write create generate develop make build implement design produce give provide".split()
)


def directives(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield the token ranges of the sentences that ask something of the writer."""
    ranges = list(sentences(tokens))
    supplied_from, resumes = pasted_text(tokens, ranges)
    turn, answered = _last_turn(tokens)
    for start, end in ranges:
        if turn <= start < answered and not opens_with_error(tokens, start):
            last = supplied_from if start < supplied_from < end else end
            first = _past_condition(tokens, start, last)
            first = closing_length(tokens, first, last)
            supplied = supplied_from <= first < resumes
            if _directive(sentence := tokens[first:last], supplied=supplied):
                yield first, last
                if supplied and _obliges_the_work(sentence):
                    resumes = first


def sentences(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield the token ranges of all sentences; a line end closes one too, unless it only wraps."""
    first = 0
    for index, token in enumerate(tokens):
        if token.kind == END or (token.kind == LINE and not _wrapped(tokens, index)):
            if index >= first:
                yield first, index + 1
            first = index + 1
    if first < len(tokens):
        yield first, len(tokens)


def _wrapped(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a line end only wraps a sentence that goes on in lower case."""
    if tokens[index].low == "blank" or not 0 < index < len(tokens) - 1:
        return False
    return tokens[index - 1].kind == WORD and tokens[index].value == 1


def _last_turn(tokens: Sequence[Token]) -> tuple[int, int]:
    """Return the token range of the last thing a person says in a pasted dialogue, else everything."""
    turn, answered = 0, len(tokens)
    for index, token in enumerate(tokens[:-1]):
        if tokens[index + 1].low == ":" and (not index or tokens[index - 1].kind == LINE):
            if token.low in {"assistant", "ai", "bot", "chatbot"}:
                answered = min(answered, index)
            elif token.low in {"human", "user"}:
                turn, answered = index, len(tokens)
    return turn, answered


def _past_condition(tokens: Sequence[Token], first: int, last: int) -> int:
    """Skip a leading "if ..." or "when ...": what it supposes asks for nothing."""
    if tokens[first].low not in _SUPPOSED:
        return first
    return next((n + 1 for n in range(first, last) if tokens[n].low == ","), first)


def _directive(sentence: Sequence[Token], supplied: bool) -> bool:
    """Tell whether a sentence asks something of the writer, here and now."""
    words = [token.low for token in sentence if token.kind == WORD]
    every = set(words)
    if supplied and not _of_the_work(words):
        return False
    if _WAIVED & every or _waived(words) or _asks_for_code(words):
        return False
    start = 0
    while start < len(words) and words[start] in _CONNECTORS:
        start += 1
    lead = words[start] if start < len(words) else ""
    addressed = bool({"your", *RESPONSES} & every)
    if sentence[-1].low[:1] == "?" and (lead in _QUESTION_LEADS or QUESTION_WORDS & set(words[:3])):
        return _asks_for_several(sentence) or opens_with_length(sentence)
    you_next = words[start + 1 : start + 2] == ["you"]
    requested = lead in {"can", "could", "would", "will"} and you_next
    if requested or lead in {"i'd", "we'd"} or (lead in _PERSONS and _of_things(words[start:])):
        return True
    if lead in _PERSONS:
        if _purpose(sentence) and "you" not in every:
            return addressed and bool(MODALS & every)
        asks = _WISHES & set(words[start : start + 4]) or (addressed and MODALS & every)
        return bool(asks) or _command_inside(sentence, _SO)
    if lead in _SUPPOSED:
        return bool(MODALS & every) or addressed
    if any(token.kind == SYMBOL and token.low == "RULE" for token in sentence):
        return True
    if (
        not lead
        or lead in COMMANDS
        or lead in FRAGMENTS
        or words[0] in WORKS
        or MODALS & every
        or _obliged(words)
    ):
        return True
    if sentence[0].kind != WORD or _is_heading(sentence):
        return True
    return _command_inside(sentence) or _on_your_response(words)


def _is_heading(sentence: Sequence[Token]) -> bool:
    """Tell "Top 10 lakes", "Just the number" and an outline's "Introduction: 2 sentences" from a sentence."""
    if sentence[0].low in {"just", "only"}:
        return any(token.low in {"number", "integer"} for token in sentence[1:4])
    if sentence[0].low == "top":
        ahead = sentence[1:2]
    elif sentence[0].low in LABELS and len(sentence) > 1 and sentence[1].low in ":(-–—":
        ahead = sentence[2:3]
    else:
        return False
    return bool(ahead) and ahead[0].kind == NUMBER


def _purpose(sentence: Sequence[Token]) -> bool:
    """Tell whether a sentence says early what somebody wants to do: "I want to", not "up to 3" or "2 to 3"."""
    return any(
        two.low == "to" and one.kind == WORD and one.low != "up" and three.low not in _SEE
        for one, two, three in zip(sentence, sentence[1:], sentence[2:6], strict=False)
    )


def _asks_for_several(sentence: Sequence[Token]) -> bool:
    """Tell whether a question asks for a number of things: "What are 5 ways to ...?", "the top 5 causes"."""
    lows = [token.low for token in sentence[:4]]
    counted = sentence[4 if lows[2:] == ["the", "top"] else 3 if lows[2:3] == ["the"] else 2 :]
    asked = lows[:2] in (["what", "are"], ["which", "are"])
    return asked and bool(counted) and counted[0].kind == NUMBER


def _on_your_response(words: Sequence[str]) -> bool:
    """Tell whether it tells how "your answer" is to be, and not how it was."""
    named = any(one == "your" and two in RESPONSES for one, two in pairwise(words))
    return named and not _PAST & set(words)


def _of_the_work(words: Sequence[str]) -> bool:
    """Tell whether a sentence speaks of the response by name: "the reply", "your whole summary"."""
    if any(
        word in RESPONSES and not (word in _VERBS and _told(words, at))
        for at, word in enumerate(words)
    ):
        return True
    places = (n for n, word in enumerate(words) if word == "your")
    return any(WORKS & set(words[n + 1 : n + 3]) for n in places)


def _told(words: Sequence[str], at: int) -> bool:
    """Tell whether "answer" is what somebody is to do: "please answer", "you can reply"."""
    return at == 0 or words[at - 1] in _TELLING


def _obliges_the_work(sentence: Sequence[Token]) -> bool:
    """Tell whether "your response must ..." ends a pasted text: what follows is asked of the response."""
    words = [token.low for token in sentence if token.kind == WORD]
    return _of_the_work(words[:6]) and not MODALS.isdisjoint(words)


def _asks_for_code(words: Sequence[str]) -> bool:
    """Tell whether the thing to write is a program: what follows is then asked of the program."""
    made = next((n for n, word in enumerate(words) if word in _MAKE), None)
    if made is None or _alone(words):
        return False
    things = (
        word
        for word in words[made : made + 8]
        if word in CODE or word in WORKS or word in RESPONSES
    )
    return next(things, "") in CODE


def _alone(words: Sequence[str]) -> bool:
    """Tell whether code is asked for and nothing beside it: "just the code", "code only"."""
    only = [n for n, word in enumerate(words) if word in {"only", "just", "nothing"}]
    code = [n for n, word in enumerate(words) if word in CODE or word == "snippet"]
    return any(-1 <= at - n <= 4 for n in only for at in code)


def _waived(words: Sequence[str]) -> bool:
    """Tell whether the sentence takes a demand back: "you don't have to", "no need to"."""
    if words[:1] == ["you"] and words[1:2] in (["can"], ["may"]):
        return not {"only", "not", "never"} & set(words[2:5])
    for before, after in pairwise(words):
        if before in {"don't", "not", "no", "doesn't"} and after in _NEEDED:
            at = words.index(before)
            if after in {"need", "necessary", "required"} or words[at + 2 : at + 3] == ["to"]:
                return True
    return False


def _obliged(words: Sequence[str]) -> bool:
    """Tell whether it says what is required, what may appear, or how paragraphs are laid out."""
    if _DESCRIBED & set(words) and (_STANDS & set(words) or words[:2] == ["there", "are"]):
        return True
    for before, after in pairwise(words):
        if (before in {"has", "have"} and after == "to") or (before, after) == ("off", "limits"):
            return True
        if before in {"can", "may"} and after in {"appear", "be", "occur", "only", "show", "not"}:
            return True
    return False


def _of_things(words: Sequence[str]) -> bool:
    """Tell "they should be separated" and "I need it to be" from what people do and need."""
    if words[0] == "they":
        return bool({"should", "must"} & set(words[1:2])) and bool(_STATES & set(words[2:3]))
    return words[1:2] in (["need"], ["want"], ["expect"]) and words[2:3] in (
        ["it"], ["this"], ["the"], ["your"], ["them"],
    )  # fmt: skip


def _command_inside(sentence: Sequence[Token], joints: frozenset[str] = _JOINTS) -> bool:
    """Tell whether a command follows a comma, a colon or a joining word."""
    joined = False
    for token in sentence:
        if token.low in joints:
            joined = True
        elif joined and token.kind == WORD and token.low in COMMANDS:
            return True
        elif token.low not in _CONNECTORS:
            joined = False
    return False
