"""A worker process: reads a protocol, then the texts of a row a line, and answers each with its evaluation.

It ends when its input does, so that no worker outlives the process that started it, however that ended.
"""

from __future__ import annotations

import os
import sys

import msgspec

from fairwitness.contract.errors import InvalidRequest
from fairwitness.evaluator import Evaluator
from fairwitness.evaluator import protocol as protocols
from fairwitness.evaluator.inputs import exchange_of_row


def judged(evaluator: Evaluator, prompt: str, response: str, given: str = "") -> bytes:
    """Return the evaluation as JSON, or a list of faults where the texts cannot be judged."""
    try:
        exchange = exchange_of_row(prompt, response, given)
        return msgspec.json.encode(evaluator.assess(exchange).evaluation)
    except InvalidRequest as error:
        return msgspec.json.encode(error.details)


def main() -> None:
    """Answer until the input ends."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever else prints must not end up among the answers
    source, path = msgspec.json.decode(sys.stdin.buffer.readline(), type=tuple[str, str])
    evaluator = Evaluator.of(protocols.read(source.encode(), path))
    texts = msgspec.json.Decoder(tuple[str, ...])
    for line in sys.stdin.buffer:
        answers.write(judged(evaluator, *texts.decode(line)) + b"\n")


if __name__ == "__main__":
    main()
