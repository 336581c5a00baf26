"""Improvement: proposes edits from findings and keeps only those that raise the score."""

from fairwitness.revision.search import Improvement, Search, advance, improve, search

__all__ = ["Improvement", "Search", "advance", "improve", "search"]
