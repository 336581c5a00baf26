"""What a handler may know of the call it serves: its id, and who is at the other end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from msgspec import Struct

from fairwitness.contract.evaluation import Result
from fairwitness.contract.results import ResultItem


class Call(Struct, frozen=True):
    """One request, past the door: `peer` is the socket's address, the headers as they came, in order."""

    request_id: str
    peer: str
    raw_headers: Sequence[tuple[bytes, bytes]] = ()
    # Whether the query asks for evidence, and what is called with each result as its provider finishes.
    evidence: bool = False
    # Whether an API key nobody issued is as good as none.
    ignores_unknown_key: bool = False
    on_result: Callable[[ResultItem], None] = lambda item: None
    # The query as it came, for handlers that read one of their own.
    query: str = ""

    @property
    def headers(self) -> list[tuple[str, str]]:
        """The headers as text; few handlers ask for them."""
        return [
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in self.raw_headers
        ]


# A handler takes the decoded request and the call, and returns the result or raises a ServiceError.
Handler = Callable[[Any, Call], Awaitable[Result]]
