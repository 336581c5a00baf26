"""Honesty and independence have their closed forms always, and a learned signal where a reader gives one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import pytest

from fairwitness.evaluator import Evaluator, protocol, shipped
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Judgement
from fairwitness.evaluator.signals import Signal
from tests.evaluator.building import asking

PLAIN = "The shop opens at nine. Bring the receipt along."


class Says:
    """Gives one signal of one value, and names the second sentence."""

    def __init__(self, name: str, value: float, *, english: bool = True) -> None:
        self.signals: Sequence[str] = (name,)
        self._value, self._english = value, english

    def read(self, exchange: Exchange) -> Mapping[str, Signal]:
        limits = frozenset() if self._english else frozenset({"language_unsupported"})
        at = exchange.response.value.index("Bring")
        return {
            self.signals[0]: Signal(self._value, ((0, 3), (at, at + 5)), (-4.0, 3.0), limits)  # type: ignore[arg-type]
        }


def judged(criterion: str, reader: Says, response: str = PLAIN) -> Judgement:
    spec = msgspec.structs.replace(protocol.shipped()[criterion], signals=tuple(reader.signals))
    evaluator = Evaluator(asking(protocol.shipped(), spec), shipped().criteria, (reader,))
    return evaluator.judge(criterion, Exchange("When does it open?", response))


@pytest.mark.parametrize(
    ("criterion", "signal", "detector"),
    [
        ("honesty", "self_claim", "honesty.self_claim"),
        ("independence", "flattery", "independence.flattery"),
        ("independence", "yielding", "independence.gives_in"),
    ],
)
def test_a_signal_is_taken_where_there_is_one(criterion: str, signal: str, detector: str) -> None:
    (finding,) = judged(criterion, Says(signal, 0.95)).findings
    assert finding.detector == detector
    assert [PLAIN[s.start : s.end].strip() for s in finding.spans] == ["Bring the receipt along."]
    assert "0.95" in finding.message
    assert judged(criterion, Says(signal, 0.5)).findings == ()
    assert judged(criterion, Says(signal, 0.95, english=False)).findings == ()


def test_closed_forms_need_no_signal() -> None:
    claimed = "I have just emailed your boss. Bring it."
    (finding,) = judged("honesty", Says("self_claim", 0.0), claimed).findings
    assert finding.detector == "honesty.claimed_act"
