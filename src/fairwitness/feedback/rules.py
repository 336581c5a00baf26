"""What happens to feedback, written once for both engines: each rule yields statements and gets rows.

The SQL is what SQLite and PostgreSQL share, parameters included ($1). An engine runs a rule inside
one transaction; a rule that raises leaves nothing behind. Whatever changes feedback takes the gate
row first, so that no two changes can cross.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from typing import Any, TypeVar

from fairwitness.feedback.interface import DAY_MS, Entry, Expiry, Limits, Refusal, Stats

Answer = TypeVar("Answer")
Row = Sequence[Any]
Rule = Generator[tuple[str, tuple[Any, ...]], list[Row], Answer]

_ENTRIES = (
    "SELECT f.feedback_id, f.received_ms, f.category, f.message, f.rating, f.request_id, c.sealed "
    "FROM feedback f LEFT JOIN feedback_contact c ON c.feedback_id = f.feedback_id "
)


class TurnedAway(Exception):
    """An entry that was not kept; it undoes the transaction it is raised in."""

    def __init__(self, refusal: Refusal) -> None:
        """Carry the refusal to the engine's caller."""
        super().__init__(refusal.reason)
        self.refusal = refusal


def add(entry: Entry, caller: bytes, limits: Limits) -> Rule[None]:
    """Keep one entry where there is room and the caller has not sent too much."""
    room = yield (
        "UPDATE feedback_gate SET bytes = bytes + $1 WHERE bytes + $1 <= $2 RETURNING bytes",
        (entry.size, limits.max_bytes),
    )
    if not room:
        raise TurnedAway(Refusal("full", None))
    yield from _count(entry.received_ms, caller, limits.per_day)
    yield (
        "INSERT INTO feedback VALUES ($1, $2, $3, $4, $5, $6, $7)",
        (
            entry.feedback_id,
            entry.received_ms,
            entry.category,
            entry.message.encode(),
            entry.rating,
            None if entry.request_id is None else entry.request_id.encode(),
            entry.size,
        ),
    )
    if entry.contact is not None:
        yield (
            "INSERT INTO feedback_contact VALUES ($1, $2)",
            (entry.feedback_id, entry.contact),
        )


def _count(now_ms: int, caller: bytes, per_day: int) -> Rule[None]:
    yield "DELETE FROM feedback_seen WHERE at_ms <= $1", (now_ms - DAY_MS,)
    if per_day == 0:
        raise TurnedAway(Refusal("quota", None))
    full = yield (
        "SELECT at_ms FROM feedback_seen WHERE caller = $1 ORDER BY at_ms DESC LIMIT 1 OFFSET $2",
        (caller, per_day - 1),
    )
    if full:
        wait_ms = int(full[0][0]) + DAY_MS - now_ms
        raise TurnedAway(Refusal("quota", max(1, math.ceil(wait_ms / 1000))))
    yield "INSERT INTO feedback_seen VALUES ($1, $2)", (caller, now_ms)


def page(start: str, oldest_first: bool, category: str, limit: int) -> Rule[list[Entry]]:
    """Return a page of entries; ids are in order of time."""
    beyond, order = (">", "ASC") if oldest_first else ("<", "DESC")
    rows = yield (
        f"{_ENTRIES} WHERE ($1 = '' OR f.feedback_id {beyond} $1) "
        f"AND ($2 = '' OR f.category = $2) ORDER BY f.feedback_id {order} LIMIT $3",
        (start, category, limit),
    )
    return [_entry(row) for row in rows]


def get(feedback_id: str) -> Rule[Entry | None]:
    """Return one entry."""
    rows = yield _ENTRIES + "WHERE f.feedback_id = $1", (feedback_id,)
    return _entry(rows[0]) if rows else None


def _entry(row: Row) -> Entry:
    feedback_id, received_ms, category, message, rating, request_id, sealed = row
    return Entry(
        feedback_id=feedback_id,
        received_ms=received_ms,
        category=category,
        message=bytes(message).decode(),
        rating=rating,
        request_id=None if request_id is None else bytes(request_id).decode(),
        contact=None if sealed is None else bytes(sealed),
    )


def delete(feedback_ids: Sequence[str]) -> Rule[int]:
    """Delete entries by id."""
    yield from _take_gate()
    found = 0
    for feedback_id in feedback_ids:
        gone = yield "DELETE FROM feedback WHERE feedback_id = $1 RETURNING size", (feedback_id,)
        yield "DELETE FROM feedback_contact WHERE feedback_id = $1", (feedback_id,)
        yield from _free(gone)
        found += len(gone)
    return found


def expire(wall_ms: int, keep_ms: int) -> Rule[Expiry]:
    """Delete what has been kept for `keep_ms`, by the clock where it can be believed.

    A clock more than a day ahead of the latest time seen may be wrong, or the service was stopped for long.
    It is believed once it has run on for a day; until then time goes on from where it was last seen.
    """
    ((seen, doubted),) = yield (
        "UPDATE feedback_gate SET bytes = bytes RETURNING clock_ms, doubted_ms",
        (),
    )
    if seen is None:
        ((seen,),) = yield "SELECT MAX(received_ms) FROM feedback", ()
    now, ahead = wall_ms, 0
    if seen is not None and wall_ms - seen > DAY_MS:
        since = wall_ms if doubted is None or wall_ms < doubted else doubted
        if wall_ms - since < DAY_MS:
            now, ahead, doubted = seen + wall_ms - since, wall_ms - seen, since
    if ahead:
        yield "UPDATE feedback_gate SET clock_ms = $1, doubted_ms = $2", (seen, doubted)
    else:
        yield "UPDATE feedback_gate SET clock_ms = $1, doubted_ms = NULL", (wall_ms,)
    return Expiry((yield from delete_before(now - keep_ms)), ahead)


def delete_before(received_ms: int) -> Rule[int]:
    """Delete entries received before a moment."""
    yield from _take_gate()
    yield (
        "DELETE FROM feedback_contact WHERE feedback_id IN "
        "(SELECT feedback_id FROM feedback WHERE received_ms < $1)",
        (received_ms,),
    )
    gone = yield "DELETE FROM feedback WHERE received_ms < $1 RETURNING size", (received_ms,)
    yield from _free(gone)
    return len(gone)


def _take_gate() -> Rule[None]:
    yield "UPDATE feedback_gate SET bytes = bytes", ()


def _free(gone: list[Row]) -> Rule[None]:
    yield "UPDATE feedback_gate SET bytes = bytes - $1", (sum(int(row[0]) for row in gone),)


def stats(limits: Limits) -> Rule[Stats]:
    """Count what is kept."""
    ((entries, oldest, newest),) = yield (
        "SELECT COUNT(*), MIN(received_ms), MAX(received_ms) FROM feedback",
        (),
    )
    ((contacts,),) = yield "SELECT COUNT(*) FROM feedback_contact", ()
    ((used,),) = yield "SELECT bytes FROM feedback_gate", ()
    categories = yield (
        "SELECT category, COUNT(*) FROM feedback GROUP BY category ORDER BY category",
        (),
    )
    ratings = yield (
        "SELECT rating, COUNT(*) FROM feedback WHERE rating IS NOT NULL "
        "GROUP BY rating ORDER BY rating",
        (),
    )
    return Stats(
        entries=entries,
        with_contact=contacts,
        bytes=used,
        max_bytes=limits.max_bytes,
        oldest_ms=oldest,
        newest_ms=newest,
        by_category={str(name): int(count) for name, count in categories},
        by_rating={int(rating): int(count) for rating, count in ratings},
    )
