"""The encoder's session with nothing of ours around it, fed the very windows an evaluation feeds it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from fairwitness.evaluator.encoder import Encoder
from fairwitness.evaluator.framing import spelled, windows


@cache
def _encoder() -> Encoder:
    return Encoder.load()


def bare_pass(prompt: str, response: str) -> Callable[[], Any]:
    """Return a call that runs the session on one exchange's windows, prompt alone included."""
    encoder = _encoder()
    asked, answered = (
        encoder._tokenizer.encode(spelled(text)[0], add_special_tokens=False).ids
        for text in (prompt, response)
    )
    feeds = [
        {
            "ids": np.asarray([window.ids], np.int64),
            "sides": np.asarray([window.sides], np.int64),
        }
        for window in [*windows(asked, answered), *windows(asked, [])]
    ]
    session = encoder._session
    return lambda: [session.run(("logits", "tokens"), feed) for feed in feeds]
