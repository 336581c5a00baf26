"""Builds small evaluators for tests: the shipped protocol's numbers, with other criteria or signals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from fairwitness.evaluator import Evaluator, protocol, readers, shipped
from fairwitness.evaluator.criterion import Criterion, Judge
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Judgement
from fairwitness.evaluator.protocol import CriterionSpec, Protocol
from fairwitness.evaluator.signals import Reader, Signal


def asking(shown: Protocol, *specs: CriterionSpec) -> Protocol:
    """A protocol that asks other criteria; its numbers stay."""
    return msgspec.structs.replace(shown, criteria=specs)


def evaluator_of(judges: Mapping[str, Judge]) -> Evaluator:
    """An evaluator of these criteria, each weighing alike, with no reader."""
    specs = tuple(
        CriterionSpec(
            id=name, title=name, question="?", weight=0.5, critical=False, fail_below=40, pass_from=80
        )
        for name in judges
    )  # fmt: skip
    asked = asking(protocol.shipped(), *specs)
    return Evaluator(asked, {name: Criterion(judge) for name, judge in judges.items()}, ())


class Counting:
    """The shipped readers, which keep every exchange they are made to read."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def readers(self) -> list[Reader]:
        return [_Noting(reader, self.asked) for reader in readers.shipped()]


class _Noting:
    def __init__(self, reader: Reader, asked: list[tuple[str, str]]) -> None:
        self._reader, self._asked = reader, asked
        self.signals: Sequence[str] = reader.signals

    def read(self, exchange: Exchange) -> Mapping[str, Signal]:
        self._asked.append((exchange.prompt.value, exchange.response.value))
        return self._reader.read(exchange)


class Told:
    """A reader that says what it was told to."""

    def __init__(self, said: Mapping[str, Signal]) -> None:
        self.signals: Sequence[str] = tuple(said)
        self._said = said

    def read(self, exchange: Exchange) -> Mapping[str, Signal]:
        return self._said


def judged(reader: Reader, spec: CriterionSpec, prompt: str, response: str) -> Judgement:
    """What one criterion makes of a reader's word."""
    evaluator = Evaluator(asking(protocol.shipped(), spec), shipped().criteria, (reader,))
    return evaluator.judge(spec.id, Exchange(prompt, response))
