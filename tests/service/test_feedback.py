"""The feedback story: confirmed only when durable, 503 while the store is away, well again by itself."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fairwitness.contract.errors import FeedbackUnavailable
from fairwitness.contract.requests import FeedbackRequest
from fairwitness.contract.results import FeedbackResult
from fairwitness.feedback import DAY_MS, ContactSeal, Entry, Expiry, FeedbackStore, feedback_of
from fairwitness.service.call import Call
from fairwitness.service.feedback import SubmitFeedback, keep_retention
from fairwitness.settings import Settings
from fairwitness.store.clock import system_clock
from tests.real_postgres import PostgresServer

Run = Callable[[Coroutine[Any, Any, Any]], Any]
CALL = Call("request", "192.0.2.7")


def ask(message: str = "The score looks off.", **fields: Any) -> FeedbackRequest:
    return FeedbackRequest(
        contract_version="1.0.0",
        privacy_acknowledged=True,
        category=fields.pop("category", "bug"),
        message=message,
        **fields,
    )


def story_of(settings: Settings, store: FeedbackStore, **options: Any) -> SubmitFeedback:
    return SubmitFeedback(store, ContactSeal.of(settings), lambda call: b"c" * 16, **options)


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    return Settings(data_dir=tmp_path, feedback_url=url, secret_key="k" * 32)


async def submit(settings: Settings, *requests: FeedbackRequest) -> list[FeedbackResult]:
    store = feedback_of(settings)
    try:
        story = story_of(settings, store)
        return [await story(request, CALL) for request in requests]
    finally:
        await store.close()


async def kept(settings: Settings, feedback_id: str) -> Entry | None:
    store = feedback_of(settings)
    try:
        return await store.get(feedback_id)
    finally:
        await store.close()


def test_everything_sent_is_kept(settings: Settings, run: Run) -> None:
    full = ask("Odd: \0 \u0301", rating=2, request_id="0192-\0", contact="ann@example.org")
    (result, bare) = run(submit(settings, full, ask()))
    entry = run(kept(settings, result.feedback_id))
    assert (entry.message, entry.rating, entry.request_id) == ("Odd: \0 \u0301", 2, "0192-\0")
    assert ContactSeal.of(settings).open(entry.contact, result.feedback_id) == "ann@example.org"
    assert result.received_at.endswith("Z")
    entry = run(kept(settings, bare.feedback_id))
    assert (entry.rating, entry.request_id, entry.contact) == (None, None, None)


def test_a_contact_is_nowhere_in_clear(tmp_path: Path, run: Run) -> None:
    settings = Settings(data_dir=tmp_path)
    run(submit(settings, ask(contact="ann.unmistakable@example.org")))
    for path in tmp_path.rglob("*"):
        assert b"unmistakable" not in path.read_bytes()


def test_beyond_the_day_s_share_it_is_503_with_the_time_to_wait(
    settings: Settings, run: Run
) -> None:
    async def story() -> None:
        store = feedback_of(Settings(**{**_fields(settings), "feedback_per_day": 1}))
        try:
            submit = story_of(settings, store)
            await submit(ask(), CALL)
            with pytest.raises(FeedbackUnavailable, match="daily limit") as refused:
                await submit(ask(), CALL)
            assert refused.value.status == 503
            assert 86_000 < (refused.value.retry_after or 0) <= 86_400
        finally:
            await store.close()

    run(story())


def _fields(settings: Settings) -> dict[str, Any]:
    import dataclasses

    return {field.name: getattr(settings, field.name) for field in dataclasses.fields(settings)}


WRITER = """
import asyncio, sys
from pathlib import Path
from tests.service.test_feedback import ask, CALL, story_of
from fairwitness.feedback import feedback_of
from fairwitness.settings import Settings

async def main():
    url = sys.argv[2] or None
    settings = Settings(
        data_dir=Path(sys.argv[1]), feedback_url=url, secret_key="k" * 32, feedback_per_day=10**6
    )
    story = story_of(settings, feedback_of(settings))
    async def one():
        while True:
            result = await story(ask("kept", contact="c"), CALL)
            print(result.feedback_id, flush=True)
    await asyncio.gather(*(one() for _ in range(8)))

