"""The link to the embedded model's process: finds it or starts it under a file lock, and keeps places in its line.

One process serves every worker that shares the data folder. It knows nothing of prompts.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import secrets
import select
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairwitness.contract.errors import ConcurrencyLimit
from fairwitness.providers.provider import ProviderFailure
from fairwitness.providers.resident_child import proof

START_S = 30.0
ANSWER_S = 10.0  # for what takes a healthy process milliseconds
_CHILD = "fairwitness.providers.resident_child"
# What the child may know of our environment; keys of other providers are not among it.
_PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
# Without these, threads that wait for each other burn the cores everyone shares.
_CALM = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"}


class Gone(ConnectionError):
    """The process ended or does not answer; another can be started."""


@dataclass(slots=True)
class Place:
    """One place in the line; `turn` is done when its time has come.

    `read` and `written` count tokens as they come, so that what is stopped teaches the line too.
    """

    number: int
    turn: asyncio.Future[str]
    verdict: asyncio.Future[str]
    written: int | None = None
    read: int | None = None


@dataclass(slots=True)
class Link:
    """A proven connection to a living process."""

    url: str
    key: str
    pid: int
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    places: dict[int, Place] = field(default_factory=dict)
    listening: asyncio.Task[None] | None = None
    numbers: int = 0

    @property
    def alive(self) -> bool:
        """Whether the process still holds its end."""
        listening = self.listening
        return listening is not None and not (listening.done() or listening.cancelling())

    async def ended(self) -> bool:
        """Say whether the process is gone; its end may reach us a moment after its last answer."""
        if self.listening is not None:
            await asyncio.wait({self.listening}, timeout=0.5)
        return not self.alive

    async def listen(self) -> None:
        """Pass on what the process says until it is gone."""
        try:
            while line := await self.reader.readline():
                message = json.loads(line)
                place = self.places.get(message["id"])
                if place is not None:
                    said = message["said"]
                    future = place.turn if said == "turn" else place.verdict
                    if not future.done():
                        future.set_result(said)
        except (OSError, ValueError, KeyError):
            pass  # told below, as any other end
        finally:
            self.writer.close()
            for place in self.places.values():
                for future in (place.verdict, place.turn):
                    if not future.done():
                        future.set_exception(Gone())
                        future.exception()  # seen: whoever still waits is told all the same

    def abandon(self) -> None:
        """Hang up, so that the next request finds or starts a process that speaks."""
        if self.listening is not None:
            self.listening.cancel()

    @asynccontextmanager
    async def place(
        self, prompt_tokens: int, max_tokens: int, left_s: float
    ) -> AsyncIterator[Place]:
        """Hold a place in the line; raise ConcurrencyLimit where the line is too long for it."""
        loop = asyncio.get_running_loop()
        self.numbers += 1
        place = Place(self.numbers, loop.create_future(), loop.create_future())
        self.places[place.number] = place
        try:
            self._say(
                op="enter", id=place.number, prompt=prompt_tokens, max=max_tokens, left=left_s
            )
            try:
                async with asyncio.timeout(ANSWER_S):
                    verdict = await place.verdict
            except TimeoutError:
                self.abandon()
                raise Gone() from None
            if verdict == "busy":
                raise ConcurrencyLimit("The embedded model's queue is full.")
            if verdict == "too_large":
                message = "This model cannot answer a prompt of this length in time."
                raise ProviderFailure("too_large", message, generated_nothing=True)
            yield place
        finally:
            del self.places[place.number]
            self._say(op="leave", id=place.number, written=place.written, read=place.read)

    def has_read(self, place: Place) -> None:
        """Tell the line that a place's prompt was read."""
        self._say(op="read", id=place.number)

    def _say(self, **message: Any) -> None:
        if not self.writer.is_closing():
            self.writer.write(json.dumps(message).encode() + b"\n")


class Resident:
    """One worker's way to the shared process."""

    def __init__(self, data_dir: Path) -> None:
        """Meet the process in `data_dir`."""
        self._state = data_dir / "embedded.json"
        self._lock = data_dir / "embedded.lock"
        self._link: Link | None = None
        self._linking = asyncio.Lock()

    async def link(self, deadline: float) -> Link:
        """Return a living link, starting the process where there is none."""
        start_by = min(deadline, asyncio.get_running_loop().time() + START_S)
        try:
            async with asyncio.timeout_at(start_by), self._linking:
                if self._link is None or not self._link.alive:
                    self._link = await self._found() or await self._started()
                return self._link
        except TimeoutError:
            message = "The embedded model did not start in time."
            raise ProviderFailure("timeout", message, generated_nothing=True) from None
        except OSError:  # no folder to meet in, no process to be had
            raise ProviderFailure("unreachable", generated_nothing=True) from None

    async def aclose(self) -> None:
        """Let go; the process ends with its last link."""
        if self._link is not None and self._link.listening is not None:
            self._link.abandon()
            with contextlib.suppress(asyncio.CancelledError):
                await self._link.listening
            with contextlib.suppress(OSError):
                await self._link.writer.wait_closed()
        self._link = None

    async def _found(self) -> Link | None:
        writer: asyncio.StreamWriter | None = None
        try:
            state = json.loads(self._state.read_bytes())
            reader, writer = await asyncio.open_connection("127.0.0.1", state["control"])
            async with asyncio.timeout(ANSWER_S):
                await _prove(reader, writer, state["key"])
        except (OSError, ValueError, KeyError, TimeoutError):
            if writer is not None:
                writer.close()
            return None
        link = Link(state["url"], state["key"], state["pid"], reader, writer)
        link.listening = asyncio.create_task(link.listen())
        return link

    async def _started(self) -> Link:
        self._lock.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _descriptor(self._lock) as lock:
            while not _locked(lock):  # noqa: ASYNC110 - no event crosses processes
                await asyncio.sleep(0.05)
            link = await self._found()  # another worker may have been first
            if link is None:
                _understand(await self._spawn())
                link = await self._found()
            if link is None:
                raise ProviderFailure("unreachable", generated_nothing=True)
            return link

    async def _spawn(self) -> str:
        environ = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        environ |= _CALM | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        return await asyncio.to_thread(_launch, self._state, environ)


def _launch(state: Path, environ: dict[str, str]) -> str:
    """Start the process and return its first word, "" where it says none in time."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as said:
        try:
            # Ends at once: the process leaves its first half behind, so there is nothing to reap.
            subprocess.run(
                [sys.executable, "-m", _CHILD, str(state)],
                env=environ,
                stdin=subprocess.DEVNULL,
                stdout=writing,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                check=False,
            )
        finally:
            os.close(writing)
        ready, _, _ = select.select([said], [], [], START_S)
        return said.readline().decode().strip() if ready else ""


def _understand(word: str) -> None:
    if word in {"not_installed", "wrong_weights"}:
        raise ProviderFailure("not_configured", generated_nothing=True)


async def _prove(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, key: str) -> None:
    theirs = json.loads(await reader.readline())["challenge"]
    ours = secrets.token_hex(16)
    answer = {"proof": proof(key, "link", theirs), "challenge": ours}
    writer.write(json.dumps(answer).encode() + b"\n")
    shown = json.loads(await reader.readline())["proof"]
    if not secrets.compare_digest(shown, proof(key, "child", ours)):
        raise ValueError  # a stranger took over a dead process's port


@contextmanager
def _descriptor(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)  # which also unlocks it


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
