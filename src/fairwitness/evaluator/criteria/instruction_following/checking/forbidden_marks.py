"""Checks that forbidden marks are absent: commas, emojis, lists, headings, links, contractions."""

from __future__ import annotations

from collections.abc import Callable

from fairwitness.evaluator.criteria.instruction_following.checking import counting
from fairwitness.evaluator.criteria.instruction_following.checking.formats import table_rules
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_SPANS = 5
_LINK = Pattern(r"https?://[^\s)]+|www\.[^\s)]+|\[[^\]\n]*\]\([^)\n]*\)", ignore_case=True)
_BOLD = Pattern(r"\*\*[^*\n]+\*\*")
_CHARACTERS = {"0": "0123456789", "-": "-–—", "(": "()", '"': '"“”„', "punctuation": '.,;:!?…"“”()'}
_NAMES = {
    ",": "commas", ".": "full stops", "!": "exclamation marks", "?": "question marks", ";": "semicolons",
    "-": "hyphens and dashes", "—": "em dashes", "(": "parentheses", "0": "digits", "emoji": "emojis",
    "#": "hashtags", "*": "asterisks", "bullet": "bullet points", ":": "colons", "numbered": "numbered lists",
    "list": "lists", "heading": "headings", "highlight": "bold or italic text", "markdown": "Markdown",
    "contraction": "contractions", "link": "links", '"': "quotation marks", "punctuation": "punctuation",
    "code block": "code blocks", "table": "tables",
}  # fmt: skip
_CONTRACTED = ("n't", "'re", "'ve", "'ll", "'m", "'d")
# With 's only these are surely no genitives.
_WITH_IS = frozenset(
    "it's that's what's let's there's here's he's she's who's where's how's when's why's".split()
)


def forbidden_marks(demand: Demand, exchange: Exchange) -> Outcome:
    """None of the named marks is there."""
    found = [place for mark in demand.terms for place in _places(mark, exchange.response)]
    names = " or ".join(_NAMES[mark] for mark in demand.terms)
    return Outcome(
        met=not found,
        asked=f"no {names}",
        found=f"{len(found)} in the response" if found else "none",
        spans=tuple(found[:_MAX_SPANS]),
        suggestion=f"Remove the {names}." if found else None,
    )


def _places(mark: str, text: Text) -> list[Region]:
    if mark in _SHAPES:
        return _SHAPES[mark](text)
    wrong = _CHARACTERS.get(mark, mark)
    return [Region(at, at + 1) for at, char in enumerate(text.value) if char in wrong]


def _regions(text: Text, pattern: Pattern) -> list[Region]:
    return [Region(match.start, match.end) for match in text.matches(pattern)]


def _lists(text: Text) -> list[Region]:
    """Return the items of lists; one line alone that opens so is none."""
    found = [*counting.bullets(text), *counting.numbered(text)]
    return found if len(found) > 1 else []


def _markdown(text: Text) -> list[Region]:
    """Return what only Markdown would show as it is meant; a dash before an item is plain text too."""
    blocks = [block.region for block in text.code_blocks]
    return [*counting.headings(text), *_regions(text, _BOLD), *blocks, *table_rules(text)]


def _contractions(text: Text) -> list[Region]:
    if "'" not in text.value and "’" not in text.value:
        return []
    return [word for word in text.words if _is_contracted(text.slice(word))]


def _is_contracted(word: str) -> bool:
    low = word.lower().replace("’", "'")
    return low.endswith(_CONTRACTED) or low in _WITH_IS


_SHAPES: dict[str, Callable[[Text], list[Region]]] = {
    "emoji": counting.emojis,
    "bullet": counting.bullets,
    "numbered": counting.numbered,
    "list": _lists,
    "heading": counting.headings,
    "highlight": counting.highlights,
    "markdown": _markdown,
    "contraction": _contractions,
    "link": lambda text: _regions(text, _LINK),
    "code block": lambda text: [block.region for block in text.code_blocks],
    "table": table_rules,
    "#": counting.hashtags,
}
