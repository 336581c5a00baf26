"""Structured logs: JSON lines when not on a terminal; never the text of a prompt or a response."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterator, MutableMapping
from functools import lru_cache
from traceback import walk_tb
from types import TracebackType
from typing import Any, BinaryIO

import msgspec
import structlog

from fairwitness.service.ids_and_times import now


def configure(level: str, style: str) -> None:
    """Send our logs and every library's to standard error, in one form."""
    as_json = style == "json" or (style == "auto" and not sys.stderr.isatty())
    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        _without_values,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    final: Any = _as_json if as_json else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    _route_libraries(level, [structlog.stdlib.ExtraAdder(), *shared], final)
    least = logging.getLevelName(level.upper())
    structlog.configure(
        processors=[*shared, final],
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(least),
        cache_logger_on_first_use=True,
    )
    answers.out = sys.stderr.buffer if as_json and least <= logging.INFO else None


def _route_libraries(level: str, shared: list[Any], final: Any) -> None:
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, final],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        library = logging.getLogger(name)
        library.handlers.clear()
        library.propagate = name != "uvicorn.access"
        library.setLevel(logging.WARNING)


def _as_json(logger: object, method: str, event: MutableMapping[str, Any]) -> str:
    return msgspec.json.encode(event, enc_hook=repr).decode()


def _without_values(
    logger: object, method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Put an error's kinds and places where its traceback stood: its words and values may be a caller's text."""
    error = event.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        event["error"] = [
            {"kind": type(link).__name__, "where": _places(link.__traceback__)}
            for link in _chain(error)
        ]
    return event


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(8):
        if error is None:
            return
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _places(trace: TracebackType | None) -> list[str]:
    frames = [
        f"{frame.f_code.co_filename}:{line} {frame.f_code.co_name}"
        for frame, line in walk_tb(trace)
    ]
    return frames[-30:]


logger: Any = structlog.get_logger("fairwitness")


class AnswerLog:
    """The one line every request costs: where lines are JSON it skips the steps only other lines need.

    The lines of one turn of the loop are written together, as that turn ends.
    """

    out: BinaryIO | None = None

    def __init__(self) -> None:
        """Begin with none."""
        self._lines: list[str] = []

    def note(
        self,
        *,
        request_id: str,
        method: str,
        path: str,
        status: int,
        code: str | None,
        ms: float,
        bytes: int,
    ) -> None:
        """Write the line of one answered request."""
        if self.out is None:
            fields = {"method": method, "path": path, "status": status, "code": code}
            logger.info("answered", request_id=request_id, **fields, ms=round(ms, 1), bytes=bytes)
            return
        if not self._lines:
            asyncio.get_running_loop().call_soon(self.flush)
        self._lines.append(
            f'{{"request_id":"{request_id}",{_kind(method, path, status, code)},"ms":{ms:.1f},'
            f'"bytes":{bytes},"event":"answered","level":"info","timestamp":"{now()}"}}\n'
        )

    def flush(self) -> None:
        """Write what was noted."""
        lines, self._lines = self._lines, []
        if self.out is not None and lines:
            self.out.write("".join(lines).encode())
            self.out.flush()


@lru_cache(1024)
def _kind(method: str, path: str, status: int, code: str | None) -> str:
    """Return what many lines share, in JSON."""
    shared = {"method": method, "path": path, "status": status, "code": code}
    return msgspec.json.encode(shared).decode()[1:-1]


answers = AnswerLog()
