"""The embedded model's own process: llama.cpp's server on loopback, and the line before it.

Run as a module by resident.py. It detaches, loads the weights, writes its address and a random key
to a file only its owner can read, and ends when nobody holds a link to it any more: kernels close
the links of killed processes too, so no orphan stays.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import os
import secrets
import sys
import time
from pathlib import Path
from typing import Any

from fairwitness.providers import weights
from fairwitness.providers.resident_queue import Ask, Line
from fairwitness.settings import available_cores

PARALLEL = 5
CONTEXT = 2048  # tokens of one generation, prompt and answer
BATCH = 16
NICENESS = 10
FIRST_LINK_S = 20.0
LAST_LINK_S = 1.0
HANDSHAKE_S = 2.0
# A guess for the first seconds; two shared cores write about this many tokens a second.
FIRST_RATE = 40.0


def proof(key: str, who: str, challenge: str) -> str:
    """Return what shows that a side of the link knows the key."""
    return hmac.new(key.encode(), f"{who}:{challenge}".encode(), "sha256").hexdigest()


def load(path: Path, key: str) -> Any:
    """Load the weights and listen: loopback, this key, no pages, no cross-origin answers, no logs."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {weights.MODEL}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [key]
    params.ui = False
    params.cors_origins = "http://localhost.invalid"
    params.endpoint_slots = False
    # Counts of batches, behind the same key: how soon work stops is counted in those.
    params.endpoint_metrics = True
    params.verbosity = -1
    # A context for each: one shared by all can run out under generations that fit alone.
    params.n_ctx = CONTEXT * PARALLEL
    params.n_parallel = PARALLEL
    params.kv_unified = False
    # A batch ends before it can be stopped, so reading a long prompt goes in short ones; by the
    # token they cost this model no more than long ones.
    params.n_batch = params.n_ubatch = BATCH
    params.cache_ram_mib = 0
    threads = available_cores()
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads = threads
        cpu.poll = 0
    return xllamacpp.Server(params)


class Desk:
    """Holds the links and the line; ends the process when the last link is gone."""

    def __init__(self, key: str) -> None:
        """Start with no link."""
        self._key = key
        self._line = Line(PARALLEL, CONTEXT, FIRST_RATE, time.monotonic())
        self._writers: dict[object, asyncio.StreamWriter] = {}
        self._links = 0
        self._alone_since = time.monotonic() + FIRST_LINK_S - LAST_LINK_S

    async def until_alone(self) -> None:
        """Return when no process has held a link for a while."""
        while self._links or time.monotonic() - self._alone_since < LAST_LINK_S:
            await asyncio.sleep(0.2)
            self._call()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one link from its proof to its end."""
        mine: set[object] = set()
        linked = False
        try:
            async with asyncio.timeout(HANDSHAKE_S):
                await self._prove(reader, writer)
            linked = True
            self._links += 1
            while line := await reader.readline():
                self._take(json.loads(line), mine, writer)
                await writer.drain()
        except (OSError, ValueError, TimeoutError, KeyError, TypeError):
            pass  # a broken link is a closed link
        finally:
            for ticket in mine:
                self._leave(ticket, None)
            self._call()
            if linked:
                self._links -= 1
                self._alone_since = time.monotonic()
            with contextlib.suppress(OSError):
                writer.close()

    async def _prove(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        challenge = secrets.token_hex(16)
        _say(writer, challenge=challenge)
        answer = json.loads(await reader.readline())
        if not hmac.compare_digest(answer["proof"], proof(self._key, "link", challenge)):
            raise ValueError
        _say(writer, proof=proof(self._key, "child", answer["challenge"]))

    def _take(
        self, message: dict[str, Any], mine: set[object], writer: asyncio.StreamWriter
    ) -> None:
        ticket = (id(writer), int(message["id"]))
        if message["op"] == "enter":
            ask = Ask(int(message["prompt"]), int(message["max"]), float(message["left"]))
            verdict = self._line.enter(ticket, ask, time.monotonic())
            if verdict == "granted":
                mine.add(ticket)
                self._writers[ticket] = writer
            _say(writer, id=message["id"], said=verdict)
        elif message["op"] == "read":
            self._line.has_read(ticket)
        else:
            mine.discard(ticket)
            self._leave(ticket, message.get("written"), message.get("read"))
        self._call()

    def _leave(self, ticket: object, written: int | None, read: int | None = None) -> None:
        self._writers.pop(ticket, None)
        self._line.leave(ticket, written, time.monotonic(), read)

    def _call(self) -> None:
        ticket = self._line.turn(time.monotonic())
        if ticket is not None:
            assert isinstance(ticket, tuple)
            _say(self._writers[ticket], id=ticket[1], said="turn")


def _say(writer: asyncio.StreamWriter, **message: Any) -> None:
    if not writer.is_closing():
        writer.write(json.dumps(message).encode() + b"\n")


def _publish(state: Path, **content: Any) -> None:
    fresh = state.with_name(f".{state.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(content, file)
    fresh.replace(state)


def _withdraw(state: Path) -> None:
    with contextlib.suppress(OSError, ValueError):
        if json.loads(state.read_bytes()).get("pid") == os.getpid():
            state.unlink()


async def _live(state: Path, model: Any, key: str) -> None:
    desk = Desk(key)
    control = await asyncio.start_server(desk.serve, "127.0.0.1", 0)
    content = {
        "pid": os.getpid(),
        "control": control.sockets[0].getsockname()[1],
        "url": model.listening_address,
        "key": key,
    }
    _publish(state, **content)
    _tell("ready")
    await desk.until_alone()
    _withdraw(state)


def _tell(word: str) -> None:
    """Tell the process that started us, through standard output, and let go of it."""
    with contextlib.suppress(OSError):
        os.write(1, word.encode() + b"\n")
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)


def main() -> None:
    """Detach, load, serve, end."""
    if os.fork():
        os._exit(0)  # the starter waits for this one only, so nobody has to reap the other
    os.nice(NICENESS)
    path = weights.locate()
    if path is None or not weights.runtime_installed():
        _tell("not_installed")
        return
    if not weights.are_ours(path):
        _tell("wrong_weights")
        return
    key = secrets.token_hex(32)
    model = load(path, key)
    asyncio.run(_live(Path(sys.argv[1]), model, key))
    os._exit(0)  # llama.cpp's own farewell can wait for generations nobody reads


if __name__ == "__main__":
    main()
