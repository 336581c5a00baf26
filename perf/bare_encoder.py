"""The encoder's sessions with nothing of ours around them, fed the very windows an evaluation feeds them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from fairwitness.evaluator.readers.encoder import Encoder
from fairwitness.evaluator.readers.framing import spelled, windows


@cache
def _encoder() -> Encoder:
    return Encoder.load()


def bare_pass(prompt: str, response: str) -> Callable[[], Any]:
    """Return a call that runs the sessions on one exchange's windows."""
    encoder = _encoder()
    asked, answered = (
        encoder._tokenizer.encode(spelled(text)[0])[0] for text in (prompt, response)
    )
    feeds = [
        {
            "ids": np.asarray([window.ids], np.int64),
            "sides": np.asarray([window.sides], np.int64),
        }
        for window in windows(asked, answered)
    ]
    embeddings, reader = (encoder._graphs[name] for name in ("embeddings", "encoder"))

    def run(feed: dict[str, Any]) -> Any:
        (embedded,) = embeddings.run(("embedded",), feed)
        return reader.run(("logits", "tokens"), {"embedded": embedded, "sides": feed["sides"]})

    return lambda: [run(feed) for feed in feeds]
