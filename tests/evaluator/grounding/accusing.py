"""What the rules of grounding hold against a response."""

from __future__ import annotations

from fairwitness.evaluator.criteria.grounding import claims
from fairwitness.evaluator.criteria.grounding.ground import Ground
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.given import given


def accused(prompt: str, response: str) -> list[str]:
    """Return the messages of all claims above low."""
    exchange = Exchange(prompt, response)
    found = claims(Ground(exchange, given(exchange)))
    return [claim.message for claim in found if claim.severity != "low"]
