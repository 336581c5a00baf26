"""Everything that answers GET and HEAD, by path: pages, documents, keys, health and metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from fairwitness.contract import openapi
from fairwitness.evaluator import protocol as protocols
from fairwitness.evidence.schema import schema_json
from fairwitness.http import metrics, pages
from fairwitness.http.health import States, healthz, readyz
from fairwitness.http.plots import plots
from fairwitness.http.problems import JsonAnswer
from fairwitness.http.routes import Getter


def getters(
    *,
    metrics_token: str | None,
    ready: Callable[[], bool],
    states: States,
    figures: metrics.Figures,
    keys_json: Callable[[], bytes],
    providers: Callable[[], Mapping[str, Any]],
) -> dict[str, Getter]:
    """Return the handlers; documents are rendered here, once."""
    documents = {
        "/openapi.json": pages.Document(openapi.encoded(), "application/json"),
        "/docs/evidence.schema.json": pages.Document(schema_json(), "application/schema+json"),
        **{
            f"/docs/plots/{name}.svg": pages.Document(plot, "image/svg+xml")
            for name, plot in plots().items()
        },
        **pages.assets(),
        **pages.documents(),
    }
    documents["/docs/"] = documents["/docs"]
    documents["/docs/protocol.toml"] = pages.Document(
        protocols.shipped().source, "application/toml; charset=utf-8"
    )
    found: dict[str, Getter] = {path: page.getter() for path, page in documents.items()}

    async def serve_metrics(request: Request) -> Response:
        return await metrics.metrics(request, metrics_token, figures)

    return found | {
        "/healthz": healthz,
        "/readyz": readyz(ready, states),
        "/metrics": serve_metrics,
        "/docs/keys.json": _fresh(keys_json),
        "/docs/providers.json": _fresh(lambda: msgspec.json.encode(providers())),
    }


def _fresh(content: Callable[[], bytes]) -> Getter:
    def answer(request: Request) -> Response:
        return JsonAnswer(content(), headers={"Cache-Control": "no-cache"})

    return answer
