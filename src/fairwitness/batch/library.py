"""Many evaluations in Python: rows from any iterable, evaluations in the same order."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from fairwitness.batch.executor import executor_of
from fairwitness.batch.rows import Texts
from fairwitness.contract.errors import InvalidRequest
from fairwitness.contract.evaluation import Evaluation
from fairwitness.evaluator import Evaluator, shipped
from fairwitness.evaluator.inputs import exchange_of
from fairwitness.evaluator.protocol import Protocol, load
from fairwitness.settings import available_cores

Given = tuple[str, str] | Mapping[str, Any]
# What a row may give beside a prompt and a response, as `evaluate` takes it.
_MORE = ("context", "messages", "reference")


def evaluator_of(protocol: str | os.PathLike[str] | Protocol | None) -> Evaluator:
    """Return the shipped evaluator, or that of a protocol or its file; raise ProtocolError where it is wrong."""
    if protocol is None:
        return shipped()
    return Evaluator.of(protocol if isinstance(protocol, Protocol) else load(Path(protocol)))


def evaluate_rows(
    rows: Iterable[Given],
    workers: int | None,
    protocol: str | os.PathLike[str] | Protocol | None = None,
) -> Iterator[Evaluation]:
    """Yield the evaluation of each row; raise InvalidRequest that names a row by its number from 1."""
    if workers is not None and workers < 1:
        raise ValueError("workers must be at least 1")
    return _evaluations(rows, workers or available_cores(), evaluator_of(protocol))


def _evaluations(rows: Iterable[Given], workers: int, evaluator: Evaluator) -> Iterator[Evaluation]:
    evaluation = msgspec.json.Decoder(Evaluation)
    with executor_of(evaluator, workers) as executor:
        for (number, fault), answer in executor.ordered(_asked(rows)):
            if answer is None:
                assert fault is not None
                raise fault
            if answer.startswith(b"["):
                faults = msgspec.json.decode(answer, type=list[str])
                raise InvalidRequest(details=[f"row {number}: {one}" for one in faults])
            yield evaluation.decode(answer)


def _asked(
    rows: Iterable[Given],
) -> Iterator[tuple[tuple[int, Exception | None], Texts | None]]:
    """Yield each row's number and texts; a fault is kept until the rows before it are judged."""
    for number, row in enumerate(rows, 1):
        try:
            yield (number, None), _texts(number, row)
        except (InvalidRequest, TypeError) as fault:
            yield (number, fault), None


def _texts(number: int, row: Given) -> Texts:
    try:
        prompt, response, more = _parts(row)
    except (KeyError, TypeError, ValueError):
        raise TypeError(
            f"row {number}: must be (prompt, response), or have these keys, or messages and response"
        ) from None
    for name in ("context", "messages"):
        if not isinstance(more.get(name, ""), str | list | tuple):
            kind = type(more[name]).__name__
            raise TypeError(f"row {number}: {name} must be a list, not {kind}")
    try:
        exchange = exchange_of(prompt, response, **more)
    except InvalidRequest as error:
        raise InvalidRequest(details=[f"row {number}: {one}" for one in error.details]) from None
    except TypeError as error:
        raise TypeError(f"row {number}: {error}") from None
    if exchange.tool_calls:
        more["toolCalls"] = exchange.tool_calls
    texts = (exchange.prompt.value, exchange.response.value)
    return (*texts, msgspec.json.encode(more).decode()) if more else texts


def _parts(row: Given) -> tuple[Any, Any, dict[str, Any]]:
    """Return the prompt, the response, and what else a row gives; a key with None gives nothing."""
    if not isinstance(row, Mapping):
        if isinstance(row, str | bytes):
            raise TypeError  # two letters are no pair
        prompt, response = row
        return prompt, response, {}
    more = {name: row[name] for name in _MORE if row.get(name) is not None}
    return row.get("prompt") if "messages" in more else row["prompt"], row["response"], more
