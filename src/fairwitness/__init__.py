"""Fair Witness: scores the text of an AI response against a published protocol, and quotes its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = ["__version__", "evaluate"]

if TYPE_CHECKING:
    from fairwitness.contract.results import Assessment


def evaluate(prompt: str, response: str) -> Assessment:
    """Evaluate one response to one prompt with the shipped protocol.

    Deterministic, offline, and scoped: it judges the text alone. Texts may be of any length; an empty
    one raises InvalidRequest.
    """
    from fairwitness.evaluator import shipped

    return shipped().evaluate(prompt, response)
