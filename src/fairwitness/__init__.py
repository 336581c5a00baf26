"""Fair Witness: scores the text of an AI response against a published protocol, and quotes its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Evaluation", "__version__", "evaluate"]

if TYPE_CHECKING:
    from fairwitness.contract.evaluation import Evaluation


def evaluate(prompt: str, response: str) -> Evaluation:
    """Evaluate one response to one prompt with the shipped protocol.

    Deterministic, offline, and scoped: it judges the text alone and checks no facts. Texts may be of any
    length; an empty one raises InvalidRequest.

    >>> evaluate("What is 2+2?", "2+2 = 4")
    <Evaluation pass ...>
    """
    from fairwitness.evaluator import shipped

    return shipped().evaluate(prompt, response)


def __getattr__(name: str) -> Any:
    # Types are imported when they are asked for, so that `import fairwitness` costs nothing.
    if name == "Evaluation":
        from fairwitness.contract.evaluation import Evaluation

        return Evaluation
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
