"""Fair Witness: scores the text of an AI response against a published protocol, and quotes its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "AsyncClient",
    "Client",
    "Evaluation",
    "__version__",
    "evaluate",
    "evaluate_many",
]

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

    from fairwitness.client import AsyncClient, Client
    from fairwitness.contract.evaluation import Evaluation
    from fairwitness.evaluator.inputs import ContextInput, MessagesInput, ResponseInput
    from fairwitness.evaluator.protocol import Protocol


def evaluate(
    prompt: str | None,
    response: ResponseInput,
    *,
    context: ContextInput | None = None,
    messages: MessagesInput | None = None,
    reference: str | None = None,
    protocol: str | os.PathLike[str] | Protocol | None = None,
) -> Evaluation:
    """Evaluate one response to one prompt with the shipped protocol, or with one of your own.

    `context` is what the response should rest on: a text, or a list of texts or of {"id", "text"}. `messages`
    is the conversation it answers, with None for the prompt. `reference` is an expected answer. A response
    that calls tools is {"content", "toolCalls"}.

    A `protocol` is the path of a protocol file, read at every call, or one that was loaded
    (`fairwitness.evaluator.protocol.load`); a file that is wrong raises ProtocolError.

    Deterministic, offline, and scoped: it judges the text alone and checks no facts. Texts may be of any
    length; an empty one raises InvalidRequest.

    >>> evaluate("What is 2+2?", "2+2 = 4")
    <Evaluation pass ...>
    """
    from fairwitness.evaluator import Evaluator, shipped

    if protocol is None:
        evaluator = shipped()
    else:
        from pathlib import Path

        from fairwitness.evaluator.protocol import Protocol, load

        used = protocol if isinstance(protocol, Protocol) else load(Path(protocol))
        evaluator = Evaluator.of(used)
    return evaluator.evaluate(
        prompt, response, context=context, messages=messages, reference=reference
    )


def evaluate_many(
    rows: Iterable[tuple[str, str] | Mapping[str, Any]],
    *,
    workers: int | None = None,
    protocol: str | os.PathLike[str] | Protocol | None = None,
) -> Iterator[Evaluation]:
    """Evaluate many responses with processes, and yield the evaluations in the order of the rows.

    A row is a pair (prompt, response), or a mapping with these two keys; it may also have `context`, `reference`, and
    `messages` instead of the prompt, as `evaluate` takes them. Other keys are not read. Rows are taken as they are
    needed, so they may be more than memory holds. One worker means this process itself; the default is one for each core.
    A row that cannot be judged raises InvalidRequest, which names its number, when its turn comes. `protocol` is as
    for `evaluate`, and is read once. `fairwitness.frame.evaluate` does the same for a pandas or polars DataFrame.

    >>> rows = [("What is 2+2?", "2+2 = 4"), {"prompt": "And 2+3?", "response": "2+3 = 6"}]
    >>> [found["calculation"].verdict for found in evaluate_many(rows, workers=1)]
    ['pass', 'fail']
    """
    from fairwitness.batch.library import evaluate_rows

    return evaluate_rows(rows, workers, protocol)


_HOMES = {
    "AsyncClient": "fairwitness.client",
    "Client": "fairwitness.client",
    "Evaluation": "fairwitness.contract.evaluation",
}


def __dir__() -> list[str]:
    # Also what is not imported yet, so that an editor or a notebook offers it.
    return sorted({*globals(), *_HOMES})


def __getattr__(name: str) -> Any:
    # Imported when they are asked for, so that `import fairwitness` costs nothing.
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
