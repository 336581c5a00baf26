"""Finds demands on alphabetical order, on a question at the end, and on verse forms of a fixed number of lines."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.patterns import Match, Pattern

ALPHABETICAL = Pattern(
    r"\b(?P<reverse>reverse |reversed )?(?P<order>alphabetical|alphabetically|alphabetic) "
)
QUESTION = Pattern(
    r"\bENDS (?:RESP |WORK |in |by |with |on |ask |asking |posing |all |[a-z-]+ ){0,6}?request (?P<mark>mark )?(?P<next>[^ ]+ )?"
    r"|\b(?:last|final) (?:sentence|line) (?:in |RESP |WORK )*request (?P<next2>[^ ]+ )?"
)
VERSE = Pattern(r"\b(?:WRITE|in|as|RESP) (?:[^ |Q,]+ ){0,3}?(?P<form>haiku|limerick|WORK) ")
PATTERNS = (ALPHABETICAL, QUESTION, VERSE)

_NOT_HERE = frozenset(
    "how why excel spreadsheet function column code sql python program script learn teach".split()
)
# "by size, ties alphabetically": the order of what another order leaves open.
_WITHIN = frozenset("tie ties tied then equal draws".split())
_LINES = {"haiku": 3, "limerick": 5}
_MENTIONED = frozenset(
    "explain describe about history origin what how famous define translate list rules".split()
)


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the demands on order, last sentence and verse form, each at most once."""
    for match in prompt.find(ALPHABETICAL):
        index = prompt.token_index(match.span("order")[0])
        within = _WITHIN & set(prompt.lows(index - 3, index))
        if not within and not _NOT_HERE & prompt.sentence_words(index):
            yield Demand("alphabetical", prompt.span(match), negated=bool(match["reverse"]))
            break
    for match in prompt.find(QUESTION):
        if _asks_a_question(prompt, match):
            negated = "NEG" in prompt.clause_before(match)[:3]
            yield Demand("ends_question", prompt.span(match), negated=negated)
            break
    yield from _verse(prompt)


def _asks_a_question(prompt: Prompt, match: Match) -> bool:
    """Tell a question asked at the end from a question named or quoted there."""
    named = prompt.token_index(match.start + match.text.index("request"))
    if prompt.tokens[named].low not in {"question", "questions"}:
        return False
    following = (match["next"] or match["next2"]).strip()
    if following in {"S", ":"} or {"each", "paragraph", "NEG"} & set(match.text.split()):
        return False
    return not {"the", "this"} & set(prompt.lows(named - 1, named))


def _verse(prompt: Prompt) -> Iterator[Demand]:
    """Find one haiku or one limerick, where no other number of lines is asked for."""
    forms = {token.low for token in prompt.tokens if token.low in _LINES}
    many = any(token.low in {"haikus", "limericks"} for token in prompt.tokens)
    if len(forms) != 1 or many:
        return
    (form,) = forms
    for match in prompt.find(VERSE):
        named = prompt.token_index(match.span("form")[0])
        first, _ = prompt.sentence_of(named)
        about = _MENTIONED & set(prompt.lows(first, named))
        if prompt.tokens[named].low == form and not about:
            if prompt.lows(named - 1, named) in (["a"], ["one"], ["single"], ["short"], ["funny"]):
                yield Demand(
                    "line_count",
                    prompt.span(match),
                    Bounds(_LINES[form], _LINES[form]),
                    terms=(form,),
                )
            return
