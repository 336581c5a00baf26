"""Finds the stretches of a prompt that are not said to the writer: quoted, code, or pasted to work on."""

from __future__ import annotations

from fairwitness.evaluator.criteria.instruction_following.parsing.pasted_text import pasted_text
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import STRING
from fairwitness.evaluator.text import Region


def set_apart(prompt: Prompt) -> list[Region]:
    """Return these stretches."""
    tokens = prompt.tokens
    found = [Region(token.start, token.end) for token in tokens if token.kind == STRING]
    first, last = pasted_text(tokens, prompt.sentences)
    if first < min(last, len(tokens)):
        found.append(Region(tokens[first].start, tokens[last - 1].end))
    return [*found, *prompt.text.code]
