"""Tells a demand on the response from one that is only mentioned: what others ask, must do, or are asked.

"Explain why tweets must be under 280 characters" asks for no length; "Explain tides; it must be under
280 characters" does. Only the sentence around the demand is looked at.
"""

from __future__ import annotations

from itertools import pairwise

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import (
    COMMANDS,
    RESPONSES,
    SYMBOLS,
    WORKS,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import NUMBER, WORD

# Who asks, says or rules something: what follows is theirs, not the prompt's.
_REPORTS = frozenset(
    "says said asks asking requires requiring forces forcing saying states stating tells told telling instructs "
    "instructing demands demanding wants claims mandates teaches asked checks verifies ensures guarantees enforces "
    "claimed argued argues believes believed insists insisted demanded declared advised advises".split()
)
_WORDING = frozenset({"required_words", "forbidden_words", "keyword_count"})
_LENGTHS = frozenset(
    "word_count sentence_count paragraph_count line_count character_count item_count".split()
)
_OTHERS_DO = frozenset({"who", "examples", "whose"})
_FED = frozenset("for feed feeding serve serving invite invited have hosting".split())
_ASKING = frozenset("i we i'm am you it please".split())
_INDIRECT = frozenset("why how whether".split())
_MODALS = frozenset(
    "must should shall has have need needs cannot can't mustn't shouldn't can may required allowed".split()
)
_DUTIES = frozenset("must should gotta".split())
_HAVE_TO = (["have", "to"], ["need", "to"], ["had", "to"])
_OF_WORK = frozenset("i we me us it take words pages lines per day days week hour".split())
_HOW_MUCH = frozenset("many much long fast".split())
_FINITE = frozenset("use uses contain contains include includes are is was were".split())
_CLAUSE_OPENERS = frozenset("it you your please also make keep this the response".split())
# Texts that are themselves demands: they ask their readers, not the writer of the response.
_RULES = frozenset("prompt prompts rubric rule rules policy survey questionnaire regex".split())
_INTO_RULES = frozenset("that which to asking telling requiring where forcing instructing".split())
_NOT_WRITTEN = frozenset(
    """password username everyone everybody user student applicant candidate player author writer teacher file
    image website program method form he she who people children reader employee tenant company""".split()
)
# "tips for writing a 500-word essay": the essay is one the reader will write.
_ADVICE = frozenset(
    "tips advice ways strategies tricks steps guidelines techniques guide how".split()
)
_LEADS_ON = frozenset("for on to about".split())
_WRITING = frozenset(
    "write writing compose composing create creating make making draft drafting produce producing".split()
)
_AGENTS = frozenset("bot chatbot assistant model program tool script app robot system".split())
_MAX_TOKENS_BEFORE = 60  # further back nothing governs a demand
_BETWEEN = frozenset("also always only not never each all both still then".split())
# What goes on with the things that something must have: "must hold a digit and no commas".
_TELLS_WHICH = frozenset("that which whose where".split())
_OBLIGED = frozenset("must should may can".split())
_CONTINUES_LIST = frozenset("no at exactly fewer less more not".split())
_MADE = frozenset("the your both these those two three".split())


def is_reported(prompt: Prompt, demand: Demand) -> bool:
    """Tell whether a demand is only mentioned in the prompt, not made."""
    # A demand for a language has a long span; what governs it is right before the language's name.
    named = demand.span.end - 1 if demand.kind == "language" else demand.span.start
    index = _token_at(prompt, named)
    first, _ = prompt.sentence_of(index)
    lows = prompt.lows(max(first, index - _MAX_TOKENS_BEFORE), index)
    said = lows[_last_joint(lows) :]
    if demand.kind in _WORDING:
        # "a letter telling him to leave, with the word X": the letter is the response itself.
        said = ["" if low.endswith("ing") else low for low in said]
    # It is the poem, and nobody in it, whose first letters spell a word.
    others = _OTHERS_DO - {"whose"} if demand.kind == "acrostic" else _OTHERS_DO
    eaten = demand.kind == "ingredients" and _is_guest(said)
    if others & set(said) and demand.kind not in _LENGTHS and not eaten:
        return True  # somebody in the story does so, or a sample shows it
    if _said_by_others(said) or _indirect(said) or _in_rules(said) or _in_advice(said):
        return True
    if _of_others(prompt, index) or _of_books(said):
        return True
    if demand.kind in _LENGTHS and (said[-2:] == ["what", "a"] or _of_own_work(prompt, index)):
        return True  # "tell me what a 300-word abstract covers"
    return _about_another(said) or _said_after(prompt, demand)


def _token_at(prompt: Prompt, start: int) -> int:
    low, high = 0, len(prompt.tokens) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if prompt.tokens[middle].start <= start:
            low = middle
        else:
            high = middle - 1
    return low


def _last_joint(lows: list[str]) -> int:
    """Return where the clause begins that speaks to the writer again: "..., and keep it short"."""
    cut = 0
    for at, low in enumerate(lows[:-1]):
        if low in {";", "—", ":"}:
            cut = at + 1
        elif low in {",", "and", "but"}:
            following = (
                lows[at + 1]
                if lows[at + 1] not in {"and", "but"}
                else "".join(lows[at + 2 : at + 3])
            )
            if following in COMMANDS or following in _CLAUSE_OPENERS:
                cut = at + 1
    return cut


def _is_guest(said: list[str]) -> bool:
    """Tell whether food is asked for somebody: "a cake for a friend who can't have nuts"."""
    at = said.index("who") if "who" in said else 0
    return not _FED.isdisjoint(said[max(at - 5, 0) : at])


def _said_by_others(said: list[str]) -> bool:
    for at, low in enumerate(said):
        if low not in _REPORTS or (at and (said[at - 1] in _ASKING or said[at - 1] in RESPONSES)):
            continue
        rest = said[at + 1 :]
        if {"you", "your"} & set(rest[:3]):
            continue
        if {"to", "that"} & set(rest) or _MODALS & set(rest):
            return True
    return False


def _indirect(said: list[str]) -> bool:
    at = next((n for n, low in enumerate(said) if low in _INDIRECT), None)
    if at is None:
        return False
    rest = set(said[at + 1 :])
    told = bool(_MODALS & rest) or said[-1] in _FINITE
    return told and not ({"your", "you"} | RESPONSES) & rest


def _of_own_work(prompt: Prompt, index: int) -> bool:
    """Tell whether users say what they have to write, and ask how much of it: "I must write 900 words. How many a day?"."""
    first, last = prompt.sentence_of(index)
    said = prompt.lows(first, index)
    said = said[_last_joint(said) :]
    if COMMANDS.isdisjoint(prompt.sentence_words(index)):
        said = prompt.lows(0, index)  # "I must write 900 words. 200 words are there."
    duty = any(
        one in {"i", "we"} and (two in _DUTIES or [two, three] in _HAVE_TO)
        for one, two, three in zip(said, said[1:], said[2:], strict=False)
    )
    asked = pairwise(prompt.lows(last, len(prompt.tokens)))
    return duty and any(
        one == "how" and two in _HOW_MUCH and not _OF_WORK.isdisjoint(prompt.sentence_words(at))
        for at, (one, two) in enumerate(asked, start=last)
    )


def _in_rules(said: list[str]) -> bool:
    return any(
        (one in _RULES and two in _INTO_RULES)
        or (one in _AGENTS and two in {"that", "which", "who"})
        for one, two in pairwise(said)
    )


def _in_advice(said: list[str]) -> bool:
    """Tell whether advice is asked for on how to write such a thing, and not the thing."""
    return any(
        low in _ADVICE
        and bool(_LEADS_ON & set(said[at + 1 : at + 2]))
        and bool(_WRITING & set(said[at + 2 : at + 4]))
        for at, low in enumerate(said)
    )


def _of_books(said: list[str]) -> bool:
    """Tell whether other things are described: "books written without the letter e"."""
    return any(
        two == "written" and one.endswith("s") and len(one) > 3 and one not in SYMBOLS
        for one, two in pairwise(said[-4:])
    )


def _about_another(said: list[str]) -> bool:
    """Tell whether another text is spoken of: "tell me about a poem that ends with"."""
    at = next((n for n, low in enumerate(said) if low == "about"), len(said))
    spoken_of = said[at + 1 : at + 5]
    return spoken_of[:1] in (["a"], ["an"], ["any"], ["some"]) and any(
        one in WORKS and two in _TELLS_WHICH for one, two in pairwise(spoken_of)
    )


def _said_after(prompt: Prompt, demand: Demand) -> bool:
    """Tell whether somebody else is named after it who says so: "..., says the law"."""
    last = _token_at(prompt, demand.span.end - 1)
    after = prompt.lows(last + 1, min(prompt.sentence_of(last)[1], last + 12))
    return any(
        one == "," and two in {"says", "said", "claims", "according"}
        for one, two in pairwise(after)
    )


def _of_others(prompt: Prompt, index: int) -> bool:
    """Tell whether what must be so is said of something else than the response: "entries must be"."""
    first, _ = prompt.sentence_of(index)
    tokens = prompt.tokens
    at = index - 1
    first = max(first, index - _MAX_TOKENS_BEFORE)
    while at >= first and not (tokens[at].kind == WORD and tokens[at].low in _OBLIGED):
        joined = tokens[at].low in {",", ";", ":", "and", "but"}
        if joined and (at < index - 1 or tokens[index].low not in _CONTINUES_LIST):
            return False
        at -= 1
    allowed = at >= first and tokens[at].low in {"may", "can"}
    at -= 1
    while at > first and tokens[at].low in _BETWEEN:
        at -= 1
    if at < first or tokens[at].kind != WORD:
        return False
    head = tokens[at].low
    if head in _NOT_WRITTEN or head in _AGENTS:
        return True
    if allowed:
        return False
    if not head.endswith("s") or head.endswith(("ss", "'s", "us", "is")) or len(head) < 4:
        return False
    if "of" in prompt.lows(at - 2, at):
        return False  # "one of the comments" speaks of a part of the response
    if _asked_for(prompt, head):
        return False
    if head[:-1] in WORKS:
        return at == first or tokens[at - 1].low not in _MADE
    return head not in SYMBOLS


def _asked_for(prompt: Prompt, things: str) -> bool:
    """Tell whether a number of such things is asked for: "two proverbs. Proverbs should be"."""
    places = prompt.positions.get(things, [])[:3]
    return any(token.kind == NUMBER for n in places for token in prompt.tokens[max(n - 3, 0) : n])
