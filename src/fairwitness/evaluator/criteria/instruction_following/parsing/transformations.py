"""Finds an order that turns a short given text into one other text: its words reversed, in capitals, without vowels.

What must come out is worked out here; `terms` are the name of the order, what is asked in words, and every right result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Prompt
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_CHARS = 900
_MIN_ITEMS = 3
# The order, then the text behind a colon or in quotation marks; nothing follows but a few words.
_FORM = Pattern(
    r"^\W*(?P<order>[\pL][^:\"“`\n]{5,140}?)(?::\s*(?:\"(?P<a>[^\"\n]+)\"|“(?P<b>[^”\n]+)”|`(?P<c>[^`\n]+)`|(?P<bare>[^\"“”`\n]+))|[, ]*(?:\"(?P<d>[^\"\n]+)\"|“(?P<e>[^”\n]+)”|`(?P<f>[^`\n]+)`))(?P<after>[^\"“:`]{0,120})$"
)
# Something else is to be done as well, or not to all of it.
_MORE = Pattern(
    r"\b(?:then|also|translate|summari[sz]e|except|excluding|every (?:other|second|third)|only the (?:first|last)|explain|code|function|python|javascript|java|sql|regex|script|program|write a (?:poem|story|sentence)|why|meaning|and (?:reverse|remove|sort|count|convert|capitali[sz]e|replace|add))\b",
    ignore_case=True,
)
_ORDINALS = {
    word: number
    for number, words in enumerate(
        (
            "first 1st", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th", "sixth 6th", "seventh 7th", "eighth 8th", "ninth 9th", "tenth 10th",
        )
    )
    for word in words.split()
} | {"last": -1, "final": -1, "second-to-last": -2, "second to last": -2, "penultimate": -2, "second-last": -2, "second last": -2}  # fmt: skip
_ORDINAL = "|".join(sorted(_ORDINALS, key=len, reverse=True))
_VOWELS, _CONSONANTS = "aeiouAEIOU", "bcdfghjklmnpqrstvwxyzBCDFGHJKLMNPQRSTVWXYZ"
_STOPS = ".,;:!?'\"’‘“”()-–—…"
_REMOVED = {
    "vowels": _VOWELS,
    "consonants": _CONSONANTS,
    "spaces": " ",
    "punctuation": _STOPS,
    "commas": ",",
    "digits": "0123456789",
    "numbers": "0123456789",
}
_PARTS = r"(?:words|items|entries|names|elements|things|list)"
_REVERSE_WORDS = Pattern(
    rf"\breverse (?:the )?(?:order of )?(?:the |these |this |all )?(?:the )?(?:following )?{_PARTS}\b|\b(?:words?|items?|list|{_PARTS})\b[^:]{{0,40}}\b(?:in|into) (?:the )?(?:reverse|opposite|backwards)(?: word)?(?: order)?|\breverse (?:the )?word order\b|\bin reverse word order\b",
    ignore_case=True,
)
# Not of the words as they stand: of letters, or in an order of another kind.
_OTHERWISE = Pattern(
    r"\b(?:letters?|characters?|spell\w*|each word|every word|alphabet\w*|chronolog\w*|numeric\w*|sort\w*|rank\w*|by|size|date|importance)\b",
    ignore_case=True,
)
_CASE = Pattern(
    r"\b(?:(?:convert|change|transform|turn|format)(?: it| this| that| these| the following| the \pL+| my| to| into)|(?:put|write|rewrite|make|set|type)(?: all(?: of)?)? (?:this|these|that|the following|the (?:text|sentence|title|headline|words?|phrase|name|line|heading)|my|it))\b[^:]{0,50}?\b(?:all )?(?P<case>upper-? ?case|all caps|(?:block )?capitals|capital letters|lower-? ?case|small letters|title[- ]case)\b|^(?:please )?(?P<verb>upper|lower)-?case\b",
    ignore_case=True,
)
_REMOVE = Pattern(
    r"\b(?:remove|delete|strip|drop|take out|leave out)(?: out)? (?:all |every |the |any |of ){0,3}(?P<what>vowels|consonants|spaces|punctuation|commas|digits|numbers)(?: marks)?\b",
    ignore_case=True,
)
_NTH = Pattern(
    rf"^(?:so |and |please )?(?:what(?:'s|’s| is| was)|which is|give me|tell me|name|return|write) the (?P<nth>{_ORDINAL}) (?P<unit>word|letter|character) (?:of|in)\b",
    ignore_case=True,
)
_INITIALS = Pattern(
    r"\b(?:take|write|give(?: me)?|combine|join|list|extract|using|return|what do you get)\b[^:]{0,30}\bthe first letters? of (?:each|every)(?: of the)? words?\b",
    ignore_case=True,
)
_Made = tuple[str, str, list[str]]


def find_demands(prompt: Prompt) -> Iterator[Demand]:
    """Yield the one demand of a prompt that is nothing but such an order and its text."""
    text = prompt.text
    if len(text) > _MAX_CHARS:
        return
    match = text.search(_FORM)
    if match is None:
        return
    order, after = match["order"], match["after"]
    if _MORE.search(f"{order} … {after}".encode()):
        return
    given = next((match[group] for group in ("a", "b", "c", "d", "e", "f") if match[group]), "")
    texts = [given] if given else _bare(match["bare"])
    made = [found for said in texts for make in _MAKERS if (found := make(order, said))]
    if not made or len({how for how, _, _ in made}) > 1:
        return
    how, asked, _ = made[0]
    results = [result for _, _, several in made for result in several]
    low, high = match.span("order")
    yield Demand("transformed", Region(low, high), terms=(how, asked, *dict.fromkeys(results)))


def _bare(said: str) -> list[str]:
    """Return a text without quotation marks as a whole, and without what may be said of the answer behind it."""
    text = Text(said)
    sentences = text.sentences
    shorter = [said[: sentence.end] for sentence in sentences[:-1]]
    return [said.strip(), *shorter]


def _words(said: str) -> list[str]:
    return [word for word in said.split() if any(map(str.isalnum, word))]


def _reversed_words(order: str, said: str) -> _Made | None:
    if not _REVERSE_WORDS.search(order.encode()) or _OTHERWISE.search(order.encode()):
        return None
    items = [item.strip(" .") for item in said.replace(", and ", ", ").split(",")]
    if len(items) < _MIN_ITEMS:
        items = _words(said)
    if len(items) < _MIN_ITEMS:
        return None
    return "words", "the same in reverse order", [" ".join(items[::-1])]


def _in_case(order: str, said: str) -> _Made | None:
    match = Text(order).search(_CASE)
    if match is None or len(_words(said)) < 2:
        return None
    name = (match["case"] or match["verb"]).lower()
    if name.startswith("title"):
        return "title", "the text in title case", [said]
    if name.startswith(("lower", "small")):
        return "case", "the text in lower case", [said.lower()]
    return "case", "the text in capitals", [said.upper()]


def _removed(order: str, said: str) -> _Made | None:
    match = Text(order).search(_REMOVE)
    if match is None or len(said) < 6:
        return None
    what = match["what"].lower()
    unwanted = [_REMOVED[what]]
    if what == "vowels":
        unwanted.append(_VOWELS + "yY")
    if what == "consonants":
        unwanted.append(_CONSONANTS.replace("y", "").replace("Y", ""))
    if what == "punctuation":  # those within a word may be a part of it
        unwanted += [
            _STOPS.translate(str.maketrans("", "", within)) for within in ("'’‘", "'’‘-", "-")
        ]
    results = ["".join(char for char in said if char not in chars) for chars in unwanted]
    how = (
        "spaces"
        if what == "spaces"
        else "marks"
        if what in {"punctuation", "commas"}
        else "removed"
    )
    return how, f"the text without {what}", results


def _nth(order: str, said: str) -> _Made | None:
    match = Text(order).search(_NTH)
    if match is None:
        return None
    at, unit = _ORDINALS[match["nth"].lower()], match["unit"].lower()
    parts = _words(said) if unit == "word" else [char for char in said if char.isalnum()]
    if not -len(parts) <= at < len(parts) or (unit != "word" and len(_words(said)) > 1):
        return None
    result = parts[at].strip(_STOPS)
    how = "one word" if unit == "word" else "one letter"
    return how, f"the {match['nth'].lower()} {unit}", [result, said]


def _initials(order: str, said: str) -> _Made | None:
    words = _words(said)
    if not _INITIALS.search(order.encode()) or len(words) < _MIN_ITEMS:
        return None
    letters = [next(char for char in word if char.isalnum()) for word in words]
    return "removed", "the first letters of the words", ["".join(letters)]


_MAKERS: tuple[Callable[[str, str], _Made | None], ...] = (
    _reversed_words,
    _in_case,
    _removed,
    _nth,
    _initials,
)
