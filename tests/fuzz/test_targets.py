"""Every input that long runs kept, replayed; then a few seconds of new ones. A failure prints its input."""

from __future__ import annotations

import base64
import os
import random
import time

import pytest

from tests.evaluator.reading_once import reading_once
from tests.fuzz import corpus
from tests.fuzz.mutation import mutated
from tests.fuzz.targets import TARGETS, Target

__all__ = ["reading_once"]

# A target judges each input twice, and several the same ones.
pytestmark = pytest.mark.usefixtures("reading_once")

# Each target's share of fresh processor time; the long runs are `make fuzz`.
FRESH_S = float(os.environ.get("FUZZ_SECONDS", "0.4"))


def attempt(target: Target, data: bytes) -> None:
    try:
        target.run(data)
    except Exception as error:
        kept = base64.b64encode(data).decode()
        raise AssertionError(f"tests/fuzz/corpus/{target.name}.b64 should hold: {kept}") from error


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_kept_inputs(target: Target) -> None:
    kept = corpus.load(target.name)
    assert kept, "the long run has left nothing to replay"
    for data in [*target.seeds(), *kept]:
        attempt(target, data)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_fresh_inputs(target: Target) -> None:
    dice = random.Random()
    known = [*target.seeds(), *corpus.load(target.name)]
    stop = time.process_time() + FRESH_S
    while time.process_time() < stop:
        attempt(target, mutated(dice.choice(known), known, dice))


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_empty_and_binary_inputs(target: Target) -> None:
    for data in (b"", b"\x00", b"\xff", b"\xff\xff", bytes(range(256)), b"\xf0\x9f\x98\x80" * 4000):
        attempt(target, data)
