"""Feedback: kept durably before it is confirmed, bounded, never read back by any public route."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NoReturn

import structlog
from msgspec import UNSET

from fairwitness.contract.errors import FeedbackUnavailable
from fairwitness.contract.requests import FeedbackRequest
from fairwitness.contract.results import FeedbackResult
from fairwitness.feedback import DAY_MS, ContactSeal, Entry, FeedbackStore, Refusal
from fairwitness.service.call import Call
from fairwitness.service.ids_and_times import new_id
from fairwitness.store import StoreError
from fairwitness.store.clock import Clock, system_clock

RETRY_S = 30
PRUNE_EVERY_S = 3600.0

# Told of the kind of fault alone; an error's text could quote what was sent.
Fault = Callable[[str], None]


_log = structlog.get_logger("fairwitness.feedback")


class SubmitFeedback:
    """The handler of POST /api/feedback."""

    def __init__(
        self,
        store: FeedbackStore,
        seal: ContactSeal,
        caller_of: Callable[[Call], bytes],
        *,
        clock: Clock = system_clock,
        on_fault: Fault = lambda kind: None,
    ) -> None:
        """Keep feedback in `store`, contacts sealed; `caller_of` gives the keyed hash of a caller."""
        self._store = store
        self._seal = seal
        self._caller_of = caller_of
        self._clock = clock
        self._on_fault = on_fault

    async def __call__(self, request: FeedbackRequest, call: Call) -> FeedbackResult:
        """Keep one piece of feedback, or raise FeedbackUnavailable."""
        try:
            entry = self._entry(request)
            refusal = await self._store.add(entry, self._caller_of(call))
        except StoreError as error:
            self._on_fault(type(error).__name__)
            raise FeedbackUnavailable(retry_after=RETRY_S) from None
        if refusal is not None:
            _refuse(refusal)
        return FeedbackResult(
            feedback_id=entry.feedback_id, received_at=_timestamp(entry.received_ms)
        )

    def _entry(self, request: FeedbackRequest) -> Entry:
        feedback_id = new_id()
        contact = request.contact
        return Entry(
            feedback_id=feedback_id,
            received_ms=self._clock(),
            category=request.category,
            message=request.message,
            rating=None if request.rating is UNSET else int(request.rating),
            request_id=None if request.request_id is UNSET else request.request_id,
            contact=None if contact is UNSET else self._seal.seal(contact, feedback_id),
        )


def _refuse(refusal: Refusal) -> NoReturn:
    if refusal.reason == "quota":
        message = "You have reached the daily limit of feedback for one caller."
    else:
        message = "The feedback store is full."
    raise FeedbackUnavailable(message, retry_after=refusal.retry_after_s)


def _timestamp(at_ms: int) -> str:
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


async def keep_retention(
    store: FeedbackStore,
    days: int,
    *,
    clock: Clock = system_clock,
    every_s: float = PRUNE_EVERY_S,
    on_fault: Fault = lambda kind: None,
) -> NoReturn:
    """Delete what is older than `days`, now and every hour, until cancelled; a lost store is tried again.

    A clock that jumped far ahead deletes nothing before it has run on for a day.
    """
    while True:
        try:
            found = await store.expire(clock(), days * DAY_MS)
            if found.clock_ahead_ms:
                ahead = round(found.clock_ahead_ms / DAY_MS, 1)
                _log.warning("feedback_retention_held_back", clock_ahead_days=ahead)
        except StoreError as error:
            on_fault(type(error).__name__)
        await asyncio.sleep(every_s)
