"""Fair Witness: scores the text of an AI response against a published protocol, and quotes its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Evaluation", "__version__", "evaluate", "evaluate_many"]

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

    from fairwitness.contract.evaluation import Evaluation
    from fairwitness.evaluator.protocol import Protocol


def evaluate(
    prompt: str, response: str, *, protocol: str | os.PathLike[str] | Protocol | None = None
) -> Evaluation:
    """Evaluate one response to one prompt with the shipped protocol, or with one of your own.

    A `protocol` is the path of a protocol file, read at every call, or one that was loaded
    (`fairwitness.evaluator.protocol.load`); a file that is wrong raises ProtocolError.

    Deterministic, offline, and scoped: it judges the text alone and checks no facts. Texts may be of any
    length; an empty one raises InvalidRequest.

    >>> evaluate("What is 2+2?", "2+2 = 4")
    <Evaluation pass ...>
    """
    from fairwitness.evaluator import Evaluator, shipped

    if protocol is None:
        return shipped().evaluate(prompt, response)

    from pathlib import Path

    from fairwitness.evaluator.protocol import Protocol, load

    used = protocol if isinstance(protocol, Protocol) else load(Path(protocol))
    return Evaluator.of(used).evaluate(prompt, response)


def evaluate_many(
    rows: Iterable[tuple[str, str] | Mapping[str, str]], *, workers: int | None = None
) -> Iterator[Evaluation]:
    """Evaluate many responses with processes, and yield the evaluations in the order of the rows.

    A row is a pair (prompt, response), or a mapping with these two keys. Rows are taken as they are needed, so
    they may be more than memory holds. One worker means this process itself; the default is one for each core.
    A row that cannot be judged raises InvalidRequest, which names its number, when its turn comes.

    >>> rows = [("What is 2+2?", "2+2 = 4"), {"prompt": "And 2+3?", "response": "2+3 = 6"}]
    >>> [found["calculation"].verdict for found in evaluate_many(rows, workers=1)]
    ['pass', 'fail']
    """
    from fairwitness.batch.library import evaluate_rows

    return evaluate_rows(rows, workers)


def __getattr__(name: str) -> Any:
    # Types are imported when they are asked for, so that `import fairwitness` costs nothing.
    if name == "Evaluation":
        from fairwitness.contract.evaluation import Evaluation

        return Evaluation
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
