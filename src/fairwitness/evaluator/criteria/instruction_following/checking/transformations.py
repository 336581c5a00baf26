"""Checks that the response has the one text that an order makes of another, or leaves it where it is no attempt at it."""

from __future__ import annotations

from collections.abc import Callable

from fairwitness.evaluator.criteria.instruction_following.checking import evidence
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

_MAX_CHARS = 4_000
_MAX_ANSWER_WORDS = 40
_ATTEMPT = 0.7
_SHOWN_CHARS = 80
_MARK = Pattern(r"^[ \t]*(?:\d{1,2}[.)]|[-*•+]) ", multiline=True)
_SMALL = frozenset(
    "a an the and but or nor for of in on at to by with from as up off via per into over is it so than that vs yet if out".split()
)
_EDGES = ".,;:!?\"'“”‘’`*_()[]…-–—"
# The response does not give the result, or asks back.
_NONE = Pattern(
    r"\b(?:cannot|can['’]t|unable|did you mean|please provide|could you)\b", ignore_case=True
)


def transformed(demand: Demand, exchange: Exchange) -> Outcome:
    """The result stands in the response, whatever stands around it."""
    how, asked, *results = demand.terms
    text = exchange.response
    met, attempted = _WAYS[how](text, results)
    wanted = min(results[: 1 if how.startswith("one") else len(results)], key=len)
    instead = "" if how == "title" else f" instead of “{wanted[:_SHOWN_CHARS]}”"
    skipped = len(text) > _MAX_CHARS or text.search(_NONE) is not None or not attempted
    return Outcome(
        met=met,
        asked=asked,
        found="it is there" if met else f"“{_opening(text)}”{instead}",
        spans=() if met else evidence.opening(text),
        suggestion=None if met or not instead else wanted,
        unchecked="" if met or not skipped else "The response has no clear result to compare",
    )


def _opening(text: Text) -> str:
    return " ".join(text.value[: 2 * _SHOWN_CHARS].split())[:_SHOWN_CHARS]


def _tokens(said: str) -> list[str]:
    found = (word.strip(_EDGES) for word in said.split())
    return [word for word in found if any(map(str.isalnum, word))]


def _response_tokens(text: Text) -> list[str]:
    """Return the words of the response without the marks of its list."""
    value, kept, at = text.value[:_MAX_CHARS], [], 0
    for match in Text(value).matches(_MARK):
        kept.append(value[at : match.start])
        at = match.end
    return _tokens(" ".join([*kept, value[at:]]))


def _has_run(tokens: list[str], wanted: list[str]) -> bool:
    first, size = wanted[0], len(wanted)
    return any(word == first and tokens[at : at + size] == wanted for at, word in enumerate(tokens))


def _shares(tokens: list[str], wanted: list[str]) -> bool:
    """Tell whether most of the wanted words are there, in whatever order and case."""
    there = {token.casefold() for token in tokens}
    return sum(word.casefold() in there for word in wanted) >= _ATTEMPT * len(wanted)


def _is_short(tokens: list[str], wanted: list[str]) -> bool:
    """Tell whether a response has few words around the result; a longer one does something else as well."""
    return len(tokens) <= 3 * len(wanted) + _MAX_ANSWER_WORDS


def _in_order(text: Text, results: list[str]) -> tuple[bool, bool]:
    tokens = [word.casefold() for word in _response_tokens(text)]
    joined = [word for word in tokens if word != "and"]
    met = attempted = False
    for result in results:
        wanted = [word.casefold() for word in _tokens(result.replace(",", " "))]
        bare = [word for word in wanted if word != "and"]
        met = met or _has_run(tokens, wanted) or (bool(bare) and _has_run(joined, bare))
        attempted = attempted or _shares(tokens, wanted)
    return met, attempted and _is_short(tokens, _tokens(results[0]))


def _in_case(text: Text, results: list[str]) -> tuple[bool, bool]:
    tokens = _response_tokens(text)
    wanted = [_tokens(result) for result in results]
    met = any(_has_run(tokens, words) for words in wanted if words)
    return met, any(_shares(tokens, words) and _is_short(tokens, words) for words in wanted)


def _in_title(text: Text, results: list[str]) -> tuple[bool, bool]:
    tokens = _response_tokens(text)
    met = False
    for result in results:
        words = _tokens(result)
        runs = (tokens[at : at + len(words)] for at in range(len(tokens) - len(words) + 1))
        met = met or any(
            all(
                _is_title(one, word, not at)
                for at, (one, word) in enumerate(zip(run, words, strict=True))
            )
            for run in runs
            if run[0].casefold() == words[0].casefold()
        )
    words = _tokens(results[0])
    return met, _shares(tokens, words) and _is_short(tokens, words)


def _is_title(stated: str, word: str, first: bool) -> bool:
    """Tell whether a word is written as in a title; small words may stay small, names keep their own capitals."""
    if stated.casefold() != word.casefold():
        return False
    if stated == word and not word.islower():
        return not word.isupper() or len(word) <= 4
    if not first and word.casefold() in _SMALL:
        return True
    return not stated[0].isalpha() or (
        stated[0].isupper() and (not stated.isupper() or len(stated) < 3)
    )


def _squeezed(said: str) -> str:
    return "".join(char for char in said.casefold() if char.isalnum())


def _without(text: Text, results: list[str]) -> tuple[bool, bool]:
    said = _squeezed(text.value[:_MAX_CHARS])
    met = any(_squeezed(result) in said for result in results)
    return met, len(said) <= 3 * len(_squeezed(results[0])) + 120


def _without_spaces(text: Text, results: list[str]) -> tuple[bool, bool]:
    met = any(result.casefold().strip(_EDGES) in text.value.casefold() for result in results)
    return met, len(text) <= 3 * len(results[0]) + 120


def _without_marks(text: Text, results: list[str]) -> tuple[bool, bool]:
    said = " ".join(text.value[:_MAX_CHARS].casefold().split())
    met = any(" ".join(result.casefold().split()) in said for result in results)
    return met, len(said) <= 3 * len(results[0]) + 120


def _one_word(text: Text, results: list[str]) -> tuple[bool, bool]:
    tokens = [word.casefold() for word in _tokens(text.value[:_MAX_CHARS])]
    given = {word.casefold() for word in _tokens(results[1])}
    met = any(result.casefold() in tokens for result in results[::2])
    return met, len(tokens) <= _MAX_ANSWER_WORDS and any(token in given for token in tokens)


def _one_letter(text: Text, results: list[str]) -> tuple[bool, bool]:
    tokens = [word.casefold() for word in _tokens(text.value[:_MAX_CHARS])]
    letters = [token for token in tokens if len(token) == 1]
    others = [one for one in letters if one not in {"a", "i"}] or (
        letters if len(tokens) == 1 else []
    )
    met = any(result.casefold() in letters for result in results[::2])
    return met, len(tokens) <= _MAX_ANSWER_WORDS and bool(others)


_WAYS: dict[str, Callable[[Text, list[str]], tuple[bool, bool]]] = {
    "words": _in_order,
    "case": _in_case,
    "title": _in_title,
    "removed": _without,
    "spaces": _without_spaces,
    "marks": _without_marks,
    "one word": _one_word,
    "one letter": _one_letter,
}
