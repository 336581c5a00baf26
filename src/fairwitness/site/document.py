"""A document of the site: fixed bytes and their media type."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True)
class Document:
    """Fixed bytes with their media type."""

    body: bytes
    media_type: str

    @classmethod
    def text(cls, text: str, suffix: str) -> Document:
        """Return a text as a document of the type its file suffix names."""
        return cls(text.encode(), MEDIA_TYPES[suffix])
