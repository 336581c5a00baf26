"""The judgement: (prompt, response) to an evaluation. Pure; usable alone as a library."""

from __future__ import annotations

from functools import cache

from fairwitness.evaluator.engine import Evaluator

__all__ = ["Evaluator", "shipped"]


@cache
def shipped() -> Evaluator:
    """Return the evaluator this version ships, built once a process."""
    return Evaluator.shipped()
