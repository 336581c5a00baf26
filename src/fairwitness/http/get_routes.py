"""Everything that answers GET and HEAD, by path: the site's documents, keys, providers, health and metrics."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
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
    }


def _cached(document: FixedDocument) -> Getter:
    """Serve fixed bytes under a digest, so that a browser can ask whether they changed."""
    etag = f'"{hashlib.sha256(document.body).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "no-cache"}

    def answer(request: Request) -> Response:
        known = {tag.strip() for tag in request.headers.get("if-none-match", "").split(",")}
        if etag in known or f"W/{etag}" in known:
            return Response(status_code=304, headers=headers)
        return Response(document.body, headers={**headers, "Content-Type": document.media_type})

    return answer


def _fresh(content: Callable[[], bytes]) -> Getter:
    def answer(request: Request) -> Response:
        return JsonAnswer(content(), headers={"Cache-Control": "no-cache"})

    return answer
