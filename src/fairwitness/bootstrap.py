"""The composition root: the only place that knows which concrete parts the service is built from."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cached_property

from fairwitness import settings as settings_module
from fairwitness import site
from fairwitness.contract.operations import ALL_OPERATIONS, TOOL_OPERATIONS
from fairwitness.evidence import Keyring
from fairwitness.feedback import ContactSeal, FeedbackStore, feedback_of
from fairwitness.http import logs, metrics, notes, server
from fairwitness.http.app import App
from fairwitness.http.crowding import Crowd
from fairwitness.http.get_routes import get_routes
from fairwitness.http.headers import standard_headers
from fairwitness.http.protocol import PublicProtocol
from fairwitness.http.routes import Routes, inner_path
from fairwitness.ledger import ledger_of
from fairwitness.providers import slots as provider_slots
from fairwitness.service.admission import Admission
from fairwitness.service.api_keys import ApiKeys, keys_of
from fairwitness.service.arena import Arena
from fairwitness.service.arena_2 import ArenaOfConversations
from fairwitness.service.arena_evidence import ArenaWithEvidence
from fairwitness.service.call import Handler
from fairwitness.service.caller import secret_of, trusted_networks
from fairwitness.service.callers import Callers
from fairwitness.service.direct_evaluation import DirectEvaluation
from fairwitness.service.evaluation_events import EvaluationEvents
from fairwitness.service.exchange_evaluation import ExchangeEvaluation
from fairwitness.service.feedback import SubmitFeedback, keep_retention
from fairwitness.service.generate import GenerateAndEvaluate, Generation
from fairwitness.service.ids_and_times import new_id
from fairwitness.service.improvement import ImprovementDemo
from fairwitness.service.judging import Judging
from fairwitness.service.pool import EvaluationPool
from fairwitness.service.protocols import Protocols
from fairwitness.service.tool_endpoints import tool_handlers
from fairwitness.settings import Settings, available_cores


def application() -> App:
    """Build the service from the environment's settings; each worker process calls this once."""
    server.end_with_supervisor()
    server.hold_metrics()
    settings = settings_module.load()
    logs.configure(settings.log_level, settings.log_format)
    parts = Parts(settings)
    app = build(parts)
    base = settings.base_path
    PublicProtocol.configure(
        header_timeout_s=settings.header_timeout_s,
        body_timeout_s=settings.body_timeout_s,
        crowd=Crowd[PublicProtocol](
            most=settings.max_connections,
            most_of_address=settings.max_connections_per_address,
            most_slow_bodies=settings.max_slow_bodies_per_caller,
            clock=time.monotonic,
        ),
        address_of=parts.callers.address,
        caller_of=parts.callers.network,
        allowed_methods=lambda path: app.routes.allowed(inner_path(base, path)),
        standard_headers=lambda path: standard_headers(inner_path(base, path), new_id()),
        on_refused=notes.refused,
        on_idle_closed=metrics.IDLE_CLOSED.inc,
        on_slow_closed=metrics.SLOW_CLOSED.inc,
        eof_cancels=lambda path: app.routes.spends(inner_path(base, path)),
    )
    return app


