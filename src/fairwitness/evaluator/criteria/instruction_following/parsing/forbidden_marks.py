"""Finds which marks and shapes must not be used, and how often a mark may: commas, emojis, lists, headings."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.patterns import Match, Pattern

# How a mark is called in the line of symbols, and the name the checker knows it by.
_MARKS = {
    "comma": ",",
    "period": ".",
    "exclamation (?:mark|point)": "!",
    "request mark": "?",
    "semicolon": ";",
    "colon": ":",
    "colons": ":",
    "emdash": "—",
    "hyphen": "-",
    "parenthesis": "(",
    "digit": "0",
    "numbers": "0",
    "emoji": "emoji",
    "hashtag": "#",
    "asterisk": "*",
    "bullet(?: point| lists?| WRITE)?": "bullet",
    "numbered (?:lists?|WRITE)": "numbered",
    "lists": "list",
    "heading": "heading",
    "header": "heading",
    "subheading": "heading",
    "highlight": "highlight",
    "markdown": "markdown",
    "contraction": "contraction",
    "link": "link",
    "quotation(?: mark)?": '"',
    "punctuation": "punctuation",
    "code block": "code block",
    "table": "table",
}
_MARK = "|".join(sorted(_MARKS, key=len, reverse=True))
# The first symbol of each name; and what must follow it for the name to be whole.
_FIRST = {
    name.partition(" ")[0].partition("(")[0].rstrip("?"): mark for name, mark in _MARKS.items()
}
_SECOND = {
    "exclamation": {"mark", "point"},
    "request": {"mark"},
    "numbered": {"lists", "list", "WRITE"},
    "code": {"block"},
}
# Repeats are bounded: each match may then be looked for again from its next word.
_TRAILING = r"(?:mark |point |WRITE |WORK |formatting |syntax |symbols |style |words ){0,2}"
_JOINT = r"(?:(?:,|or|and|NEG|USE|in) ){1,3}"
FORBIDDEN = Pattern(
    r"\b(?P<neg>NEG|free) (?:from )?(?:(?P<some>Q\d+) |USE |WRITE |APPEAR |or |put |see |all |allow |in RESP |such |more |formatting ){0,5}"
    rf"(?P<marks>(?:{_MARK}) {_TRAILING}(?:{_JOINT}(?:{_MARK}) {_TRAILING}){{0,4}})"
    rf"|\b(?P<passive>{_MARK}) (?:mark |point )?(?:[^ |,]+ ){{0,2}}?NEG (?:allow|USE|APPEAR|in|\||,|and)"
    r"|\b(?P<free>commafree) "
)
_COUNTED = {
    "exclamation (?:mark|point)": "!",
    "request mark": "?",
    "comma": ",",
    "semicolon": ";",
    "emdash": "—",
}
_COUNTED_MARK = "|".join(_COUNTED)
_SIGNS = [(Pattern(name), sign) for name, sign in _COUNTED.items()]
COUNTED = Pattern(rf"\b(?P<q>Q\d+) (?P<mark>{_COUNTED_MARK}) ")
PATTERNS = (FORBIDDEN, COUNTED)

_SET_OFF = (["SEP"], ["splice"], ["after"], ["before"], ["between"])
_HIGHLIGHTS = frozenset("bold bolded bolding italics italic italicized italicize".split())
_LEADS = frozenset({"USE", "with", "WRITE", "limit", "RESP", "WORK", "in"})
_PARTS = frozenset("each sentence paragraph line title ORD bullet".split())


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the marks forbidden, then those counted."""
    yield from _forbidden(prompt)
    yield from _counted(prompt, consumed)


def _forbidden(prompt: Prompt) -> Iterator[Demand]:
    seen: set[str] = set()
    for match in prompt.find(FORBIDDEN, overlapping=True):
        before, after = prompt.around(match)
        if match["passive"] and "and" in match.text.split()[:-1]:
            continue
        if "each" in after[:3] or after[:1] in _SET_OFF or not _wholly(prompt, match):
            continue
        named = "comma" if match["free"] else match["marks"] or match["passive"]
        marks = tuple(dict.fromkeys(m for m in _marks(prompt, match, named) if m not in seen))
        seen.update(marks)
        if marks and not ("NEG" in before[:2] and match["marks"]):
            yield Demand("forbidden_marks", prompt.span(match), terms=marks)


def _wholly(prompt: Prompt, match: Match) -> bool:
    """Tell "no comma", "not a single comma" from "not more than three commas"."""
    if match["neg"] == "free":
        said = prompt.lows(prompt.token_index(match.start) + 1, prompt.token_index(match.start) + 2)
        return said in (["of"], ["from"])
    if not match["some"]:
        return True
    quantity = prompt.quantity(match["some"])
    return quantity.vague or (quantity.bare and quantity.size <= 1)


def _marks(prompt: Prompt, match: Match, named: str) -> Iterator[str]:
    """Yield the checker's names for what a match names, in order."""
    symbols = named.split()
    at = match.start if match["free"] else match.start + match.text.index(named.strip())
    for before, symbol, following in zip(["", *symbols], symbols, [*symbols[1:], ""], strict=False):
        mark = _FIRST.get(symbol)
        whole = symbol not in _SECOND or following in _SECOND[symbol]
        whole = whole and not (symbol == "lists" and before in {"numbered", "bullet"})
        if mark is not None and whole and _really(prompt, at, mark):
            yield mark
        at += len(symbol) + 1


def _really(prompt: Prompt, at: int, mark: str) -> bool:
    """Tell whether the word itself names the mark: "question marks", and not "request marks"."""
    low = prompt.tokens[prompt.token_index(at)].low
    if mark == "?":
        return low == "question"
    if mark == '"':
        return low in {"quotation", "quotations", "quotes", "quotemarks"}
    if mark == "highlight":
        return low in _HIGHLIGHTS
    return True


def _counted(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Find how often a mark may or must be used; a number nobody compared is left alone."""
    for match in prompt.find(COUNTED):
        number, quantity = int(match["q"][1:]), prompt.quantity(match["q"])
        before = prompt.clause_before(match)
        none = quantity.bounds == Bounds(0, 0)
        if number in consumed.quantities or quantity.vague or (quantity.bare and not none):
            continue
        led = not before or before[0] in _LEADS or before[0] == "NEG"
        if led and not _PARTS & set(before[:4]) and "each" not in prompt.around(match)[1][:3]:
            consumed.quantities.add(number)
            mark = next(sign for name, sign in _SIGNS if name.fullmatch(match["mark"]))
            yield Demand("keyword_count", prompt.span(match), quantity.bounds, terms=(mark,))
