"""Makes a request of a tool that twice is the same as once: again where it is busy, and an error in words else."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgspec

from fairwitness.client import ClientError
from fairwitness.client.transport import Answer, Transport
from fairwitness.integrations.exports import BadExport, Exporter, ToolFailed

_TIMEOUT_S = 30.0
_ATTEMPTS = 4
_LONGEST_WAIT_S = 30
_BUSY = {429, 500, 502, 503, 504}


class Refused(ToolFailed):
    """The tool answered, and not with what was asked for."""

    def __init__(self, tool: str, answer: Answer) -> None:
        """Tell the status and the beginning of what it said."""
        told = answer.body[:300].decode(errors="replace").strip()
        super().__init__(f"{tool} answered {answer.status}: {told or 'no words'}")
        self.status = answer.status


class Tool:
    """A tool at the address and with the keys of the environment."""

    def __init__(self, exporter: Exporter) -> None:
        """Read address and keys; raise BadExport where one is missing or is none."""
        self.name = exporter.name
        try:
            self._transport = Transport(exporter.address(), _TIMEOUT_S, exporter.headers())
        except ValueError as error:
            raise BadExport(f"{exporter.name}: {error}") from error

    def post(self, path: str, body: Any) -> None:
        """Send a body; raise ToolFailed where it is not taken."""
        encoded = msgspec.json.encode(body)
        self._ask(lambda: self._transport.post(path, encoded))

    def get(self, path: str) -> dict[str, Any]:
        """Return the JSON object at a path; raise ToolFailed where there is none."""
        answer = self._ask(lambda: self._transport.get(path))
        try:
            return msgspec.json.decode(answer.body, type=dict[str, Any])
        except msgspec.DecodeError:
            raise ToolFailed(f"{self.name}: the answer is not JSON") from None

    def items(self, found: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the list `data` of an answer; raise ToolFailed where it has none."""
        items = found.get("data")
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise ToolFailed(
                f"{self.name}: the answer has no list data; another version of the tool?"
            )
        return items

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def _ask(self, request: Callable[[], Answer]) -> Answer:
        for attempt in range(_ATTEMPTS):
            last = attempt == _ATTEMPTS - 1
            try:
                answer = request()
            except ClientError as error:
                if last:
                    raise ToolFailed(f"{self.name}: {error}") from error
                time.sleep(2**attempt / 2)
                continue
            if answer.status < 300:
                return answer
            if answer.status not in _BUSY or last:
                raise Refused(self.name, answer)
            time.sleep(min(answer.retry_after or 2**attempt / 2, _LONGEST_WAIT_S))
        raise AssertionError("the last attempt returns or raises")