def build(parts: Parts) -> App:
    """Wire the parts together."""
    settings = parts.settings
    operations = (*ALL_OPERATIONS, *(TOOL_OPERATIONS if settings.tool_endpoints else ()))
    paths = tuple(operation.path for operation in operations)
    routes = Routes.of(
        get_routes(
            documents=site.documents(
                parts.protocols.named,
                settings.base_path,
                paths,
                quotes=settings.otel_url is not None and settings.otel_quote,
            ),
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
            protocols=parts.protocols.published(settings.base_path),
            protocol_files=parts.protocols.files(),
        ),
        operations,
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
    def api_keys(self) -> ApiKeys | None:
        """The keys callers may send; None where they are off."""
        return keys_of(self.settings, self.secret)

    @cached_property
    def callers(self) -> Callers:
        """Who is calling."""
        return Callers(
            trusted_networks(self.settings), self.secret, self.api_keys, notes.unlisted_proxy
        )

    @cached_property
    def protocols(self) -> Protocols:
        """The protocols responses are judged by, and the evaluator of each."""
        return Protocols.of(self.settings, notes.broken)

    @cached_property
    def pool(self) -> EvaluationPool:
        """The evaluator, off the event loop; a worker a core, the default, gives each one thread."""
        threads = max(1, available_cores() // self.settings.workers)
        return EvaluationPool(
            self.protocols.first,
            threads,
            self.settings.queue_size,
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
        quotas_of = self.api_keys.quotas_of if self.api_keys else lambda caller: {}
        ledger = ledger_of(self.settings, make=alone)
        return Admission.of(self.settings, ledger, self.secret, quotas_of)

    @cached_property
    def judging(self) -> Judging:
        """Asks the judges of protocols that have them; of each record its digest is logged."""
        return self._judging(lambda digest: logs.logger.info("judged", record=digest))

    @asynccontextmanager
    async def judging_open(self) -> AsyncIterator[Judging]:
        """Open what asking judges needs, where nothing is served: the command line."""
        async with AsyncExitStack() as stack:
            await provider_slots.prepare(self.slots)
            stack.push_async_callback(provider_slots.close, self.slots)
            await self.admission.start()
            stack.push_async_callback(self.admission.close)
            yield self._judging(lambda digest: None)

    def _judging(self, on_record: Callable[[str], None]) -> Judging:
        return Judging(
            self.slots,
            self.admission,
            deadline_s=self.settings.provider_deadline_s,
            on_disbelieved=lambda slot: metrics.USAGE_DISBELIEVED.labels(slot).inc(),
            on_record=on_record,
        )

    @cached_property
    def keyring(self) -> Keyring:
        """The keys that sign evidence."""
        return Keyring(self.settings)

    @cached_property
    def events(self) -> EvaluationEvents | None:
        """Tells a collector of evaluations; None where none is set."""
        return EvaluationEvents.of(self.settings, notes.otel_evaluations, logs.logger.warning)

    @cached_property
    def feedback(self) -> FeedbackStore:
        """Where private feedback is kept."""
        return feedback_of(self.settings)

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
            caller_of=self.callers.of,
            deadline_s=self.settings.provider_deadline_s,
            on_disbelieved=lambda slot: metrics.USAGE_DISBELIEVED.labels(slot).inc(),
        )
        exchanges = ExchangeEvaluation(self.pool, self.protocols, self.judging, self.callers.of)
        noted_exchanges = self.events.noting(exchanges) if self.events else exchanges
        noise = evaluator.protocol.overall.noise
        witnessed = Arena(generation, noise=noise, endpoint="/api/arena-evidence", **versions)
        evaluating: dict[str, Handler] = {
            "evaluateResponse": DirectEvaluation(self.pool, self.callers.of),
            "generateAndEvaluate": GenerateAndEvaluate(generation, **versions),
            "runArena": Arena(generation, noise=noise, **versions),
            "runArenaWithEvidence": ArenaWithEvidence(witnessed, evaluator, self.keyring),
            "compareProviders": ArenaOfConversations(generation, evaluator, self.keyring),
        }
        if self.events:
            evaluating = {name: self.events.noting(one) for name, one in evaluating.items()}
        return {
            **evaluating,
            "evaluateExchange": noted_exchanges,
            **tool_handlers(noted_exchanges, exchanges, self.pool, self.callers.of, metrics.judged),
            "runImprovementDemo": ImprovementDemo(self.pool, self.callers.of),
            "submitFeedback": SubmitFeedback(
                self.feedback,
                ContactSeal.of(self.settings),
                self.callers.of,
                on_fault=notes.feedback_fault,
            ),
        }

    @asynccontextmanager
    async def lifetime(self) -> AsyncIterator[None]:
        """Open what must be open while requests are served, and close it after the last."""
        async with AsyncExitStack() as stack:
            stack.callback(self.pool.close)
            metrics.answers.watch(lambda: self.pool.load)
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
                    on_fault=notes.feedback_fault,
                )
            )
            stack.callback(retention.cancel)
            if self.events:
                self.events.start()
                stack.push_async_callback(asyncio.to_thread, self.events.close)
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
