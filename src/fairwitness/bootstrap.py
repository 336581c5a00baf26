"""The composition root: the only place that knows which concrete parts the service is built from."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cached_property

from fairwitness import settings as settings_module
from fairwitness import site
from fairwitness.evaluator import Evaluator
from fairwitness.evidence import Keyring
from fairwitness.feedback import ContactSeal, FeedbackStore, feedback_of
from fairwitness.http import logs, metrics, server
from fairwitness.http.app import App
from fairwitness.http.body import RawHeaders
from fairwitness.http.crowding import Crowd
from fairwitness.http.get_routes import get_routes
from fairwitness.http.headers import standard_headers
from fairwitness.http.protocol import PublicProtocol
from fairwitness.http.routes import Routes
from fairwitness.ledger import ledger_of
from fairwitness.providers import slots as provider_slots
from fairwitness.service.admission import Admission
from fairwitness.service.arena import Arena
from fairwitness.service.arena_evidence import ArenaWithEvidence
from fairwitness.service.call import Call, Handler
from fairwitness.service.caller import (
    Network,
    caller_of,
    client_network,
    is_listed,
    secret_of,
    trusted_networks,
)
from fairwitness.service.direct_evaluation import DirectEvaluation
from fairwitness.service.feedback import SubmitFeedback, keep_retention
from fairwitness.service.generate import GenerateAndEvaluate, Generation
from fairwitness.service.ids_and_times import new_id
from fairwitness.service.improvement import ImprovementDemo
from fairwitness.service.pool import EvaluationPool
from fairwitness.settings import Settings, available_cores


def application() -> App:
    """Build the service from the environment's settings; each worker process calls this once."""
    server.end_with_supervisor()
    server.hold_metrics()
    settings = settings_module.load()
    logs.configure(settings.log_level, settings.log_format)
    parts = Parts(settings)
    app = build(parts)
    PublicProtocol.configure(
        header_timeout_s=settings.header_timeout_s,
        body_timeout_s=settings.body_timeout_s,
        crowd=Crowd[PublicProtocol](
            most=settings.max_connections,
            most_of_address=settings.max_connections_per_address,
            most_slow_bodies=settings.max_slow_bodies_per_caller,
            clock=time.monotonic,
        ),
        address_of=parts.address,
        caller_of=parts.network,
        allowed_methods=app.routes.allowed,
        standard_headers=lambda path: standard_headers(path, new_id()),
        on_refused=_note_refused,
        on_idle_closed=metrics.IDLE_CLOSED.inc,
        on_slow_closed=metrics.SLOW_CLOSED.inc,
        eof_cancels=app.routes.spends,
    )
    return app


def build(parts: Parts) -> App:
    """Wire the parts together."""
    settings = parts.settings
    routes = Routes(
        get_routes(
            documents=site.documents(),
            metrics_token=settings.metrics_token,
            ready=lambda: parts.ready,
            states=parts.states,
            load=lambda: parts.pool.load,
            figures=parts.figures,
            keys_json=parts.keyring.keys_json,
            providers=lambda: (
                provider_slots.published(parts.slots)
                | {"deadlineSeconds": settings.provider_deadline_s}
            ),
        )
    )
    return App(settings, routes, parts.handlers(), parts.lifetime)


