"""Private feedback: kept durably on either engine, bounded, and read by the operator alone."""

from __future__ import annotations

from collections.abc import Callable

from fairwitness.feedback.contact import ContactSeal, SealedElsewhere
from fairwitness.feedback.interface import (
    DAY_MS,
    Entry,
    Expiry,
    FeedbackStore,
    Limits,
    Refusal,
    Stats,
)
from fairwitness.settings import Settings
from fairwitness.settings.databases import Database

__all__ = [
    "DAY_MS",
    "ContactSeal",
    "Entry",
    "Expiry",
    "FeedbackStore",
    "Limits",
    "Refusal",
    "SealedElsewhere",
    "Stats",
    "feedback_database",
    "feedback_of",
    "open_feedback",
]


def feedback_database(settings: Settings) -> Database:
    """Return the database the settings name, there or not."""
    return Database.at(settings.feedback_url, settings.data_dir / "feedback.sqlite3")


def feedback_of(settings: Settings) -> FeedbackStore:
    """Return the feedback store the settings name, not yet opened."""
    return open_feedback(feedback_database(settings), Limits.of(settings))


def open_feedback(database: Database, limits: Limits) -> FeedbackStore:
    """Return the feedback store kept in a database, not yet opened."""
    open_with: Callable[..., FeedbackStore] = database.engine.of_room("feedback").open_feedback
    return open_with(database, limits)