asyncio.run(main())
"""


def test_what_was_confirmed_outlives_a_killed_process(settings: Settings, run: Run) -> None:
    url = settings.feedback_url or ""
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(settings.data_dir), url],
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
    )
    assert process.stdout is not None
    confirmed = [process.stdout.readline().strip() for _ in range(60)]
    process.send_signal(signal.SIGKILL)
    # What it said before it died was confirmed as well; the last line may be cut.
    confirmed += [line for line in process.stdout.read().split("\n")[:-1] if line]
    process.wait()
    process.stdout.close()

    async def all_there() -> None:
        store = feedback_of(settings)
        try:
            for feedback_id in confirmed:
                entry = await store.get(feedback_id)
                assert entry is not None
                assert entry.message == "kept"
            found = await store.stats()
            assert found.entries >= len(confirmed) >= 60
            assert found.with_contact == found.entries
        finally:
            await store.close()

    run(all_there())


def test_a_database_server_killed_after_it_confirmed_loses_nothing(
    tmp_path: Path, run: Run
) -> None:
    server = PostgresServer(durable=True)
    try:
        settings = Settings(
            data_dir=tmp_path, feedback_url=server.url("postgres"), secret_key="k" * 32
        )
        results = run(submit(settings, *(ask(f"number {n}") for n in range(10))))
        server.kill()
        server.start()
        for number, result in enumerate(results):
            entry = run(kept(settings, result.feedback_id))
            assert entry is not None
            assert entry.message == f"number {number}"
    finally:
        server.close()


def test_a_server_that_is_away_is_503_and_found_again(tmp_path: Path, run: Run) -> None:
    server = PostgresServer()
    settings = Settings(data_dir=tmp_path, feedback_url=server.url("postgres"), secret_key="k")
    faults: list[str] = []

    async def story() -> None:
        store = feedback_of(settings)
        submit = story_of(settings, store, on_fault=faults.append)
        try:
            await submit(ask(), CALL)
            server.stop()
            for _ in range(2):
                with pytest.raises(FeedbackUnavailable) as refused:
                    await submit(ask("secret message"), CALL)
                assert refused.value.retry_after
                assert "secret" not in str(refused.value)
            server.start()
            await submit(ask(), CALL)
            assert (await store.stats()).entries == 2
        finally:
            await store.close()

    try:
        run(story())
    finally:
        server.close()
    assert faults == ["StoreUnavailable"] * 2


@contextmanager
def full_disk(limit: int) -> Iterator[None]:
    """Let the kernel refuse to make any file longer than `limit`, as a full disk would."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_503_and_recovers(tmp_path: Path, run: Run) -> None:
    settings = Settings(data_dir=tmp_path)

    async def story() -> None:
        store = feedback_of(settings)
        submit = story_of(settings, store)
        try:
            first = await submit(ask("before"), CALL)
            with full_disk(1), pytest.raises(FeedbackUnavailable):
                await submit(ask("never"), CALL)
            second = await submit(ask("after"), CALL)
            page = await store.page()
            assert [entry.feedback_id for entry in page] == [second.feedback_id, first.feedback_id]
        finally:
            await store.close()

    run(story())


@contextmanager
def unprivileged(folder: Path) -> Iterator[None]:
    """Act as a user whom file permissions bind, where the tests run as root."""
    if os.geteuid() != 0:
        yield
        return
    os.chown(folder, 65534, 65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_read_only_file_is_503_and_recovers(run: Run) -> None:
    with tempfile.TemporaryDirectory() as name, unprivileged(Path(name)):
        settings = Settings(data_dir=Path(name))
        run(submit(settings, ask("before")))
        file = Path(name) / "feedback.sqlite3"

        async def story() -> None:
            store = feedback_of(settings)
            submit = story_of(settings, store)
            try:
                file.chmod(0o400)
                with pytest.raises(FeedbackUnavailable):
                    await submit(ask("never"), CALL)
                file.chmod(0o600)
                await submit(ask("after"), CALL)
                assert [entry.message for entry in await store.page()] == ["after", "before"]
            finally:
                await store.close()

        run(story())


def test_a_key_that_cannot_be_made_keeps_contacts_out_and_loses_none(
    tmp_path: Path, run: Run
) -> None:
    settings = Settings(data_dir=tmp_path)
    (tmp_path / "feedback-contact.key").write_bytes(b"short")

    async def story() -> None:
        store = feedback_of(settings)
        submit = story_of(settings, store)
        try:
            with pytest.raises(FeedbackUnavailable):
                await submit(ask(contact="ann"), CALL)
            await submit(ask(), CALL)
            assert (await store.stats()).entries == 1
            (tmp_path / "feedback-contact.key").unlink()
            await submit(ask(contact="ann"), CALL)
        finally:
            await store.close()

    run(story())


def test_retention_deletes_what_is_old_and_survives_a_lost_store(
    settings: Settings, run: Run
) -> None:
    faults: list[str] = []

    class Failing:
        """The real store, away the first time it is asked."""

        def __init__(self, store: FeedbackStore) -> None:
            self.store = store
            self.away = True

        async def expire(self, wall_ms: int, keep_ms: int) -> Expiry:
            if self.away:
                from fairwitness.store import StoreUnavailable

                self.away = False
                raise StoreUnavailable("away")
            return await self.store.expire(wall_ms, keep_ms)

    async def story() -> None:
        store = feedback_of(settings)
        long_ago = story_of(settings, store, clock=lambda: system_clock() - 91 * DAY_MS)
        lately = story_of(settings, store, clock=lambda: system_clock() - 89 * DAY_MS)
        try:
            await store.expire(system_clock(), 90 * DAY_MS)  # the service has seen this day
            await long_ago(ask("old"), CALL)
            await lately(ask("young"), CALL)
            failing: Any = Failing(store)
            task = asyncio.create_task(
                keep_retention(failing, 90, every_s=0.01, on_fault=faults.append)
            )
            async with asyncio.timeout(20):
                while (await store.stats()).entries == 2:
                    await asyncio.sleep(0.01)
            task.cancel()
            assert [entry.message for entry in await store.page()] == ["young"]
        finally:
            await store.close()

    run(story())
    assert faults == ["StoreUnavailable"]
