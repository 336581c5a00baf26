"""The table of paths: the operations behind POST, and everything that answers GET and HEAD."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from fairwitness.contract.operations import Operation

Getter = Callable[[Request], Awaitable[Response] | Response]


def inner_path(base: str, path: str) -> str:
    """Return a path as the routes know it: without the base, whether or not the proxy has taken it off."""
    if base and path.startswith(base) and path[len(base) : len(base) + 1] in {"", "/"}:
        return path[len(base) :] or "/"
    return path


@dataclass(frozen=True)
class Routes:
    """Which handler stands at a path, and which methods it answers."""

    getters: Mapping[str, Getter]
    operations: Mapping[str, Operation]

    @classmethod
    def of(cls, getters: Mapping[str, Getter], operations: Iterable[Operation]) -> Routes:
        """Make the table of these."""
        return cls(getters, {operation.path: operation for operation in operations})

    def operation(self, path: str) -> Operation | None:
        """Return the operation at a path, if any."""
        return self.operations.get(path)

    def getter(self, path: str) -> Getter | None:
        """Return the page or document at a path, if any."""
        return self.getters.get(path)

    def allowed(self, path: str) -> tuple[str, ...] | None:
        """Return the methods a path answers, or None where there is nothing at it."""
        if path in self.operations:
            return ("POST",)
        return ("GET", "HEAD") if path in self.getters else None

    def spends(self, path: str) -> bool:
        """Tell whether answering at a path costs money."""
        return path in self.operations and self.operations[path].spends

    def label(self, path: str) -> str:
        """Return the path for metrics and logs; unknown paths are all one, so labels stay few."""
        return path if self.allowed(path) is not None else "(unknown)"
