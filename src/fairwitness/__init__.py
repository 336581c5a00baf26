"""Fair Witness: scores the text of an AI response against a published protocol, and quotes its evidence."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = ["__version__", "evaluate"]

if TYPE_CHECKING:
    from fairwitness.contract.evaluation import Evaluation
    from fairwitness.evaluator import Evaluator


def evaluate(prompt: str, response: str) -> Evaluation:
    """Evaluate one response to one prompt with the shipped protocol.

    Deterministic, offline, and scoped: it judges the text alone. Raises InvalidRequest where the
    prompt is not 1-2000 characters or the response not 1-8000.
    """
    return _shipped().evaluate(prompt, response)


@cache
def _shipped() -> Evaluator:
    from fairwitness.evaluator import Evaluator

    return Evaluator.shipped()
