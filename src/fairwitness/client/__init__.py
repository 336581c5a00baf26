"""Clients of a running service: `Client`, and `AsyncClient` for asyncio. They need the base install alone."""

from fairwitness.client.asynchronous import AsyncClient
from fairwitness.client.errors import ClientError, TimedOut, UnexpectedAnswer, Unreachable
from fairwitness.client.events import ArenaEvents, AsyncArenaEvents
from fairwitness.client.synchronous import Client

__all__ = [
    "ArenaEvents",
    "AsyncArenaEvents",
    "AsyncClient",
    "Client",
    "ClientError",
    "TimedOut",
    "UnexpectedAnswer",
    "Unreachable",
]
