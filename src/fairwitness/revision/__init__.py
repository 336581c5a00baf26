"""Improvement: proposes edits from findings and keeps only those the evaluator measures as better."""

from fairwitness.revision.search import Improvement, improve

__all__ = ["Improvement", "improve"]
