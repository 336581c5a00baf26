"""Finds demands on letter case, quotation marks around the response, and titles."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.patterns import Match, Pattern

LOWER = Pattern(
    r"\b(?:lowercase )(?:letters? )?"
    r"|\bNEG (?:USE |in |with |WRITE |a |single |words? |from |allow |or ){0,4}(?:capital letters?|uppercase|capitalize) (?:letters? )?"
    r"|\b(?:capital letters?|uppercase) (?:letters? )?(?:[^ |]+ ){0,3}?NEG (?:allow|USE|APPEAR|in|(?P<ban>\|))"
    r"|\bNEG (?:[^ |,]+ ){0,2}letters? (?:[^ |,]+ ){0,4}?capitalize "
)
UPPER = Pattern(
    r"\b(?:all|only|in|full|WRITE|USE|block) (?:all |full |block |english |only )*(?:uppercase|capital letters?|capitalize letters?) (?:letters? )?"
    r"|\bcapitalize (?:all )(?:letters?|words?|RESP|WORK|text) "
    r"|\b(?:all) (?:letters?|words?) (?:(?:in )?(?:RESP|WORK) )?(?:in )?(?:capitalize|uppercase|capital) "
    r"|\b(?:RESP|WORK) (?:all |only |in ){1,2}capitalize "
    r"|\ball capitalize (?:\||,)"
    r"|\ball (?:single )?letters? (?:as|with|to) (?:uppercase|capital) "
    r"|\bWRITE with (?:uppercase|capital) letters? "
    r"|\bwith (?:uppercase(?: letters?)?|capital letters?) only "
    r"|\b(?:RESP|WORK) uppercase (?:\||,|and )"
    r"|\bNEG (?:[^ |,]+ ){0,4}?lowercase (?:letters? )?"
    r"|\blowercase (?:letters? )?(?:in |RESP |WORK |all ){0,2}NEG (?:allow |USE |APPEAR |in |(?P<ban>\|))"
)
WRAPPED = Pattern(
    r"\b(?P<wrap>WRAP|STARTS and ENDS|ORD and last|in) (?:[^ |]+ ){0,9}?(?:double |single )?quotation (?:mark )?"
    r"|\b(?:double |single )?quotation (?:mark )?(?:[^ |]+ ){0,3}?(?P<around>WRAP) (?:[^ |,]+ ){0,3}?(?:RESP|WORK|all)"
)
TITLE = Pattern(r"\bdouble (?:angle |square )?(?P<angle>angle )?bracket |\bANGLE ")
PATTERNS = (LOWER, UPPER, WRAPPED, TITLE)

_PARTIAL = frozenset(
    "string substring password other input between title heading header ORD name names headline keyword keywords subtitle each bullet".split()
)

_SCOPES = frozenset("all only in USE RESP WORK WRITE letters letter words with NEG".split())


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the demands on form."""
    yield from _case(prompt)
    yield from _wrapped(prompt)
    yield from _title(prompt)


def _case(prompt: Prompt) -> Iterator[Demand]:
    """Find upper or lower case; a prompt that names both asks for neither everywhere."""
    found = list(_cases(prompt))
    if len({demand.kind for demand in found}) == 1:
        yield found[0]


def _cases(prompt: Prompt) -> Iterator[Demand]:
    for match in prompt.find(LOWER, overlapping=True):
        if {"and", ","} & set(match.text.split()) or _passive(prompt, match):
            continue
        if _whole(prompt, match) and not _of_words(prompt, match) and _bound(prompt, match):
            negated = _negated(prompt, match)
            yield Demand("uppercase" if negated else "lowercase", prompt.span(match))
            break
    for match in prompt.find(UPPER, overlapping=True):
        before = prompt.clause_before(match)
        if before[:1] in (["why"], ["how"]) or not _banned(prompt, match):
            continue
        if match.text.startswith("NEG ") and {"uppercase", "capital"} & set(match.text.split()):
            continue  # "no capitals, lowercase everything"
        if "NEG" in before[:3] or not _whole(prompt, match) or _of_words(prompt, match):
            continue
        yield Demand("uppercase", prompt.span(match))
        break


