"""Finds demands on how the response starts and ends: phrases and postscripts."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import RESPONSES, SYMBOLS
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import (
    END,
    LINE,
    STRING,
    WORD,
)
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region

_TARGET = r"(?:RESP|WORK|by|off|in|up|all|and|at|on|,|out) "
LAST = Pattern(
    r"\bS (?:come|comes|go|goes|stand|WRAP|APPEAR|WRITE|USE) at ENDS |"
    r"\bS (?:last|final) (?:words?|sentence|line|phrase|thing) |"
    r"\bENDS (?:RESP |WORK |at |in |by |, |WRITE )*(?:(?:following )?(?:phrase|words?|sentence|line|request|statement) )?"
    r"(?:read|SAY|USE|S|:|ask|asking|stating) "
    rf"|\bENDS (?:{_TARGET}){{0,4}}(?:with|as|by) "
    r"|\b(?:last|final) (?:Q\d+ )?(?:words?|sentence|line|phrase|statement|thing) (?:in |at |RESP |WORK |USE |on )*(?:(?:sentence|words?|line|statement) )?(?::|S|read|phrase|SAY) "
)
FIRST = Pattern(
    rf"\bSTARTS (?:{_TARGET}){{0,4}}(?:with|as|by) "
    r"|\bORD (?:words?|sentence|line|phrase) (?:in |at |RESP |WORK |USE )*(?::|S|read) "
)
# A work under a name no list has ("end your eulogy with ..."): it counts where the prompt asked for just that.
_NAMED_WORK = (
    r"(?P<work>[a-z][a-z-]+) (?:with|as|by) (?:(?:exact|following|phrase|words?|sentence|line) )*S "
)
LAST_OF_WORK = Pattern(rf"\bENDS {_NAMED_WORK}")
FIRST_OF_WORK = Pattern(rf"\bSTARTS {_NAMED_WORK}")
POSTSCRIPT = Pattern(r"\b(?P<ps>PP?S|postscript) ")
PATTERNS = (LAST, FIRST, LAST_OF_WORK, FIRST_OF_WORK, POSTSCRIPT)

_PARTS = frozenset(
    "phrases phrase sentences lines names each paragraph sentence line section bullet ORD title word words letter LETTER part stanza verse chapter item keyword postscript name names it".split()
)
_PHRASE_NOUNS = frozenset(
    "phrase words word sentence question statement line text exact following is be of: : of with read reads like the this exactly these saying stating asking writing".split()
)
_NAMED = frozenset("sentence phrase line word words statement request".split())
_ANNOUNCES = frozenset(": phrase question sentence statement words".split())
_NO_PHRASE = frozenset("a an your my one some postscript at PS PPS".split())
_LINKS = frozenset("be is are being in with by on as read reads say says".split())
_MAX_PHRASE_CHARS = 200
_MAX_SENTENCE_TOKENS = 24
_DEMAND_STARTS = frozenset(
    "no nothing do don't never also make please use include your the write wrap highlight in it there this ensure".split()
)
_FORM_WORDS = frozenset(
    """follow follows after phrase response answer reply words word commas sentences sentence letter letters else
    entire keywords paragraphs markdown json""".split()
)


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the demands on the first and last words."""
    for kind, known, named in (
        ("ends_with", LAST, LAST_OF_WORK),
        ("starts_with", FIRST, FIRST_OF_WORK),
    ):
        found = [*_start_or_end(prompt, known, kind)]
        yield from found or _start_or_end(prompt, named, kind)
    for match in prompt.find(POSTSCRIPT):
        if _wanted_postscript(prompt, match):
            yield _postscript(prompt, match)
            break


def _start_or_end(prompt: Prompt, pattern: Pattern, kind: str) -> Iterator[Demand]:
    for match in prompt.find(pattern):
        before, after = prompt.clause_before(match), prompt.around(match)[1]
        # "the phrase X is the last thing": the noun before the phrase names it.
        behind = before[1:3] if match.text.startswith("S ") else before[:3]
        near = {*behind, *(set(match.text.split()) - {"phrase"})}
        if "NEG" in near or _PARTS & (near - {"sentence", "line", "word", "words", "ORD"}):
            continue
        if {"sentence", "line", "word", "words", "ORD"} & set(behind):
            continue
        if kind == "starts_with" and {"ENDS"} & set(after[:2]):
            continue
        if _of_others(prompt, match) or _is_to_complete(prompt, match) or _is_field(prompt, match):
            continue
        if pattern in {LAST_OF_WORK, FIRST_OF_WORK} and not prompt.asked_for(match["work"]):
            continue
        if match.text.startswith("S ") and _PARTS & set(after[:3]):
            continue  # "at the end of each paragraph"
        index = prompt.token_index(match.start if match.text.startswith("S ") else match.end - 1)
        if prompt.tokens[index].kind != STRING:
            index += 1
        if kind == "starts_with" and "paragraph" in prompt.sentence_words(index):
            continue
        phrase, end = _phrase(prompt, index)
        if not any(char.isalnum() for char in phrase) or phrase.lower().startswith(
            ("p.s", "p.p.s")
        ):
            continue
        span = Region(prompt.span(match).start, end)
        yield Demand("ends_with" if kind == "ends_with" else "starts_with", span, terms=(phrase,))
        break


