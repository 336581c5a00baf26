"""The heads of the encoder, in the order of its outputs; training and serving share this list."""

from __future__ import annotations

BINARY = (
    "harm",
    "advice",
    "prompt_harm",
    "hate",
    "offence",
    "relevance",
    "sycophancy",
    "address",
)
# The heads that score every token of the response as well, so that a finding can quote what spoke for it.
SPAN = ("harm", "advice", "hate", "offence", "address")
REFUSAL, QUALITY = slice(len(BINARY), len(BINARY) + 3), len(BINARY) + 3
# The harm of a prompt without a response has constants of its own: the number means something else there.
REQUEST_HARM = "asked"
# Bad advice, learned from dialogues people judged, sees harm that the harm head misses: the two are weighed together.
JOINED = {"harm": ("harm", "advice"), REQUEST_HARM: ("prompt_harm",)}
