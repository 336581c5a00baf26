"""A reservation counts as sent when the request's first byte is written, and not before."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from fairwitness.contract.errors import KillSwitchActive, ProvidersFailed
from fairwitness.providers.provider import ProviderFailure
from tests.providers.peers import HOSTED, Behaviour, HostileServer, answer, complete, hosted
from tests.service.scripted import house

Hostile = Callable[[Behaviour], HostileServer]
every_hosted = pytest.mark.parametrize("kind", HOSTED)


@pytest.fixture
def black_hole() -> Iterator[str]:
    """Return an address that never answers a connection: its queue of unaccepted ones is full."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(3):
            filler = stack.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(listener.getsockname())
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def attempt(provider: Any, within_s: float, refusal: Exception | None = None) -> tuple[Any, int]:
    """Complete once; return what came of it and how often a request was about to be sent."""
    sent = 0

    def before_send() -> None:
        nonlocal sent
        if refusal is not None:
            raise refusal
        sent += 1

    async def go() -> Any:
        deadline = asyncio.get_running_loop().time() + within_s
        try:
            return await provider.complete("Any.", deadline, before_send=before_send)
        except Exception as error:
            return error
        finally:
            await provider.aclose()

    return asyncio.run(go()), sent


@every_hosted
@pytest.mark.parametrize("within_s", [0.6, 3.0])
def test_a_host_that_takes_no_connection_is_sent_nothing(
    kind: str, within_s: float, black_hole: str
) -> None:
    asyncio.run(hosted(kind, black_hole).prepare())
    failure, sent = attempt(hosted(kind, black_hole), within_s)
    assert isinstance(failure, ProviderFailure)
    assert (failure.code, failure.cost_micro_usd, sent) == ("timeout", 0, 0)


@every_hosted
def test_a_connection_leaves_time_for_a_second_attempt(kind: str, black_hole: str) -> None:
    provider = hosted(kind, black_hole)
    asyncio.run(provider.prepare())
    tried: list[float] = []

    async def go() -> None:
        loop = asyncio.get_running_loop()
        real = provider._ask

        async def counted(prompt: str) -> Any:
            tried.append(loop.time())
            return await real(prompt)

        provider._ask = counted
        with pytest.raises(ProviderFailure):
            await provider.complete("Any.", loop.time() + 2.0)
        await provider.aclose()

    asyncio.run(go())
    assert len(tried) == 2


@every_hosted
def test_a_refused_connection_is_sent_nothing(kind: str) -> None:
    failure, sent = attempt(hosted(kind, "http://127.0.0.1:9"), 10.0)
    assert (failure.code, failure.cost_micro_usd, sent) == ("unreachable", 0, 0)


@every_hosted
def test_what_reached_the_provider_was_announced_once_for_each_attempt(
    kind: str, hostile: Hostile
) -> None:
    server = hostile(answer(b"{}", status="429 Too Many Requests", headers="Retry-After: 0\r\n"))
    failure, sent = attempt(hosted(kind, server.origin), 10.0)
    assert (failure.code, sent, len(server.requests)) == ("rate_limited", 2, 2)


@every_hosted
def test_a_stop_before_the_first_byte_keeps_every_byte_here(kind: str, hostile: Hostile) -> None:
    server = hostile(answer(b"{}"))
    stop = KillSwitchActive()
    found, _ = attempt(hosted(kind, server.origin), 10.0, stop)
    assert found is stop
    assert not server.requests


@every_hosted
def test_nothing_is_charged_where_nothing_was_sent(
    kind: str, black_hole: str, tmp_path: Path
) -> None:
    async def go() -> int:
        provider = hosted(kind, black_hole, timeout_s=0.5)
        await provider.prepare()
        async with house(tmp_path, {"provider_a": provider}) as home:
            with pytest.raises(ProvidersFailed):
                await home.ask("provider_a")
            await provider.aclose()
            figures = await home.ledger.figures()
            return figures.spent_day + figures.reserved_day

    assert asyncio.run(go()) == 0


def test_a_second_attempt_that_never_connects_adds_nothing_to_a_first_that_was_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def refuse_once() -> None:
            with listener.accept()[0] as connection:
                connection.recv(65536)
                listener.close()
                wait = "Retry-After: 1\r\n"
                answer(b"{}", status="429 Too Many Requests", headers=wait)(connection)

        thread = threading.Thread(target=refuse_once)
        thread.start()
        origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
        failure, sent = attempt(hosted("gemini", origin), 10.0)
        thread.join()
    assert (failure.code, failure.cost_micro_usd, sent) == ("unreachable", 0, 1)


COLD = """
import asyncio, sys
from tests.providers.peers import hosted

async def main():
    provider = hosted(sys.argv[1], sys.argv[2], timeout_s=float(sys.argv[3]))
    sent = []
    if sys.argv[4] == "prepared":
        await provider.prepare()
    try:
        await provider.complete(
            "Any.", asyncio.get_running_loop().time() + 60, before_send=lambda: sent.append(1)
        )
    except Exception as error:
        print(len(sent), error.code, error.cost_micro_usd)
    else:
        print(len(sent), "answered")
    await provider.aclose()

asyncio.run(main())
"""


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_importing_the_sdk_is_no_part_of_the_first_request(kind: str, hostile: Hostile) -> None:
    server = hostile(answer(b"{}", status="401 Unauthorized"))

    def cold(timeout_s: float, how: str) -> str:
        command = [sys.executable, "-c", COLD, kind, server.origin, str(timeout_s), how]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    # Far shorter than the import: it ends before anything is sent, and costs nothing.
    assert cold(0.1, "cold") == "0 timeout 0"
    assert not server.requests
    assert cold(20.0, "prepared") == "1 unauthorised 0"


def test_the_service_prepares_its_slots_before_it_is_ready(tmp_path: Path) -> None:
    script = f"""
import asyncio, sys
from pathlib import Path
from fairwitness import bootstrap
from fairwitness.settings import Settings

table = {{"kind": "openai", "model": "m", "base_url": "http://127.0.0.1:9/v1",
         "input_usd_per_mtok": 1, "output_usd_per_mtok": 1}}
parts = bootstrap.Parts(Settings(data_dir=Path({str(tmp_path)!r}), providers={{"provider_a": table}}))

async def main():
    async with parts.lifetime():
        print("openai" in sys.modules, "anthropic" in sys.modules)

asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["True", "False"], done.stderr


def test_a_complete_answer_was_sent_once(hostile: Hostile) -> None:
    body = (
        b'{"choices": [{"message": {"content": "Fine."}, "finish_reason": "stop"}],'
        b' "usage": {"prompt_tokens": 3, "completion_tokens": 2}}'
    )
    server = hostile(answer(body))
    assert complete(hosted("openai", server.origin), "Any.").text == "Fine."
    assert len(server.requests) == 1
