"""Tells code from data: a fenced block of JSON, CSV or the like holds values that were taken over, not a program."""

from __future__ import annotations

from fairwitness.evaluator.text import Text

_LANGUAGES = frozenset({"json", "jsonc", "jsonl", "csv", "tsv", "yaml", "yml", "xml"})


def in_program(text: Text, position: int) -> bool:
    """Tell whether a position is inside code that is no data."""
    if not text.in_code(position):
        return False
    block = next((one for one in text.code_blocks if one.region.contains(position)), None)
    if block is None:
        return True
    bare = not block.language and text.slice(block.body).lstrip()[:1] in {"{", "["}
    return not (bare or block.language in _LANGUAGES)