def _of_others(prompt: Prompt, match: Match) -> bool:
    """Tell whether something else ends or starts so: "questions that end with", "all of them begin with"."""
    at = prompt.token_index(match.start)
    if SYMBOLS.get(prompt.tokens[at].low) not in {"STARTS", "ENDS"}:
        return False
    before = prompt.lows(at - 2, at)
    related = before[-1:] in (["that"], ["which"])
    if before[-1:] == ["them"] or (related and "the" in prompt.lows(at - 8, at)):
        return True
    head = before[0] if related and len(before) > 1 else "".join(before[-1:])
    plural = head.endswith("s") and not head.endswith(("ss", "us", "is"))
    return (
        plural
        and head not in RESPONSES
        and head not in {"always", "lyrics", "words", "does", "its"}
    )


def _is_field(prompt: Prompt, match: Match) -> bool:
    """Tell "Mon - open: Hal, close: Simone" from a demand: the word right before the colon names what a list gives."""
    at = prompt.token_index(match.start)
    around = prompt.lows(at - 1, at + 2)
    return around[2:] == [":"] and around[0] in {",", ";", "-", "–", "—", "|"}


def _is_to_complete(prompt: Prompt, match: Match) -> bool:
    """Tell "finish this sentence: ..." from "the ending must be this sentence: ..."."""
    verb, *named = [symbol for symbol in match.text.split() if symbol != "following"]
    if verb != "ENDS" or len(named) != 2 or named[0] not in _NAMED or named[1] not in {"S", ":"}:
        return False
    first, last = prompt.token_index(match.start), prompt.token_index(match.end - 1)
    return not _LINKS & set(prompt.lows(first + 1, last))


def _phrase(prompt: Prompt, index: int) -> tuple[str, int]:
    """Find the phrase a demand names: quoted, or plain to the end of its sentence or line."""
    tokens, value = prompt.tokens, prompt.text.value
    announced = tokens[index - 1].low == ":"
    while index < len(tokens):
        token = tokens[index]
        if token.kind == STRING:
            return value[token.start + 1 : token.end - 1].strip(), token.end
        if token.kind == LINE and tokens[index - 1].low == ":":
            announced = True
        elif token.kind in {END, LINE}:
            return "", 0
        elif token.low in _PHRASE_NOUNS and not _begins(prompt, index, announced):
            announced = announced or token.low in _ANNOUNCES
        elif token.low in _NO_PHRASE and not (
            announced and tokens[index - 1].low in {":", "line", "blank"}
        ):
            return "", 0
        elif announced:
            break
        else:
            return "", 0
        index += 1
    if index >= len(tokens):
        return "", 0
    return _plain(prompt, index)


def _begins(prompt: Prompt, index: int, announced: bool) -> bool:
    """Tell whether the phrase itself begins here, with a word that could also lead up to it."""
    token = prompt.tokens[index]
    return prompt.tokens[index - 1].low == ":" or (
        announced and prompt.text.value[token.start].isupper()
    )


def _plain(prompt: Prompt, index: int) -> tuple[str, int]:
    tokens, value = prompt.tokens, prompt.text.value
    start = tokens[index].start
    last = index
    limit = min(len(tokens), index + _MAX_PHRASE_CHARS)
    while last < limit and tokens[last].kind not in {END, LINE}:
        last += 1
    colon = tokens[index - 1].low in {":", "line", "blank"}
    if colon:
        while (
            last < limit
            and tokens[last].kind != LINE
            and not _next_sentence_is_demand(prompt, last)
        ):
            last += 1
    end = (
        tokens[last - 1].end
        if last == len(tokens) or tokens[last].kind == LINE
        else tokens[last].end
    )
    phrase = value[start:end].strip()
    if phrase.endswith(("?.", "!.")):
        phrase = phrase[:-1]
    if len(phrase) > _MAX_PHRASE_CHARS:
        return "", 0
    return phrase, end


def _next_sentence_is_demand(prompt: Prompt, stop: int) -> bool:
    """Tell whether after a stop the prompt speaks again: "No other words should follow." is no part of a phrase."""
    if prompt.tokens[stop].kind != END:
        return False
    first, last = prompt.sentence_of(stop + 1)
    lows = prompt.lows(max(first, stop + 1), min(last, stop + _MAX_SENTENCE_TOKENS))
    return bool(_DEMAND_STARTS & set(lows[:1])) and bool(_FORM_WORDS & set(lows))


def _wanted_postscript(prompt: Prompt, match: Match) -> bool:
    before, _ = prompt.around(match)
    if before[:1] == ["WRITE"]:
        verb = prompt.lows(prompt.token_index(match.start) - 4, prompt.token_index(match.start))
        return not {"explain", "describe", "what"} & set(verb)
    return "NEG" not in before[:3]


def _postscript(prompt: Prompt, match: Match) -> Demand:
    index = prompt.token_index(match.start)
    first, last = prompt.sentence_of(index)
    marker = "P.S."
    end = prompt.span(match).end
    for at in range(first, min(last + 12, len(prompt.tokens))):
        token = prompt.tokens[at]
        if token.low in {"PS", "PPS"} and token.kind != WORD:
            marker = "P.P.S" if token.low == "PPS" else "P.S."
            end = max(end, token.end)
            break
        if (
            token.kind == STRING
            and at < last
            and token.low.replace(" ", "").startswith(("p.", "ps", "pps"))
        ):
            marker = prompt.text.value[token.start + 1 : token.end - 1]
            end = max(end, token.end)
            break
    return Demand("postscript", Region(prompt.span(match).start, end), terms=(marker,))
