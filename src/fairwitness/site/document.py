"""A document of the site: fixed bytes and their media type."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
    ".png": "image/png",
    ".ico": "image/x-icon",
}


class Document:
    """Fixed bytes with their media type, made when they are first asked for: a server starts without them."""

    def __init__(self, body: Callable[[], bytes], media_type: str) -> None:
        """Take what makes the bytes, the same each time."""
        self._make = body
        self.media_type = media_type

    @cached_property
    def body(self) -> bytes:
        """The bytes."""
        return self._make()

    @classmethod
    def text(cls, text: Callable[[], str], suffix: str) -> Document:
        """Return a text as a document of the type its file suffix names."""
        return cls(lambda: text().encode(), MEDIA_TYPES[suffix])