@dataclass
class Parts:
    """The concrete parts of one process, each made once, on first use."""

    settings: Settings
    ready: bool = False

    @cached_property
    def secret(self) -> bytes:
        """The key of the hashes of callers and duplicates."""
        return secret_of(self.settings)

    @cached_property
    def trusted(self) -> tuple[Network, ...]:
        """The proxies whose forwarded headers are believed."""
        return trusted_networks(self.settings)

    @cached_property
    def pool(self) -> EvaluationPool:
        """The evaluator, off the event loop; a worker a core, the default, gives each one thread."""
        threads = max(1, available_cores() // self.settings.workers)
        return EvaluationPool(
            Evaluator.shipped(_note_broken),
            threads,
            self.settings.queue_size,
            on_load=metrics.loaded,
            on_refused=metrics.evaluation_refused,
        )

    @cached_property
    def slots(self) -> provider_slots.Slots:
        """The seven provider slots."""
        return provider_slots.build(self.settings)

    @cached_property
    def admission(self) -> Admission:
        """The gate of everything that spends."""
        # The supervisor made the ledger: a worker that replaces a dead one must find that very file.
        alone = multiprocessing.parent_process() is None
        return Admission.of(self.settings, ledger_of(self.settings, make=alone), self.secret)

    @cached_property
    def keyring(self) -> Keyring:
        """The keys that sign evidence."""
        return Keyring(self.settings)

    @cached_property
    def feedback(self) -> FeedbackStore:
        """Where private feedback is kept."""
        return feedback_of(self.settings)

    def caller(self, call: Call) -> bytes:
        """Return who is calling, as the ledger keeps it."""
        believed = call.headers if self.trusted else ()
        return caller_of(call.peer, believed, self.trusted, self.secret)

    def address(self, peer: str) -> str | None:
        """Return what a peer's connections are counted under; None for a listed proxy, which speaks for many."""
        return None if is_listed(peer, self.trusted) else client_network(peer, (), self.trusted)

    def network(self, peer: str, headers: RawHeaders) -> str:
        """Return the network of the caller behind a request."""
        believed = Call("", peer, headers).headers if self.trusted else ()
        return client_network(peer, believed, self.trusted)

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handler of each operation."""
        evaluator = self.pool.evaluator
        versions = {
            "protocol_version": evaluator.protocol.version,
            "evaluator_version": evaluator.version,
        }
        generation = Generation(
            self.slots,
            self.admission,
            self.pool.evaluate_paid,
            caller_of=self.caller,
            deadline_s=self.settings.provider_deadline_s,
            on_disbelieved=lambda slot: metrics.USAGE_DISBELIEVED.labels(slot).inc(),
        )
        noise = evaluator.protocol.overall.noise
        witnessed = Arena(generation, noise=noise, endpoint="/api/arena-evidence", **versions)
        return {
            "evaluateResponse": DirectEvaluation(self.pool, self.caller),
            "generateAndEvaluate": GenerateAndEvaluate(generation, **versions),
            "runArena": Arena(generation, noise=noise, **versions),
            "runArenaWithEvidence": ArenaWithEvidence(witnessed, evaluator, self.keyring),
            "runImprovementDemo": ImprovementDemo(self.pool, self.caller),
            "submitFeedback": SubmitFeedback(
                self.feedback,
                ContactSeal.of(self.settings),
                self.caller,
                on_fault=_note_feedback_fault,
            ),
        }

    @asynccontextmanager
    async def lifetime(self) -> AsyncIterator[None]:
        """Open what must be open while requests are served, and close it after the last."""
        async with AsyncExitStack() as stack:
            stack.callback(self.pool.close)
            metrics.capacity(self.pool.load)
            await asyncio.to_thread(self.pool.warm)
            await asyncio.to_thread(self.keyring.signer)
            await provider_slots.prepare(self.slots)
            await self.admission.start()
            stack.push_async_callback(self.admission.close)
            stack.push_async_callback(provider_slots.close, self.slots)
            stack.push_async_callback(self.feedback.close)
            retention = asyncio.create_task(
                keep_retention(
                    self.feedback,
                    self.settings.feedback_retention_days,
                    on_fault=_note_feedback_fault,
                )
            )
            stack.callback(retention.cancel)
            # What is loaded by now stays for good: the collector need not walk it again and again.
            gc.collect()
            gc.freeze()
            self.ready = True
            try:
                yield
            finally:
                self.ready = False

    def states(self) -> Mapping[str, str]:
        """Return each part's state in words."""
        return {"evaluator": "ok", "ledger": "ok" if self.admission.ledger_up else "away"}

    async def figures(self) -> Mapping[str, float]:
        """Return the figures that are read when asked for."""
        return await self.admission.figures()


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


def _note_feedback_fault(kind: str) -> None:
    logs.logger.error("feedback store failed", error=kind)
