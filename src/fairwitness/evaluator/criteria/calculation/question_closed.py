"""Works out closed questions that the prompt determines: yes or no, even or odd, letters of a word, a linear equation."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from fairwitness.evaluator.criteria.calculation.answers import Answer, plain, yes_or_no
from fairwitness.evaluator.criteria.calculation.quantities import Line, number
from fairwitness.evaluator.patterns import Pattern

LARGER = r"bigger|larger|greater|higher|biggest|largest|greatest|highest|more|heavier|longer"
SMALLER = r"smaller|lower|smallest|lowest|less|fewer|least|lighter|shorter"
_IS_IT = Pattern(
    rf"^\W*is (?P<one>[NUD]\d+) (?P<how>{LARGER}|{SMALLER}) than (?P<two>[NUD]\d+)\W*$"
)
_PRIME = Pattern(r"\bis (?:the number )?(?P<what>N\d+) (?:a )?prime\b")
_DIVISIBLE = Pattern(
    r"\bis (?P<what>N\d+) (?:evenly )?(?:divisible by|a multiple of) (?P<by>N\d+)\b"
)
_PARITY = Pattern(
    r"\bis (?P<what>N\d+) (?:an? )?(?:even|odd)(?: number)?(?: or (?:an? )?(?:even|odd)(?: number)?)\b"
)
_LETTERS = Pattern(
    r"\bhow many (?P<what>letters|characters|vowels|consonants|(?:times does (?:the letter )?)?[\"'`“]?[a-z][\"'`”]?(?:['’]?s)?(?: are| letters)?)\b[^?]*\b(?:in|of|have|has) (?:the (?:word|name) )?[\"'`“‘]?(?P<word>[a-zA-Z]{3,24})[\"'`”’]?\W*$",
    ignore_case=True,
)
_LETTERS_HAS = Pattern(
    r"\bhow many (?P<what>letters) does (?:the word )?[\"'`“‘]?(?P<word>[a-zA-Z]{3,24})[\"'`”’]? have\W*$",
    ignore_case=True,
)
# One letter, or the words, of a phrase in quotation marks.
_IN_PHRASE = Pattern(
    r"\bhow many (?P<what>words|(?:times does (?:the letter )?)?[\"'`“‘]?[a-z][\"'`”’]?(?:['’]?s)?(?: are| letters)?)\b[^?]*\b(?:in|of|have|has) (?:the |this )?(?:words? |phrase |sentence |name )?:? ?[\"“](?P<word>[a-zA-Z][a-zA-Z ,.!’'-]{2,70})[\"”]\W*$",
    ignore_case=True,
)
_LINEAR = Pattern(
    r"^\W*(?:solve|find x|what is x|solve for x)\b[^\d\n]{0,30}?(?P<a>[-−]?\d{0,6})\*?x ?(?P<sign>[-+−]) ?(?P<b>\d{1,9}(?:\.\d{1,4})?) ?= ?(?P<c>[-−]?\d{1,9}(?:\.\d{1,4})?)\W*$",
    ignore_case=True,
)
# "How many letters did she write in total": no word is named.
_NO_WORDS = frozenset(
    "total all english alphabet word sentence mailbox box envelope this that name written year".split()
)
# Only a part of the text is meant.
_OF_PART = Pattern(
    r"\b(?:longest|shortest|first|second|third|last|longer|shorter|unique|different|distinct|start\w*|begin\w*|end(?:s|ing)?|more than|at least)\b",
    ignore_case=True,
)
_MAX_LETTERS_CHARS = 120
_MAX_PRIME = 10**12


def answer(line: Line) -> Answer | None:
    """Return what the question determines, or None where it is none of these."""
    return _letters(line) or _linear(line) or _yes_or_no(line)


def _yes_or_no(line: Line) -> Answer | None:
    if match := line.first(_PRIME):
        value = line[match["what"]].value
        if value.denominator != 1 or not 0 <= value <= _MAX_PRIME:
            return None
        return yes_or_no(
            _prime(int(value)), f"{value} is {'' if _prime(int(value)) else 'not '}prime"
        )
    if match := line.first(_DIVISIBLE):
        value, by = line[match["what"]].value, line[match["by"]].value
        if not by or value.denominator != 1 or by.denominator != 1:
            return None
        return yes_or_no(value % by == 0, f"{value} / {by} leaves {value % by}")
    if match := line.first(_PARITY):
        odd = line[match["what"]].value % 2 == 1
        words = Pattern(r"\bodd\b", ignore_case=True), Pattern(r"\beven\b", ignore_case=True)
        return Answer("word", (), "odd" if odd else "even", words=words if odd else words[::-1])
    match = line.first(_IS_IT)
    if match is None or line[match["one"]].kind != line[match["two"]].kind:
        return None
    one, two = line[match["one"]], line[match["two"]]
    if one.value == two.value:
        return None
    larger = Pattern(LARGER).fullmatch(match["how"])
    yes = one.value > two.value if larger else one.value < two.value
    sign = ">" if one.value > two.value else "<"
    return yes_or_no(yes, f"{one.text} {sign} {two.text}")


def _prime(value: int) -> bool:
    if value < 2 or (value % 2 == 0 and value > 2):
        return False
    return all(value % divisor for divisor in range(3, min(isqrt(value), 10**6) + 1, 2))


def _letters(line: Line) -> Answer | None:
    match = (
        line.text.search(_LETTERS) or line.text.search(_LETTERS_HAS) or line.text.search(_IN_PHRASE)
    )
    if match is None or match["word"].lower() in _NO_WORDS or len(line.text) > _MAX_LETTERS_CHARS:
        return None
    if _OF_PART.search(line.text.value[: match.span("word")[0]].encode()):
        return None
    word, what = match["word"].lower(), match["what"].lower()
    if what == "words":
        count = len(word.split())
        return Answer("number", ((Fraction(count),),), str(count))
    if what in {"vowels", "consonants"}:
        vowels = sum(letter in "aeiou" for letter in word)
        count = vowels if what == "vowels" else len(word) - vowels
        return None if "y" in word else Answer("number", ((Fraction(count),),), str(count))
    if what in {"letters", "characters"}:
        return Answer("number", ((Fraction(len(word)),),), str(len(word)))
    named = (
        what.removeprefix("times does ")
        .removeprefix("the letter ")
        .strip("\"'`“”")
        .removesuffix(" are")
        .removesuffix(" letters")
    )
    letter = named.removesuffix("s").strip("\"'`’") or named
    if len(letter) != 1:
        return None
    return Answer("number", ((Fraction(word.count(letter)),),), str(word.count(letter)))


def _linear(line: Line) -> Answer | None:
    match = line.text.search(_LINEAR)
    if match is None:
        return None
    a = number(match["a"])[0] if match["a"].strip("-−") else Fraction(-1 if match["a"] else 1)
    b, c = number(match["b"])[0], number(match["c"])[0]
    if not a:
        return None
    worked = (c - b if match["sign"] == "+" else c + b) / a
    return Answer("number", ((worked,),), f"x = {plain(worked)}")
