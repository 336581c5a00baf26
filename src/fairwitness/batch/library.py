"""Many evaluations in Python: rows from any iterable, evaluations in the same order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from fairwitness.batch.executor import Texts, executor_of
from fairwitness.contract.errors import InvalidRequest
from fairwitness.contract.evaluation import Evaluation
from fairwitness.evaluator import shipped
from fairwitness.settings import available_cores

Given = tuple[str, str] | Mapping[str, str]


def evaluate_rows(rows: Iterable[Given], workers: int | None) -> Iterator[Evaluation]:
    """Yield the evaluation of each row; raise InvalidRequest that names a row by its number from 1."""
    if workers is not None and workers < 1:
        raise ValueError("workers must be at least 1")
    return _evaluations(rows, workers or available_cores())


def _evaluations(rows: Iterable[Given], workers: int) -> Iterator[Evaluation]:
    evaluation = msgspec.json.Decoder(Evaluation)
    with executor_of(shipped(), workers) as executor:
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
        prompt, response = (row["prompt"], row["response"]) if isinstance(row, Mapping) else row
    except (KeyError, TypeError, ValueError):
        raise TypeError(f"row {number}: must be (prompt, response), or have these keys") from None
    for name, text in (("prompt", prompt), ("response", response)):
        if not isinstance(text, str):
            raise TypeError(f"row {number}: {name} must be a str, not {type(text).__name__}")
        try:
            text.encode()
        except UnicodeEncodeError:
            fault = f"row {number}: {name}: holds a lone surrogate, which is not a character"
            raise InvalidRequest(details=[fault]) from None
    return prompt, response
