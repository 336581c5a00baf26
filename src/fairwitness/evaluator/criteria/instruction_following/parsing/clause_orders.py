"""Finds the demands that are short clauses of their own: words to avoid, notes on lists, lengths, order and tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.parsing import shape_orders, word_orders
from fairwitness.evaluator.criteria.instruction_following.parsing.own_clauses import Clauses
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Prompt
from fairwitness.evaluator.patterns import PatternSet

_FORMS = (*word_orders.FORMS, *shape_orders.FORMS)
_MAX_MATCHES = 4


@cache
def _patterns() -> PatternSet:
    return PatternSet([form.pattern for form in _FORMS])


def find_demands(prompt: Prompt, found: list[Demand]) -> Iterator[Demand]:
    """Yield the demands of these forms that no other family has read."""
    clauses = Clauses(prompt, found)
    occurring = set(map(id, _patterns().occurring(clauses.text.utf8)))
    made: list[Demand] = []
    for form in _FORMS:
        if id(form.pattern) not in occurring:
            continue
        for match in clauses.text.matches(form.pattern, limit=_MAX_MATCHES):
            demand = form.make(clauses, match) if clauses.is_own(form, match) else None
            if demand is not None and not any(_same(demand, other) for other in (*found, *made)):
                made.append(demand)
    yield from made


def _same(one: Demand, two: Demand) -> bool:
    """Tell whether two demands are one: read from the same words, or naming the same."""
    if one.kind != two.kind:
        return False
    overlap = one.span.start < two.span.end and two.span.start < one.span.end
    overlap = overlap and one.kind != "forbidden_marks"  # each mark is a demand of its own
    return overlap or (one.terms == two.terms and one.bounds == two.bounds)
