"""Private feedback: kept durably on either engine, bounded, and read by the operator alone."""

from __future__ import annotations

from pathlib import Path

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
    "feedback_file",
    "feedback_of",
]


def feedback_file(settings: Settings) -> Path | None:
    """Return the SQLite file the settings name, there or not; None where it is PostgreSQL."""
    url = settings.feedback_url or ""
    if url.startswith("postgres"):
        return None
    return Path(url.removeprefix("sqlite:///")) if url else settings.data_dir / "feedback.sqlite3"


def feedback_of(settings: Settings) -> FeedbackStore:
    """Return the feedback store the settings name, not yet opened."""
    file = feedback_file(settings)
    if file is None:
        from fairwitness.feedback.postgres import PostgresFeedback

        return PostgresFeedback(settings.feedback_url or "", Limits.of(settings))
    from fairwitness.feedback.sqlite import SqliteFeedback

    return SqliteFeedback(file, Limits.of(settings))
