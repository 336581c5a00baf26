"""uvicorn's HTTP/1.1 connection, made fit for the public.

Adds what uvicorn leaves out: JSON errors for malformed HTTP and unknown methods, time limits on headers
and bodies, size limits on headers, framing and trailers, bounds on open connections, and a bounded drain of
bodies nobody reads. It decides when to refuse; how is `refusing`'s, and who makes room `crowding`'s.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import httptools
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT

from fairwitness.contract.errors import InvalidRequest, Overloaded
from fairwitness.http.body import RawHeaders
from fairwitness.http.cycle import Cycle
from fairwitness.http.idle_timer import IdleTimer
from fairwitness.http.refusing import RefusingProtocol
from fairwitness.http.wire import Answering, check_head, target, without_upgrade

MAX_HEADER_BYTES = 32 * 1024
# A chunked body's framing and trailers, beside the bytes that count: the largest body of contract 1 in the smallest
# chunks fits, and one of contract 2 in chunks of 32 bytes.
MAX_FRAMING_BYTES = 1024 * 1024
# A client whose body was refused may still be sending it: read on this far before hanging up.
MAX_DRAIN_BYTES = 64 * 1024 * 1024

_ASGI = {"version": "3.0", "spec_version": "2.3"}

_TOO_SLOW = "body: arrived too slowly while connections were short"

# A stopping worker hears its idle connections this much longer: a request may be on its way.
LINGER_S = 1.0


class PublicProtocol(RefusingProtocol):
    """One client connection. Class attributes are set once per process by `configure`."""

    on_idle_closed: Callable[[], None]
    on_slow_closed: Callable[[], None]
    eof_cancels: Callable[[str], bool]
    # The address a peer's connections are counted under (None: a listed proxy), and the caller behind a request.
    address_of: Callable[[str], str | None]
    caller_of: Callable[[str, RawHeaders], str]

    # One of the process; the first connection makes it.
    idle_timer: IdleTimer

    _in_headers = True
    _leaving = False
    _drained = 0
    _framing = 0

    @classmethod
    def configure(cls, **attributes: Any) -> None:
        """Set the limits and the answers for this process; uvicorn makes the instances."""
        for name, value in attributes.items():
            setattr(cls, name, staticmethod(value) if callable(value) else value)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Greet a connection, or turn it away where there are too many."""
        super().connection_made(transport)
        self._head = bytearray()
        self._answering = Answering(transport, self._part)
        if "idle_timer" not in type(self).__dict__:
            type(self).idle_timer = IdleTimer(self.loop, self.timeout_keep_alive)
        if not self.crowd.let_in(self, self.address_of(self._peer)):
            self._refuse(Overloaded(retry_after=1))
            return
        self._arm(self.header_timeout_s, self._headers_too_slow)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timers, and let another have the place."""
        self.crowd.left(self)
        self.idle_timer.end(self)
        self._disarm()
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnect()
        super().connection_lost(exc)

    @property
    def _peer(self) -> str:
        return self.client[0] if self.client else ""

    def leave_idle(self) -> None:
        """Make room for another: nothing was asked, nothing is owed."""
        self.transport.close()
        self.on_idle_closed()

    def leave_unfinished(self) -> None:
        """Make room for another: this body has been longest on its way."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._refuse(Overloaded(details=[_TOO_SLOW], retry_after=1))
        self.transport.close()
        self.on_slow_closed()

    def shutdown(self) -> None:
        """Leave without dropping a request on its way: an idle connection answers one more, then closes."""
        if self.cycle is not None and not self.cycle.response_complete:
            super().shutdown()
            return
        self._leaving = True
        self.loop.call_later(LINGER_S, self._leave)

    def _leave(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()

    def eof_received(self) -> bool | None:  # type: ignore[override]
        """Still answer a client that closed its sending half, be it in the middle of a request."""
        if self._parted or self.pipeline:
            return None
        answered = self.cycle is None or self.cycle.response_complete
        if (answered and self._head) or (self._in_body and not answered):
            self._refuse(InvalidRequest("The request is incomplete: the connection ended early."))
            return None
        # Where an answer costs money the same sign means the client hung up, and the work stops.
        if answered or self.eof_cancels(self.cycle.scope["path"]):
            return None
        self.cycle.keep_alive = False
        return True

    def data_received(self, data: bytes) -> None:
        """Parse what arrived, counting what must be bounded."""
        if self._deaf or self.transport.is_closing():
            self._drop(data)
            return
        self.idle_timer.end(self)
        if self._in_headers and not self._note_head(data):
            return
        if self._refusing:
            return
        if self._in_body and self.cycle is not None and self.cycle.response_complete:
            self._drop(data)
        if self._in_body:
            self._framing += len(data)
        try:
            self.parser.feed_data(without_upgrade(data) if self._in_headers else data)
        except httptools.HttpParserUpgrade:
            pass  # we speak no other protocol; the request is answered as plain HTTP
        except httptools.HttpParserError:
            self._parser_refused()
        if self._in_body and not self._deaf:
            self._body_goes_on()
        if self._timer is None and not self._deaf:
            if self._in_body:
                self._arm(self.body_timeout_s, self._body_too_slow)
            elif self._head:
                self._arm(self.header_timeout_s, self._headers_too_slow)

    def _body_goes_on(self) -> None:
        if self._framing > MAX_FRAMING_BYTES and not self.cycle.response_complete:
            self._refuse(InvalidRequest("The request's framing and trailers are too large."))
            return
        self.crowd.body_began(self, self.caller_of(self._peer, self.headers))

    def _drop(self, data: bytes) -> None:
        self._drained += len(data)
        if self._drained > MAX_DRAIN_BYTES:
            self.transport.abort()

    def _note_head(self, data: bytes) -> bool:
        """Keep the head's bytes until it is whole; False where the connection was refused."""
        self._head += data[: MAX_HEADER_BYTES + 1]
        end = self._head.find(b"\r\n\r\n")
        if self._refusing and (b"\n" in self._head or len(self._head) > MAX_HEADER_BYTES):
            self._refuse_head()
            return False
        if len(self._head) > MAX_HEADER_BYTES and not 0 <= end <= MAX_HEADER_BYTES:
            self._refuse(
                InvalidRequest("The request's headers are too large."),
                status=HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
            )
            return False
        return True

    # What the parser tells us.

    def on_message_begin(self) -> None:
        """Begin a request's head."""
        self.url = b""
        self.expect_100_continue = False
        self.headers = []

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a field of the head; trailers behind a body are not ours to believe, nor to keep."""
        if self._in_headers:
            name = name.lower()
            if name == b"expect" and value.lower() == b"100-continue":
                self.expect_100_continue = True
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Note that the body begins, and start the request or let it wait for its turn."""
        version = self.parser.get_http_version()
        check_head(version, self.headers)
        path, raw_path, query = target(self.url)
        self.crowd.at_work(self)
        self._in_headers = False
        self._in_body = True
        self._drained = self._framing = 0
        self._head.clear()
        self._disarm()
        before = self.cycle
        self.cycle = Cycle(
            scope={
                "type": "http",
                "asgi": _ASGI,
                "http_version": version,
                "server": self.server,
                "client": self.client,
                "scheme": self.scheme,
                "root_path": "",
                "method": self.parser.get_method().decode("ascii"),
                "path": path,
                "raw_path": raw_path,
                "query_string": query,
                "headers": self.headers,
            },
            transport=self._answering,
            flow=self.flow,
            default_headers=self.server_state.default_headers,
            expect_100_continue=self.expect_100_continue,
            keep_alive=version == "1.1" and not self._leaving and self.parser.should_keep_alive(),
            on_response=self.on_response_complete,
        )
        if before is None or before.response_complete:
            self.cycle.start(self.app, self.loop, self.tasks)
        else:
            self.flow.pause_reading()
            self.pipeline.appendleft((self.cycle, self.app))

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body; what is left of the bytes received is framing."""
        self._framing -= len(body)
        if not self.cycle.response_complete:
            self.cycle.add_body(body)
            if len(self.cycle.body) > HIGH_WATER_LIMIT:
                self.flow.pause_reading()

    def on_message_complete(self) -> None:
        """Note that the request is whole."""
        self.cycle.more_body = False
        self.cycle.message_event.set()
        self.crowd.body_ended(self)
        self._in_headers = True
        self._in_body = False
        self._disarm()

    def on_response_complete(self) -> None:
        """Send the answer and turn to what is next; a request still being sent gets a bounded time for the rest."""
        self._answering.flush()
        self.server_state.total_requests += 1
        if self._parted:
            return
        if not self.transport.is_closing():
            self.flow.resume_reading()
            if self.pipeline:
                waited: Any = self.pipeline.pop()[0]
                waited.start(self.app, self.loop, self.tasks)
            elif not self._in_body:
                self.idle_timer.begin(self)
        if self.cycle.response_complete:
            self.crowd.at_rest(self)
        if self._in_body and not self.transport.is_closing():
            self._arm(self.body_timeout_s, self.transport.close)

    def idle_too_long(self) -> None:
        """Close: nothing was asked, nothing is owed."""
        self.transport.close()

    def _parser_refused(self) -> None:
        in_flight = self.cycle is not None and not self.cycle.response_complete
        if in_flight and not self._in_body:
            # Garbage behind a whole request: answer that one, hear no more, hang up.
            self.cycle.keep_alive = False
            self._deaf = True
        elif self._in_body:
            # The body itself is malformed (a bad chunk): its request can never be whole.
            self._refuse(InvalidRequest("The request is not valid HTTP/1.1."))
        else:
            self._refusing = True
            if b"\n" in self._head or not self._head[:1].isalpha():
                self._refuse_head()
            # Otherwise wait, within the header time limit, for a request line to speak to.
