"""Counts what a prompt asks to count in a text it gives: words, letters, vowels, or how often one of them occurs.

Where there are several ways to count, with or without hyphens, spaces or "y", each is right.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.answers import Answer
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

_MAX_PROMPT_CHARS = 1500
_MAX_TARGET_CHARS = 30
_MAX_WORD_PROMPT_CHARS = 120
_TARGET = r"[\"'`“‘]?(?P<target>[\pL'’-]{1,30}?)[\"'`”’]?(?:['’]?s)?"
_TIMES = rf"(?:times (?:does|do|is|can you find) (?:the )?(?P<unit>word|letter|character|name)? ?{_TARGET}(?: (?:occur|appear|used|come up|show up|there|found|written))?)"
_WHAT = rf"(?:(?P<what>words|letters|characters|vowels|consonants|commas|spaces|digits|(?:capital|upper-?case) letters)|{_TIMES})"
_VERBS = r"(?:,? (?:are|is|there|does|do|has|have|did|can you find|contained|in total|altogether|i|we|you|use|used|it|the|this|that|my|following|in|of|within|sentence|phrase|word|words|text|name|string|title|line|paragraph|quote|motto|headline|list|message|below|after the colon|between the quotes|have|contain|contains|occurs?|appears?)){0,12}?"
# "How many words are in this sentence: ...", "How often does the word "sea" occur in "..."", "Count the vowels in "..."".
_QUESTION = Pattern(
    rf"^\W*(?:please |hi,? |hello,? |quick question:? |can you tell me |could you tell me |tell me |so,? )?(?:how (?:many {_WHAT})|how often (?:does|do|is) (?:the )?(?P<unit2>word|letter|character|name) [\"'`“‘]?(?P<target2>[\pL'’-]{{1,30}}?)[\"'`”’]?(?: (?:occur|appear|used))?|count (?:the |all (?:the )?|how many )?(?:number of )?(?P<what2>words|letters|characters|vowels|consonants|commas|spaces|digits))\b{_VERBS}\s*(?:[:?,]?\s*(?P<rest>(?:\"[^\"]+\"|“[^”]+”|«[^»]+»)(?P<after>[^\"“]{{0,90}}))|:\s*(?P<bare>[^\"“”]+))$",
    ignore_case=True,
)
_IN_WORD = Pattern(
    r"\bhow many (?P<what>letters|characters|vowels|consonants|(?:times does (?:the letter )?)?[\"'`“]?[a-z][\"'`”]?(?:['’]?s)?(?: are| letters)?)\b[^?]*\b(?:in|of|have|has) (?:the (?:word|name) )?[\"'`“‘]?(?P<word>[a-zA-Z]{3,24})[\"'`”’]?\W*$",
    ignore_case=True,
)
_WORD_HAS = Pattern(
    r"\bhow many (?P<what>letters) does (?:the word )?[\"'`“‘]?(?P<word>[a-zA-Z]{3,24})[\"'`”’]? have\W*$",
    ignore_case=True,
)
# One letter, or the words, of a phrase in quotation marks.
_IN_PHRASE = Pattern(
    r"\bhow many (?P<what>words|(?:times does (?:the letter )?)?[\"'`“‘]?[a-z][\"'`”’]?(?:['’]?s)?(?: are| letters)?)\b[^?]*\b(?:in|of|have|has) (?:the |this )?(?:words? |phrase |sentence |name )?:? ?[\"“](?P<word>[a-zA-Z][a-zA-Z ,.!’'-]{2,70})[\"”]\W*$",
    ignore_case=True,
)
# "How many letters did she write in total": no word is named.
_NO_WORDS = frozenset(
    "total all english alphabet word sentence mailbox box envelope this that name written year".split()
)
# Not all of them are to be counted, or something else as well.
_LIMITED = Pattern(
    r"\b(?:longest|shortest|first|second|third|last|unique|different|distinct|exclud\w+|includ\w+|ignor\w+|without|not counting|longer|shorter|start\w*|begin\w*|end(?:s|ing)?|more than|at least|exactly|and how|each|most|and which|per|average|remove|if|if i|would|after|or)\b",
    ignore_case=True,
)
_COUNTED = frozenset("words letters characters vowels consonants".split())
_OF_SENTENCES = Pattern(r"[.!?]\s+\S|\n")


def answer(prompt: Text) -> Answer | None:
    """Return the count that a prompt determines, or None where it asks for none of these."""
    if len(prompt) > _MAX_PROMPT_CHARS or not prompt.search(_SIGN):
        return None
    match = prompt.search(_QUESTION)
    if match is None:
        return None
    quoted = bool(match["rest"])
    asked = prompt.value[: match.span("rest" if quoted else "bare")[0]] + match["after"]
    counted = match["rest"].removesuffix(match["after"]) if quoted else match["bare"]
    said = counted.strip().strip('"“”«»') if quoted else counted.strip().removesuffix("?")
    # Without quotation marks, what follows a full stop may be said to the one who answers.
    if _LIMITED.search(asked.encode()) or not said.isascii() or not said.strip():
        return None
    if not quoted and _OF_SENTENCES.search(said.encode()):
        return None
    what = (match["what"] or match["what2"]).lower()
    target = match["target"] or match["target2"]
    unit = (match["unit"] or match["unit2"]).lower()
    return _answer(_occurrences(said, target, unit) if target else _counts(said, what))


def in_word(prompt: Text) -> Answer | None:
    """Return the count in one word that needs no quotation marks, or in a phrase that has them."""
    if len(prompt) > _MAX_WORD_PROMPT_CHARS:
        return None
    found = (prompt.search(form) for form in (_IN_WORD, _WORD_HAS, _IN_PHRASE))
    match = next(filter(None, found), None)
    if match is None or match["word"].lower() in _NO_WORDS:
        return None
    if _LIMITED.search(prompt.value[: match.span("word")[0]].encode()):
        return None
    word, what = match["word"].lower(), match["what"].lower()
    if what in _COUNTED:
        return _answer(_counts(word, what))
    named = what.removeprefix("times does ").removeprefix("the letter ").strip("\"'`“”")
    named = named.removesuffix(" are").removesuffix(" letters")
    return _answer(_occurrences(word, named.removesuffix("s").strip("\"'`’") or named, "letter"))


def _answer(ways: list[int]) -> Answer | None:
    return Answer("number", tuple((Fraction(way),) for way in ways), str(ways[0])) if ways else None


def _counts(said: str, what: str) -> list[int]:
    """Return the ways to count, the plainest first."""
    letters = sum(map(str.isalpha, said))
    vowels = sum(char in "aeiou" for char in said.lower())
    ys = said.lower().count("y")
    match what:
        case "words":
            parted = said
            for mark in "-–—/":
                parted = parted.replace(mark, " ")
            plain = [word for word in said.split() if any(map(str.isalnum, word))]
            split = [word for word in parted.split() if any(map(str.isalnum, word))]
            spelled = [word for word in plain if any(map(str.isalpha, word))]
            return _once([len(plain), len(split), len(said.split()), len(spelled)])
        case "letters":
            return [letters]
        case "characters":
            bare = "".join(said.split())
            stops = len(said) - len(said.rstrip(".!?"))
            sizes = [len(said), len(bare), letters, sum(map(str.isalnum, said))]
            return _once([*sizes, len(said) - stops, len(bare) - stops])
        case "vowels":
            return _once([vowels, vowels + ys])
        case "consonants":
            return _once([letters - vowels, letters - vowels - ys])
        case "commas":
            return [said.count(",")]
        case "spaces":
            return [said.count(" ")]
        case "digits":
            return [sum(map(str.isdecimal, said))]
        case _:
            return [sum(map(str.isupper, said))]


def _occurrences(said: str, target: str, unit: str) -> list[int]:
    """Return how often a letter or a word occurs: whatever its case, in its own case, and inside other words."""
    target = target.strip("\"'`“”‘’")
    if not target or len(target) > _MAX_TARGET_CHARS or (unit == "letter" and len(target) > 1):
        return []
    low, name = said.lower(), target.lower()
    if len(target) == 1 and unit != "word":
        return _once([low.count(name), said.count(target)])
    text = Text(said)
    words = [said[start:end] for start, end in text.words]
    bare = [word.lower().removesuffix("'s").removesuffix("’s") for word in words]
    exact = [word.lower() for word in words].count(name)
    return _once([exact, bare.count(name), words.count(target), low.count(name)])


def _once(ways: Iterable[int]) -> list[int]:
    return [*dict.fromkeys(ways)]


_SIGN = Pattern(r"\b(?:how (?:many|often)|count)\b", ignore_case=True)
