"""How many bytes of unfinished bodies one process holds."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from fairwitness.contract.errors import InvalidRequest, Overloaded, PayloadTooLarge
from fairwitness.http.body import HeldBodies, read_body


def read(pieces: list[Any], held: HeldBodies, limit: int = 10) -> bytes:
    async def receive() -> Any:
        piece = pieces.pop(0)
        if piece is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    return asyncio.run(read_body({"headers": []}, receive, limit, held))


def test_room_is_given_back_whatever_becomes_of_a_body() -> None:
    held = HeldBodies(10)
    assert read([b"12345", b"67890"], held) == b"1234567890"
    with pytest.raises(InvalidRequest):
        read([b"12345", None], held)
    with pytest.raises(PayloadTooLarge):
        read([b"12345", b"678901"], held)
    assert read([b"1234567890"], held) == b"1234567890"


def test_without_room_a_body_is_refused_as_overloaded() -> None:
    held = HeldBodies(10)
    held.take(6)
    with pytest.raises(Overloaded):
        read([b"1234", b"5"], held)
    held.release(6)
    assert read([b"1234", b"5"], held) == b"12345"
