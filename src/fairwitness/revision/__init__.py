"""Improvement: proposes edits from findings and keeps only those the evaluator measures as better."""

from fairwitness.revision.search import Improvement, Search, advance, improve, search

__all__ = ["Improvement", "Search", "advance", "improve", "search"]
