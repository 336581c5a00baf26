"""Improvement: proposes edits from findings and keeps only those that raise the score."""

from fairwitness.revision.search import Improvement, improve

__all__ = ["Improvement", "improve"]