def _passive(prompt: Prompt, match: Match) -> bool:
    """Tell whether a plain "lowercase" only leads up to "are not allowed", or "capitals" to no ban."""
    _, after = prompt.around(match)
    to_ban = after[1:] if after[:1] in (["in"], ["RESP"]) else after
    forbidden = to_ban[:1] == ["NEG"] and bool({"allow", "USE"} & set(to_ban[1:2]))
    return forbidden if "NEG" not in match.text else not _banned(prompt, match)


def _banned(prompt: Prompt, match: Match) -> bool:
    """Tell whether a negation that closes its sentence is a ban: "capitals are forbidden", not "or not"."""
    if not match["ban"]:
        return True
    said = prompt.tokens[prompt.token_index(match.start + match.text.rindex("NEG"))].low
    return said in {"forbidden", "prohibited", "banned"}


def _bound(prompt: Prompt, match: Match) -> bool:
    """Tell whether "lowercase" is said of something, and not a heading or an item of a list."""
    before, after = prompt.around(match)
    return "NEG" in match.text or bool(_SCOPES & set(before[:4])) or after[:1] == ["only"]


def _negated(prompt: Prompt, match: Match) -> bool:
    """Tell whether a plain "lowercase" is negated in its own clause."""
    if "NEG" in match.text:
        return False
    for symbol in prompt.around(match)[0][:8]:
        if symbol in {",", ";", "and", "but"}:
            return False
        if symbol == "NEG":
            return True
    return False


def _whole(prompt: Prompt, match: Match) -> bool:
    """Tell whether a demand on case is about everything, not a title or some of the words."""
    before, after = prompt.clause_before(match), prompt.around(match)[1]
    near = before[:5]
    cut = next(
        (n for n, symbol in enumerate(near) if symbol in {",", ";", "but", "and"}), len(near)
    )
    if _PARTIAL & set(near[:cut]):
        return False
    if any(symbol.startswith("Q") and symbol[1:].isdigit() for symbol in before[:2]):
        return False
    return after[:1] not in (["for"], ["title"], ["heading"], ["keyword"], ["keywords"])


def _of_words(prompt: Prompt, match: Match) -> bool:
    """Tell whether some words, not all, are to be in capitals."""
    before, after = prompt.clause_before(match), prompt.around(match)[1]
    if after[:1] in (["word"], ["words"]):
        if match.text.startswith("NEG ") and "any" in prompt.lows(*_next_tokens(prompt, match)):
            return False  # "do not capitalize any words"
        return "all" not in before[:2] and not match.text.startswith("all ")
    if prompt.around(match)[0][:2] in (["(", "words"], ["(", "word"]):
        return True
    lowers = "lowercase" in match.text
    for distance, symbol in enumerate(before[:6]):
        if symbol in {"word", "words", "phrases"}:
            return not lowers and "all" not in before[distance : distance + 3]
        if symbol in {",", "|", ";", "and"}:
            break
    return "word" in match.text.split() and "USE" in match.text.split()


def _next_tokens(prompt: Prompt, match: Match) -> tuple[int, int]:
    last = prompt.token_index(match.end - 1)
    return last + 1, last + 2


def _wrapped(prompt: Prompt) -> Iterator[Demand]:
    for match in prompt.find(WRAPPED, overlapping=True):
        before, after = prompt.around(match)
        symbols = match.text.split()
        if (
            "NEG" in before[:3]
            or (_PARTIAL - {"ORD"}) & set(symbols)
            or {"word", "phrase", "dialogue"} & set(symbols)
        ):
            continue
        scope = set(symbols) | set(before[:3]) | set(after[:4])
        if not {"RESP", "WORK", "all", "thing"} & scope and not (
            match["wrap"] == "WRAP" and symbols[1:2] in (["in"], ["with"])
        ):
            continue
        if (
            match["wrap"] == "in"
            and "WRAP" not in [*before[:8], *symbols]
            and "RESP" not in before[:4]
        ):
            continue
        single = "single" in symbols
        yield Demand("wrapped", prompt.span(match), terms=("'",) if single else ('"',))
        break


def _title(prompt: Prompt) -> Iterator[Demand]:
    for match in prompt.find(TITLE):
        if "square" in match.text:
            continue
        before, after = prompt.around(match)
        if "NEG" in before[:4]:
            continue
        near = set(before[:8]) | set(after[:8])
        if "angle" in match.text or near & {"title", "angle", "WRAP"}:
            yield Demand("title", prompt.span(match))
            break
