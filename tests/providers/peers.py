"""Ways to build a provider for a peer, the embedded process kept alive, and small hostile servers."""

from __future__ import annotations

import asyncio
import dataclasses
import socket
import threading
import time
from collections.abc import Callable
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import httpx2

from fairwitness.providers.config import ProviderConfig
from fairwitness.providers.embedded import EmbeddedProvider, Model
from fairwitness.providers.embedded_server import Address, EmbeddedServer
from fairwitness.providers.prices import FREE, Price
from fairwitness.providers.secret import Secret

KEY = "sk-test-5f0c"
HOSTED = ("openai", "anthropic", "gemini")


def config(kind: str, base_url: str = "", **fields: Any) -> ProviderConfig:
    """Return a slot's configuration with the test's price and key."""
    found = ProviderConfig(
        slot="provider_a",
        kind=kind,
        model="test-model",
        base_url=base_url,
        key=Secret(KEY),
        max_output_tokens=32,
        temperature=None,
        timeout_s=20.0,
        price=FREE if kind == "embedded" else Price(Decimal("1.5"), Decimal("4")),
    )
    return dataclasses.replace(found, **fields)


def hosted(kind: str, origin: str, **fields: Any) -> Any:
    """Return a hosted provider that speaks to `origin`."""
    base_url = f"{origin}/v1" if kind == "openai" else origin
    return import_module(f"fairwitness.providers.{kind}").build(config(kind, base_url, **fields))


def complete(provider: Any, prompt: str, within_s: float = 20.0) -> Any:
    """Complete once on a loop of its own, and close the provider."""

    async def go() -> Any:
        try:
            return await provider.complete(prompt, asyncio.get_running_loop().time() + within_s)
        finally:
            await provider.aclose()

    return asyncio.run(go())


class KeptResident:
    """The embedded model's process, held alive by a loop in a thread of its own."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self.server = EmbeddedServer(data_dir)
        self.link: Address = self._await(self.server.address(self._loop.time() + 30))

    def close(self) -> None:
        self._await(self.server.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def provider(self, **fields: Any) -> EmbeddedProvider:
        """Return a slot that shares this process."""
        return EmbeddedProvider(config("embedded", **fields), model_of(self.data_dir))

    def _await(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)


def model_of(data_dir: Path) -> Model:
    """Return one worker's share of the embedded model."""
    return Model(EmbeddedServer(data_dir))


Behaviour = Callable[[socket.socket], None]


class HostileServer:
    """Accepts, reads one request, and then does what the test's behaviour says."""

    def __init__(self, behave: Behaviour) -> None:
        self._behave = behave
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.1)
        self._ending = threading.Event()
        self.requests: list[bytes] = []
        self.hung_up = threading.Event()
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def close(self) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join(10)
        self._listener.close()

    def _accept(self) -> None:
        while not self._ending.is_set():
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                continue
            thread = threading.Thread(target=self._serve, args=(connection,))
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(10)
            try:
                self.requests.append(_read_request(connection))
                self._behave(connection)
            except TimeoutError:
                pass  # the client holds on
            except OSError:
                self.hung_up.set()


def _read_request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += _some(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    while lengths and len(body) < int(lengths[0].split(b":")[1]):
        body += _some(connection)
    return head + b"\r\n\r\n" + body


def _some(connection: socket.socket) -> bytes:
    data = connection.recv(65536)
    if not data:
        raise OSError("closed")
    return data


def answer(body: bytes, *, status: str = "200 OK", headers: str = "") -> Behaviour:
    """Return a behaviour that sends one whole answer."""

    def behave(connection: socket.socket) -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{headers}"
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    return behave


class Served(Protocol):
    """The embedded model's process, as it can be asked."""

    @property
    def url(self) -> str: ...

    @property
    def key(self) -> str: ...


def batches(model: Served) -> tuple[int, int]:
    """Return how many batches the model has computed in all, and how many requests it works on.

    Unlike seconds, batches do not depend on what else runs on the machine.
    """
    headers = {"Authorization": f"Bearer {model.key}"}
    told = httpx2.get(f"{model.url}/metrics", headers=headers, trust_env=False, timeout=30).text
    lines = dict(line.split(" ") for line in told.splitlines() if not line.startswith("#"))
    return (
        int(float(lines["llamacpp:n_decode_total"])),
        int(float(lines["llamacpp:requests_processing"])),
    )


def batches_until_idle(model: Served, before: int, within_s: float = 30.0) -> int:
    """Wait until the model works on nothing; return how many batches it computed since `before`."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        computed, running = batches(model)
        if not running:
            return computed - before
        time.sleep(0.05)
    raise AssertionError("the model works on")


def until_gone(pid: int, within_s: float) -> bool:
    """Wait for a process to end; say whether it did."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False
