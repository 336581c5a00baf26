"""The composition root: the only place that knows which concrete parts the service is built from."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from starlette.requests import Request
from starlette.responses import Response

from fairwitness import settings as settings_module
from fairwitness.contract import openapi
from fairwitness.evaluator import Evaluator
from fairwitness.http import logs, metrics, pages
from fairwitness.http.app import App
from fairwitness.http.headers import standard_headers
from fairwitness.http.health import healthz, readyz
from fairwitness.http.protocol import PublicProtocol
from fairwitness.http.routes import Getter, Routes
from fairwitness.service.direct import DirectEvaluation
from fairwitness.service.pool import EvaluationPool
from fairwitness.service.stamps import new_id
from fairwitness.settings import Settings, available_cores


def application() -> App:
    """Build the service from the environment's settings; each worker process calls this once."""
    settings = settings_module.load()
    logs.configure(settings.log_level, settings.log_format)
    app = build(settings)
    PublicProtocol.configure(
        header_timeout_s=settings.header_timeout_s,
        body_timeout_s=settings.body_timeout_s,
        max_connections=settings.max_connections,
        allowed_methods=app.routes.allowed,
        standard_headers=lambda path: standard_headers(path, new_id()),
        on_refused=_note_refused,
        eof_cancels=app.routes.spends,
    )
    return app


def build(settings: Settings) -> App:
    """Wire every part from `settings`."""
    # Each worker takes its share of the cores; the default, a worker a core, gives it one thread.
    threads = max(1, available_cores() // settings.workers)
    pool = EvaluationPool(Evaluator.shipped(_note_broken), threads, settings.queue_size)
    state = _State()

    @asynccontextmanager
    async def lifetime() -> AsyncIterator[None]:
        await asyncio.to_thread(pool.warm)
        state.ready = True
        try:
            yield
        finally:
            state.ready = False
            pool.close()

    def figures() -> Mapping[str, float]:
        return {"fairwitness_evaluations_inside": float(pool.inside)}

    def serve_metrics(request: Request) -> Response:
        return metrics.metrics(request, settings.metrics_token, figures)

    documents = {
        "/openapi.json": pages.Document(openapi.encoded(), "application/json"),
        **pages.assets(),
        **pages.documents(),
    }
    getters: dict[str, Getter] = {path: page.getter() for path, page in documents.items()}
    getters |= {
        "/healthz": healthz,
        "/readyz": readyz(lambda: state.ready, lambda: {"evaluator": "ok"}),
        "/metrics": serve_metrics,
    }
    stories = {"evaluateResponse": DirectEvaluation(pool)}
    return App(settings, Routes(getters), stories, lifetime)


class _State:
    ready = False


def _note_broken(criterion: str, error: Exception) -> None:
    metrics.BROKEN.labels(criterion).inc()
    # The kind of the error and where it rose, never its message: that could quote a text.
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
    logs.logger.error(
        "criterion failed", criterion=criterion, error=type(error).__name__, where=where
    )


def _note_refused(status: int, code: str) -> None:
    metrics.CONNECTIONS_REFUSED.labels(str(status), code).inc()
    logs.logger.info("refused", status=status, code=code)
