"""Has the packaged model read the same text once, where tests judge it again: by another criterion, or among others.

That it says the same each time is a test of its own, in test_encoder.py.
"""

from __future__ import annotations

from functools import lru_cache

import pytest

from fairwitness.evaluator.readers.encoder import Encoder

# Kept for all tests of a process, and not so many that memory matters.
_read = lru_cache(2000)(Encoder.read)
_compare = lru_cache(10_000)(Encoder.compare)


@pytest.fixture
def reading_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remember what the model said of a text, and of a sentence and a passage."""
    monkeypatch.setattr(Encoder, "read", _read)
    monkeypatch.setattr(Encoder, "compare", _compare)
