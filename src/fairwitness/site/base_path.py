"""Puts the whole site under a sub-path: the one place where a deployment's base path enters pages, scripts and documents.

Sources are written for the root of a host. What a browser follows is rewritten once: attributes of
HTML, links of Markdown, `url()` of CSS, the server of OpenAPI, and in scripts and JSON every literal that begins with a
path this service answers at, or with `/#`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from fairwitness.site.document import Document

_HTML = re.compile(r"""(\s(?:href|src|srcset|action|poster|data-[a-z-]+)=["'])/(?!/)""")
_MARKDOWN = re.compile(r"(\]\()/(?!/)")
_CSS = re.compile(r"""(url\(["']?)/(?!/)""")
_OPENAPI = re.compile(r'("servers": \[\s*\{\s*"url": ")/(?=")')
_ORIGIN = r"\$\{location\.origin\}"


def under_base(
    base: str, documents: Mapping[str, Document], answered: Iterable[str]
) -> dict[str, Document]:
    """Return the documents as they are served under `base`; `answered` are all paths of the service."""
    if not base:
        return dict(documents)
    segments = {re.escape(path.split("/")[1]) for path in answered} - {""}
    literal = re.compile(rf"""(["'`]|{_ORIGIN})/(?=(?:{"|".join(sorted(segments))})\b|#)""")
    patterns = {
        "text/html": _HTML,
        "text/markdown": _MARKDOWN,
        "text/css": _CSS,
        "text/javascript": literal,
    }
    return {
        path: _rewritten(
            base,
            document,
            _OPENAPI
            if path.startswith("/openapi")
            else patterns.get(document.media_type.split(";")[0]),
        )
        for path, document in documents.items()
    }


def _rewritten(base: str, document: Document, pattern: re.Pattern[str] | None) -> Document:
    if pattern is None:
        return document
    # Paths of OpenAPI are appended to its server, and begin with a slash of their own.
    put = base if pattern is _OPENAPI else f"{base}/"
    return Document(
        lambda: pattern.sub(lambda found: found[1] + put, document.body.decode()).encode(),
        document.media_type,
    )
