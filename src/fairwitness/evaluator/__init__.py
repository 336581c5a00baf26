"""The judgement: (prompt, response) to an assessment. Pure; usable alone as a library."""

from fairwitness.evaluator.engine import Evaluator

__all__ = ["Evaluator"]
