"""The table of paths: six operations behind POST, and everything that answers GET and HEAD."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from fairwitness.contract.operations import OPERATIONS, Operation

Getter = Callable[[Request], Awaitable[Response] | Response]

_BY_PATH = {operation.path: operation for operation in OPERATIONS}


@dataclass(frozen=True)
class Routes:
    """Which handler stands at a path, and which methods it answers."""

    getters: Mapping[str, Getter]

    def operation(self, path: str) -> Operation | None:
        """Return the operation at a path, if any."""
        return _BY_PATH.get(path)

    def getter(self, path: str) -> Getter | None:
        """Return the page or document at a path, if any."""
        return self.getters.get(path)

    def allowed(self, path: str) -> tuple[str, ...] | None:
        """Return the methods a path answers, or None where there is nothing at it."""
        if path in _BY_PATH:
            return ("POST",)
        return ("GET", "HEAD") if path in self.getters else None

    def spends(self, path: str) -> bool:
        """Tell whether answering at a path costs money."""
        return path in _BY_PATH and _BY_PATH[path].spends

    def label(self, path: str) -> str:
        """Return the path for metrics and logs; unknown paths are all one, so labels stay few."""
        return path if self.allowed(path) is not None else "(unknown)"
