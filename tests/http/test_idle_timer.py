"""Idle connections are closed when they are due, in order, and by one timer."""

from __future__ import annotations

import asyncio

from fairwitness.http.idle_timer import IdleTimer


class Client:
    """A connection that only notes when it was closed."""

    def __init__(self) -> None:
        self.closed_at = 0.0

    def idle_too_long(self) -> None:
        self.closed_at = asyncio.get_running_loop().time()


def test_each_is_closed_when_it_is_due() -> None:
    async def idle() -> None:
        timer = IdleTimer(asyncio.get_running_loop(), 0.1)
        first, second, third = Client(), Client(), Client()
        began = asyncio.get_running_loop().time()
        timer.begin(first)
        timer.begin(second)
        await asyncio.sleep(0.05)
        timer.begin(third)
        timer.begin(first)  # it had a request meanwhile
        timer.end(second)
        await asyncio.sleep(0.3)
        assert second.closed_at == 0.0
        for one in (first, third):
            assert 0.149 <= one.closed_at - began < 0.3
        assert len(timer) == 0

    asyncio.run(idle())


def test_it_begins_again_after_it_has_closed_all() -> None:
    async def idle() -> None:
        timer = IdleTimer(asyncio.get_running_loop(), 0.02)
        for _ in range(2):
            client = Client()
            timer.begin(client)
            await asyncio.sleep(0.1)
            assert client.closed_at

    asyncio.run(idle())
