"""How a connection refuses what was asked of it, in the order answers are owed, and how it parts.

A client that is still sending finds its answer: our half of the connection closes first. It knows the
wire; what stands at a path it asks `allowed_methods`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from fairwitness.contract.errors import InvalidRequest, MethodNotAllowed, NotFound, ServiceError
from fairwitness.http.crowding import Crowd
from fairwitness.http.cycle import Cycle
from fairwitness.http.idle_timer import LATE_READS_S
from fairwitness.http.problems import problem
from fairwitness.http.wire import Answering, request_line, whole

# How long a client that is still sending may take to notice that its answer was the last.
PARTING_S = 5.0

# So many that were not let in may take that time at once; the rest are closed outright.
MAX_PARTING = 256

# Which methods a path answers, or None where there is nothing at it.
AllowedMethods = Callable[[str], tuple[str, ...] | None]
# The headers every answer carries, a fresh request id among them.
StandardHeaders = Callable[[str], dict[str, str]]


class RefusingProtocol(HttpToolsProtocol):
    """One client connection, as far as it says no. Class attributes are set once per process."""

    header_timeout_s = 10.0
    body_timeout_s = 20.0
    # The connections of this process that were let in.
    crowd: Crowd[Any]
    allowed_methods: AllowedMethods
    standard_headers: StandardHeaders
    on_refused: Callable[[int, str], None]

    cycle: Cycle
    _head: bytearray
    _answering: Answering
    _in_body = _refusing = _deaf = _parted = False
    _timer: asyncio.TimerHandle | None = None

    def _refuse_head(self) -> None:
        """Answer a request the parser gave up on, by its request line where it has a sound one."""
        method, path = request_line(bytes(self._head))
        if path and method not in {"GET", "HEAD", "POST"}:
            allowed = self.allowed_methods(path)
            if allowed is None:
                self._refuse(NotFound())
            else:
                self._refuse(MethodNotAllowed(), Allow=", ".join(allowed))
            return
        self._refuse(InvalidRequest("The request is not valid HTTP/1.1."))

    def _headers_too_slow(self) -> None:
        if not self._head:
            self.transport.close()  # an idle connection: nothing was asked, nothing is owed
            return
        if self._refusing:
            self._refuse_head()
            return
        self._refuse(
            InvalidRequest(
                f"The request's headers did not arrive within {self.header_timeout_s:g} s."
            ),
            status=HTTPStatus.REQUEST_TIMEOUT,
        )

    def _body_too_slow(self) -> None:
        late = f"body: did not arrive within {self.body_timeout_s:g} seconds"
        self._refuse(InvalidRequest(details=[late]))

    def _refuse(self, error: ServiceError, status: int | None = None, **headers: str) -> None:
        if self.pipeline:
            self._refuse_in_turn()
            return
        if (
            self.cycle is not None
            and self.cycle.response_started
            and not self.cycle.response_complete
        ):
            self.transport.close()  # another answer is half written: a second would corrupt it
            return
        answer = problem(error, status=status, Connection="close", **headers)
        fixed = (*self.server_state.default_headers, *answer.raw_headers)
        self._answering.write_now(whole(answer, fixed, self.standard_headers("/api/")))
        self._disarm()
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnect()
        self._deaf = True
        self.on_refused(answer.status_code, error.code.value)
        if status == HTTPStatus.REQUEST_TIMEOUT:
            self.transport.close()  # it has had its time, and little can be on its way
        else:
            self._part()

    def _refuse_in_turn(self) -> None:
        """Hear no more while answers to earlier requests are owed; a body that broke off is then refused as empty."""
        self._deaf, self.cycle.keep_alive = True, False
        if self._in_body:
            self.cycle.body, self.cycle.more_body = b"", False
            self.cycle.message_event.set()
        self._disarm()

    def _part(self) -> None:
        """Hang up; on a client that may still be sending, only our half at first.

        Closed outright with bytes unread, the kernel resets the connection, and a client that reads its
        answer only after it has sent everything would lose it.
        """
        self._answering.flush()
        crowded = len(self.connections) > len(self.crowd) + MAX_PARTING
        if not (self._in_body or self._deaf) or crowded or self.transport.is_closing():
            self.transport.close()
            return
        self._parted = self._deaf = True
        self.transport.write_eof()
        self.flow.resume_reading()
        self._arm(PARTING_S, self.transport.close)

    def _arm(self, seconds: float, action: Callable[[], Any]) -> None:
        self._disarm()
        self._timer = self.loop.call_later(seconds, self._after_late_reads, action)

    def _after_late_reads(self, action: Callable[[], Any]) -> None:
        self._timer = self.loop.call_later(LATE_READS_S, action)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
