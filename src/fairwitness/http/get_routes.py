"""Everything that answers GET and HEAD, by path: the site's documents, keys, providers, health and metrics."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from fairwitness.http import metrics
from fairwitness.http.health import States, healthz, readyz
from fairwitness.http.problems import JsonAnswer
from fairwitness.http.routes import Getter
from fairwitness.service.pool import Load


class FixedDocument(Protocol):
    """What the door needs of a document: its bytes and their media type."""

    @property
    def body(self) -> bytes:
        """The bytes, the same at every request."""

    @property
    def media_type(self) -> str:
        """What they are, as Content-Type says it."""


@dataclass(frozen=True)
class _ProtocolFile:
    """A protocol file as it was read: TOML or YAML, shown as text."""

    body: bytes
    media_type: str = "text/plain; charset=utf-8"


def get_routes(
    *,
    documents: Mapping[str, FixedDocument],
    metrics_token: str | None,
    ready: Callable[[], bool],
    states: States,
    load: Callable[[], Load],
    figures: metrics.Figures,
    keys_json: Callable[[], bytes],
    providers: Callable[[], Mapping[str, Any]],
    protocols: Mapping[str, Any],
    protocol_files: Mapping[str, bytes],
) -> dict[str, Getter]:
    """Return the handler of each path."""

    async def serve_metrics(request: Request) -> Response:
        return await metrics.metrics(request, metrics_token, figures)

    return {path: _cached(document) for path, document in documents.items()} | {
        "/healthz": healthz,
        "/readyz": readyz(ready, states, load),
        "/metrics": serve_metrics,
        "/docs/keys.json": _fresh(keys_json),
        "/docs/providers.json": _fresh(lambda: msgspec.json.encode(providers())),
        "/docs/protocols.json": _fresh(lambda: msgspec.json.encode(protocols)),
        **{
            f"/docs/protocol/{path}": _cached(_ProtocolFile(file))
            for path, file in protocol_files.items()
        },
    }


def _cached(document: FixedDocument) -> Getter:
    """Serve fixed bytes under a digest, so that a browser can ask whether they changed; compressed where it takes that."""
    kept = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}

    @cache
    def made() -> tuple[str, bytes]:
        # Compressed once, and only what is the same for everyone: nothing secret can leak through a length.
        return hashlib.sha256(document.body).hexdigest()[:32], gzip.compress(document.body, mtime=0)

    async def answer(request: Request) -> Response:
        # Who asks first waits while it is rendered; the others are served meanwhile.
        digest, packed = made() if made.cache_info().currsize else await asyncio.to_thread(made)
        smaller = len(packed) < len(document.body) and takes_gzip(
            request.headers.get("accept-encoding", "")
        )
        etag = f'"{digest}-gzip"' if smaller else f'"{digest}"'
        headers = {**kept, "ETag": etag}
        known = {tag.strip() for tag in request.headers.get("if-none-match", "").split(",")}
        if etag in known or f"W/{etag}" in known:
            return Response(status_code=304, headers=headers)
        headers["Content-Type"] = document.media_type
        if smaller:
            return Response(packed, headers={**headers, "Content-Encoding": "gzip"})
        return Response(document.body, headers=headers)

    return answer


def takes_gzip(accepted: str) -> bool:
    """Say whether an Accept-Encoding header takes gzip: it is named, and not with a weight of zero."""
    for entry in accepted.lower().split(","):
        name, _, weight = entry.partition(";")
        if name.strip() == "gzip":
            return not re.fullmatch(r"\s*q\s*=\s*0(\.0*)?\s*", weight)
    return False


def _fresh(content: Callable[[], bytes]) -> Getter:
    def answer(request: Request) -> Response:
        return JsonAnswer(content(), headers={"Cache-Control": "no-cache"})

    return answer
