"""Has the rules make what they make at first use, most of a second of work, without the packaged model.

The model's runtime starts a thread, which a fork would not have.
"""

from __future__ import annotations

from collections import defaultdict
from unittest.mock import patch

from fairwitness.evaluator import readers, shipped
from fairwitness.evaluator.readers.encoder import Comparison, Encoder, Reading

CONTEXT = "The bridge was opened on 3 May 1998. It is 412 m long and cost 12 million euros."
EXCHANGES = (
    ("Hi", "Hello! How can I help you today?", None),
    ("What is 12 * 12? Answer in one sentence of at most 20 words.", "12 * 12 = 144.", None),
    ("When was the bridge opened, and how long is it?", "In May 1998; it is 412 m long.", CONTEXT),
    (
        'List three colours as JSON with the key "colours".',
        '```json\n{"colours": ["red", "green", "blue"]}\n```',
        None,
    ),
    (
        "Whom can I ask, and what would 3 tickets at 4.50 euros cost?",
        "Write to help@example.com or see https://example.com/help.\n\n- 3 tickets cost 13.50 euros.",
        None,
    ),
)


class _Silent(Encoder):
    """A model that finds nothing."""

    def __init__(self) -> None:
        """Load nothing."""

    def read(self, prompt: str, response: str, limit: int | None = None) -> Reading:
        return Reading(
            values=defaultdict(float),
            refusal=(1.0, 0.0, 0.0),
            offsets=[],
            strengths={},
            logits=(),
            windows=1,
            tokens_read=1,
            tokens=1,
            characters_read=len(response),
        )

    def compare(self, passage: str, sentence: str) -> Comparison:
        return Comparison(support=0.0, contradiction=0.0, logits=(), tokens=1)


def warm_rules() -> None:
    """Judge a few exchanges by all rules, and forget the model that had nothing to say."""
    with patch.object(Encoder, "load", lambda: _Silent()):
        for prompt, response, context in EXCHANGES:
            found = shipped().evaluate(prompt, response, context=context)
            reasons = {detail.code for detail in found.reason_details}
            assert "criterion_failed" not in reasons, found
    readers.packaged.cache_clear()
