"""`fairwitness feedback`: the operator reads, exports, counts and deletes what people sent."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Annotated, Literal, TextIO, TypeVar

from cyclopts import App, Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from fairwitness import settings as settings_module
from fairwitness.cli.output import TEXT, CommandFailed, Output, Result, say
from fairwitness.cli.terminal import tell
from fairwitness.contract.errors import InvalidRequest
from fairwitness.feedback import (
    DAY_MS,
    ContactSeal,
    Entry,
    FeedbackStore,
    SealedElsewhere,
    Stats,
    feedback_database,
    feedback_of,
)
from fairwitness.feedback.export import CSV_OPENING, csv_lines, json_lines, present, record
from fairwitness.reports.printable import visible
from fairwitness.settings import Settings
from fairwitness.store.clock import system_clock

app = App(name="feedback", help="List, show, export, count and delete private feedback.")

Category = Literal["evaluation_quality", "bug", "documentation", "feature", "other"]
Answer = TypeVar("Answer")

PAGE_ENTRIES = 500
MAX_LISTED = 100_000
MAX_AGE_DAYS = 36_500


@app.command(name="list")
def list_(
    *,
    limit: Annotated[int, Parameter(help="Maximum number of entries.")] = 20,
    category: Annotated[Category | None, Parameter(help="Only this category.")] = None,
    output: Output = TEXT,
) -> Result:
    """List feedback, newest first, one line each, without contacts. Use `show` to see a contact.

    Exit code: 0, 1 when the store cannot be reached, 2 bad input.
    """
    _within("--limit", limit, 1, MAX_LISTED)

    async def work(store: FeedbackStore, _: Settings) -> Result:
        found = await store.page(category=category or "", limit=limit)
        data = [present(record(entry, None)) for entry in found]
        return output.result(data, lambda console: _show_list(console, found))

    return _do(work)


@app.command
def show(
    feedback_id: Annotated[str, Parameter(help="The id, or the beginning of it.")],
    /,
    *,
    output: Output = TEXT,
) -> Result:
    """Show one full entry with its contact. The beginning of its id is enough.

    Exit code: 0, 1 when the id matches no entry or several, or the store cannot be reached.
    """

    async def work(store: FeedbackStore, settings: Settings) -> Result:
        found = await _matching(store, feedback_id)
        if len(found) != 1:
            raise CommandFailed(_not_one(feedback_id, found))
        (entry,) = found
        known = present(record(entry, _contact(entry, ContactSeal.of(settings))))
        return output.result(known, lambda console: _show_entry(console, known))

    return _do(work)


@app.command
def export(
    *,
    format: Annotated[Literal["jsonl", "csv"], Parameter(help="JSON Lines or CSV.")] = "jsonl",
    output: Annotated[Path | None, Parameter(help="File to write; it must not exist.")] = None,
    contacts: Annotated[bool, Parameter(help="Include the contacts, decrypted.")] = False,
) -> int:
    """Export all feedback, oldest first: JSON Lines as it was sent, CSV safe for spreadsheets.

    Exit code: 0, 1 when the store cannot be reached, 2 when the file cannot be written.
    """

    async def work(store: FeedbackStore, settings: Settings) -> int:
        seal = ContactSeal.of(settings) if contacts else None
        with _opened(output) as file:
            if format == "csv":
                file.write(CSV_OPENING + csv_lines([], header=True))
            async for page in _everything(store):
                rows = [record(entry, _contact(entry, seal)) for entry in page]
                as_csv = format == "csv"
                file.write(csv_lines(rows, header=False) if as_csv else json_lines(rows))
        return 0

    return _do(work)


@app.command
def delete(
    *feedback_ids: Annotated[str, Parameter(help="Ids, or the beginnings of them.")],
    older_than_days: Annotated[
        int | None, Parameter(help="Delete all entries older than this.")
    ] = None,
    output: Output = TEXT,
) -> Result:
    """Delete entries by id (or its beginning), or all older than some days, contacts included.

    Exit code: 0 when something was deleted, 1 when nothing was there or the store cannot be reached,
    2 bad input.
    """
    if bool(feedback_ids) == (older_than_days is not None):
        raise InvalidRequest(details=["give ids, or --older-than-days"])
    if older_than_days is not None:
        _within("--older-than-days", older_than_days, 0, MAX_AGE_DAYS)

    async def work(store: FeedbackStore, _: Settings) -> Result:
        if older_than_days is None:
            meant = [(given, await _matching(store, given)) for given in feedback_ids]
            unclear = next((_not_one(*one) for one in meant if len(one[1]) > 1), None)
            if unclear:
                raise CommandFailed(f"{unclear}; nothing was deleted")
            for given, found in meant:
                if not found:
                    tell(f"fairwitness: {_not_one(given, found)}")
            gone = await store.delete(sorted({e.feedback_id for _, found in meant for e in found}))
        else:
            gone = await store.delete_before(system_clock() - older_than_days * DAY_MS)
        told = f"{gone} deleted"
        return output.result(
            {"deleted": gone}, lambda console: say(console, told), 0 if gone else 1
        )

    return _do(work)


@app.command
def stats(*, output: Output = TEXT) -> Result:
    """Count entries, categories, ratings and contacts, and show the disk space used.

    Exit code: 0, or 1 when the store cannot be reached.
    """

    async def work(store: FeedbackStore, _: Settings) -> Result:
        found = await store.stats()
        return output.result(found, lambda console: say(console, _stats_text(found)))

    return _do(work)


@app.command
def migrate(*, output: Output = TEXT) -> Result:
    """Upgrade older feedback tables to this version. Stop every server first.

    Exit code: 0, or 1 when the store cannot be reached or is newer than this program.
    """

    async def work(store: FeedbackStore, settings: Settings) -> Result:
        await store.open(upgrade=True)
        data = {"feedback": feedback_database(settings).place}
        return output.result(
            data, lambda console: say(console, "The feedback tables are up to date.")
        )

    return _do(work)


def _do(work: Callable[[FeedbackStore, Settings], Awaitable[Answer]]) -> Answer:
    settings = settings_module.load()
    file = feedback_database(settings).file
    if file is not None and not file.exists():
        raise CommandFailed(
            f"no feedback here yet: {file}; is {settings_module.PREFIX}DATA_DIR right?"
        )

    async def with_store() -> Answer:
        store = feedback_of(settings)
        try:
            return await work(store, settings)
        finally:
            await store.close()

    return asyncio.run(with_store())


async def _matching(store: FeedbackStore, given: str) -> list[Entry]:
    """Return the entry with this id, or those, two at most, whose ids begin with it."""
    exact = await store.get(given)
    if exact is not None or not given:
        return [exact] if exact else []
    beyond = await store.page(start=given, oldest_first=True, limit=2)
    return [entry for entry in beyond if entry.feedback_id.startswith(given)]


def _not_one(given: str, found: list[Entry]) -> str:
    if found:
        return f"more than one feedback id begins with {given}"
    return f"no feedback with the id {given}"


def _within(name: str, given: int, least: int, most: int) -> None:
    if not least <= given <= most:
        raise InvalidRequest(details=[f"{name}: must be a whole number from {least} to {most}"])


async def _everything(store: FeedbackStore) -> AsyncIterator[list[Entry]]:
    start = ""
    while page := await store.page(start=start, oldest_first=True, limit=PAGE_ENTRIES):
        yield page
        start = page[-1].feedback_id


def _opened(output: Path | None) -> TextIO:
    # newline="" leaves line ends as the formats want them; a new file is its owner's alone.
    if output is None:
        handle = sys.stdout.fileno()
        return open(handle, "w", encoding="utf-8", newline="", closefd=False)
    try:
        made = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise InvalidRequest(details=[f"--output {output}: {error.strerror}"]) from None
    return os.fdopen(made, "w", encoding="utf-8", newline="")


def _contact(entry: Entry, seal: ContactSeal | None) -> str | None:
    if entry.contact is None or seal is None:
        return None
    try:
        return seal.open(entry.contact, entry.feedback_id)
    except SealedElsewhere as error:
        return f"({error})"


def _show_list(console: Console, entries: list[Entry]) -> None:
    table = Table(box=None, padding=(0, 1))
    # An id cut short could not be shown or deleted: on a narrow terminal all else gives way.
    table.add_column(
        "id", no_wrap=True, min_width=max((len(entry.feedback_id) for entry in entries), default=2)
    )
    for name in ("received", "category", "rating", "contact", "message"):
        table.add_column(name, no_wrap=name != "message", overflow="ellipsis")
    for entry in entries:
        values = record(entry, None)
        first = entry.message.partition("\n")[0]
        table.add_row(
            entry.feedback_id,
            str(values["receivedAt"]),
            entry.category,
            str(entry.rating or ""),
            "yes" if entry.contact else "",
            Text(visible(first[:120])),
        )
    console.print(table, soft_wrap=True)


def _show_entry(console: Console, known: Mapping[str, object]) -> None:
    for name, value in known.items():
        line = Text(f"{name}: ", "bold").append(visible(str(value)), "default")
        console.print(line, soft_wrap=True)


def _stats_text(found: Stats) -> str:
    share = 100 * found.bytes / found.max_bytes
    return "\n".join(
        (
            f"{found.entries} entries, {found.with_contact} with a contact",
            f"{found.bytes} of {found.max_bytes} bytes ({share:.1f} %)",
            *(f"  {category}: {count}" for category, count in found.by_category.items()),
            *(f"  rated {rating}: {count}" for rating, count in found.by_rating.items()),
        )
    )
