"""Finds words required or forbidden in passing: as a second object, or with no noun that calls them words."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Kind
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.term_lists import named_terms
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region

ALSO = Pattern(r"\b(?P<verb>USE|with) (?:[^ |]+ ){1,14}?(?:and|,) (?P<noun>keywords?|words?) S ")
MENTION = Pattern(r"\bNEG (?:from )?USE (?:[^ |]+ ){1,5}in RESP ")
PATTERNS = (ALSO, MENTION)
_NOT_A_WORD = frozenset("any anything the a that your more it how if why you".split())


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the demands on words that no other family has read."""
    yield from _also(prompt, consumed.tokens)
    yield from _bare_mentions(prompt, consumed.tokens)


def _also(prompt: Prompt, used: set[int]) -> Iterator[Demand]:
    """Find the words that come second: "with three paragraphs and the keywords ..."."""
    for match in prompt.find(ALSO):
        first = prompt.token_index(match.span("noun")[0])
        found = named_terms(
            prompt.text.value, prompt.tokens, first + 1, plural=match["noun"].endswith("s")
        )
        if not found.terms or first in used or first + 1 in used:
            continue
        used.update(range(first, found.last))
        # In "use no commas and the words ..." the first object alone is negated.
        negated = prompt.clause_before(match)[:1] == ["NEG"]
        span = Region(prompt.tokens[first].start, prompt.tokens[found.last - 1].end)
        kind: Kind = "forbidden_words" if negated else "required_words"
        yield Demand(kind, span, terms=found.terms)


def _bare_mentions(prompt: Prompt, used: set[int]) -> Iterator[Demand]:
    """Find "do not mention nursery and storytelling in your response": plain words, no noun."""
    for match in prompt.find(MENTION):
        index = prompt.token_index(match.start + match.text.index("USE"))
        verb = prompt.tokens[index].low
        if verb not in {"mention", "mentioning"} or index + 1 in used:
            continue
        ahead = prompt.tokens[index + 1 : index + 2]
        if not ahead or ahead[0].low in _NOT_A_WORD:
            continue
        found = named_terms(prompt.text.value, prompt.tokens, index + 1, plural=True)
        if not found.terms:
            found = named_terms(prompt.text.value, prompt.tokens, index + 1, plural=False)
        if found.terms and not used & set(range(index + 1, found.last)):
            used.update(range(index + 1, found.last))
            span = Region(prompt.span(match).start, prompt.tokens[found.last - 1].end)
            yield Demand("forbidden_words", span, terms=found.terms)
