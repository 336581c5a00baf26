"""Finds how many things are to be listed, whatever they are: "give me exactly 4 fruits", "name three birds".

The things are free nouns, so the checker judges the count only where the response is clearly a list.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import SYMBOLS, WORKS
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.quantities import Quantity
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import NUMBER, WORD
from fairwitness.evaluator.patterns import Match, Pattern

ITEMS = Pattern(
    r"\b(?:WRITE|name|suggest|recommend|brainstorm|share|offer|propose|identify|find|up|show|think|rank) "
    r"(?:WRITE |WORK |with |in |up |top ){0,3}(?P<q>Q\d+) "
    r"|(?:^|\| )(?:top )?(?P<q2>Q\d+) "
)
PATTERNS = (ITEMS,)

_MIN_ITEMS, _MAX_ITEMS = 2, 40
_MAX_NOUN_WORDS = 4  # "small Italian coffee shops"
_STOPS = frozenset(
    """of for that to about in on who which with from and or at by as where when you i we if using whose into
    per such like not but can could should must is are was were why how""".split()
)
_SAID_OF = frozenset("for to about on of in that with from".split())
_FINITE = frozenset("is are was were can could should must".split())
_IRREGULAR = frozenset(
    "people children women men mice criteria phenomena animals species series".split()
)
_MEASURES = frozenset(
    """minutes hours days weeks months years seconds decades centuries dollars euros pounds percent stars miles
    kilometers km meters metres feet inches cups grams kilograms kg litres liters pages servings guests
    times degrees calories people chances tries turns nights bedrooms persons players""".split()
)
# Works that are short enough to be listed.
_SHORT_WORKS = frozenset("jokes headlines slogans captions riddles tweets titles taglines".split())
_WISHES = frozenset(
    "i we need want would like please just what which are some have i'd me to get could use the top".split()
)
_OWN = frozenset({"i", "we"})
_BEFORE_COMMANDS = frozenset(
    "you please and , : ; then also just now kindly - me come i to".split()
)
_GIVEN = frozenset("the these those my our his her their this last first next".split())
_THEIRS = _GIVEN - {"the"}
_NO_RANKING = frozenset("honest modest forest interest request guest test rest west quest".split())
_RANKING = frozenset("most least main best worst top".split())


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the one count of things to list; two such counts are none we can tell apart."""
    found: list[Demand] = []
    for match in prompt.find(ITEMS, overlapping=True):
        symbol = match["q"] or match["q2"]
        number, quantity = int(symbol[1:]), prompt.quantity(symbol)
        if number in consumed.quantities or not _countable(quantity):
            continue
        noun = _noun(prompt, quantity)
        if not noun or _is_given(prompt, quantity) or not _asked(prompt, match, quantity):
            continue
        consumed.quantities.add(number)
        found.append(Demand("item_count", prompt.span(match), quantity.bounds, terms=(noun,)))
    if len(found) == 1 and not _shared(prompt, found[0]):
        yield found[0]


def _asked(prompt: Prompt, match: Match, quantity: Quantity) -> bool:
    """Tell whether the things are asked for: by a command, by a wish, or by naming them first of all."""
    first, _ = prompt.sentence_of(quantity.first)
    if match["q2"]:
        before = set(prompt.lows(first, quantity.first))
        if before:
            # "I want two coats. How many tins do I buy?": the question asks for something else.
            return before <= _WISHES and not (
                _OWN & before and prompt.text.value.rstrip()[-1:] == "?"
            )
        after = prompt.tokens[quantity.last : quantity.last + _MAX_NOUN_WORDS + 1]
        stop = next((token.low for token in after if token.kind != WORD or token.low in _STOPS), "")
        return not first and stop in _SAID_OF
    verb = prompt.token_index(match.start)
    return verb == first or prompt.lows(verb - 1, verb)[0] in _BEFORE_COMMANDS


def _is_given(prompt: Prompt, quantity: Quantity) -> bool:
    """Tell things the prompt has already ("these 3 songs") from a ranking to make ("the top 3", "the 3 best")."""
    before = _before(prompt, quantity)
    ranking = prompt.lows(quantity.last, quantity.last + 1)
    if before[:1] == ["top"]:
        return bool(_THEIRS & set(before[1:]))
    if before[:1] == ["the"] and any(_is_ranking(word) for word in ranking):
        return False
    return bool(_GIVEN & set(before[:1]))


def _before(prompt: Prompt, quantity: Quantity) -> list[str]:
    """Return the two words before a quantity, nearest first; "top-10" is "top 10"."""
    lows = prompt.lows(quantity.first - 3, quantity.first)[::-1]
    return [low for low in lows if low != "-"][:2]


def _is_ranked(prompt: Prompt, quantity: Quantity) -> bool:
    return _before(prompt, quantity)[:1] == ["top"]


def _is_ranking(word: str) -> bool:
    return word in _RANKING or (word.endswith("est") and word not in _NO_RANKING)


def _countable(quantity: Quantity) -> bool:
    fits = _MIN_ITEMS <= quantity.size <= _MAX_ITEMS
    return fits and not (quantity.vague or quantity.rough or quantity.often)


def _noun(prompt: Prompt, quantity: Quantity) -> str:
    """Return the plural noun a quantity counts, where that can be an item of a list."""
    if _is_ranked(prompt, quantity) and prompt.lows(quantity.last, quantity.last + 1) == ["list"]:
        return "items"  # "a top 10 list of albums"
    words: list[str] = []
    for token in prompt.tokens[quantity.last : quantity.last + _MAX_NOUN_WORDS + 1]:
        if token.kind != WORD or token.low in _STOPS:
            if token.kind == NUMBER or token.low in _FINITE:
                return ""
            break
        words.append(token.low)
    if not 0 < len(words) <= _MAX_NOUN_WORDS:
        return ""
    head = words[-1]
    plural = (head.endswith("s") and not head.endswith(("ss", "us", "is"))) or head in _IRREGULAR
    unit = any(
        word in SYMBOLS and SYMBOLS[word] not in {"", "option", "item", "point"} for word in words
    )
    measured = any(word in _MEASURES or f"{word}s" in _MEASURES for word in words)
    if not plural or unit or measured:
        return "" if head not in _SHORT_WORKS else head
    written = head[:-1] in WORKS and head not in _SHORT_WORKS and not _is_ranked(prompt, quantity)
    return "" if written else head


def _shared(prompt: Prompt, demand: Demand) -> bool:
    """Tell whether the count is per something, or of what each of several is to have."""
    _, last = prompt.sentence_of(_index(prompt, demand))
    lows = prompt.lows(_index(prompt, demand), last)
    return bool({"each", "per", "every", "apiece", "both"} & set(lows))


def _index(prompt: Prompt, demand: Demand) -> int:
    return next(n for n, token in enumerate(prompt.tokens) if token.start >= demand.span.start)
