"""Counts what happens, added up over all workers; names and labels never hold a caller's data."""

from __future__ import annotations

import asyncio
import hmac
import os
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.requests import Request
from starlette.responses import Response

from fairwitness.contract.errors import NotFound
from fairwitness.service.pool import Load


class _Times(Histogram):
    """A histogram that takes many times at once."""

    def observe_all(self, seconds: Sequence[float]) -> None:
        """Observe each, and write each bucket once."""
        self._sum.inc(sum(seconds))
        found: dict[int, int] = {}
        for one in seconds:
            bucket = bisect_left(self._upper_bounds, one)
            found[bucket] = found.get(bucket, 0) + 1
        for bucket, number in found.items():
            self._buckets[bucket].inc(number)


REQUESTS = Counter(
    "fairwitness_requests_total", "Responses by path and status.", ["path", "status", "code"]
)
SECONDS = _Times(
    "fairwitness_request_seconds",
    "Response time.",
    ["path"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
)
IN_FLIGHT = Gauge(
    "fairwitness_requests_in_flight", "Requests in progress.", multiprocess_mode="livesum"
)
VERDICTS = Counter("fairwitness_verdicts_total", "Overall verdicts.", ["verdict"])
BROKEN = Counter(
    "fairwitness_criterion_failures_total", "Criteria that raised an error.", ["criterion"]
)
USAGE_DISBELIEVED = Counter(
    "fairwitness_provider_usage_disbelieved_total",
    "Answers whose reported token counts cannot be; the whole reservation was counted.",
    ["slot"],
)
CONNECTIONS_REFUSED = Counter(
    "fairwitness_connections_refused_total",
    "Requests refused before their path was read.",
    ["status", "code"],
)
IDLE_CLOSED = Counter(
    "fairwitness_idle_connections_closed_total",
    "Idle connections closed to make room for new ones.",
)

SLOW_CLOSED = Counter(
    "fairwitness_slow_bodies_closed_total",
    "Requests cut off to make room because their bodies had been longest on their way.",
)
THREADS = Gauge(
    "fairwitness_evaluation_threads", "Threads that evaluate.", multiprocess_mode="livesum"
)
THREADS_BUSY = Gauge(
    "fairwitness_evaluation_threads_busy",
    "Threads that evaluate now.",
    multiprocess_mode="livesum",
)
PLACES = Gauge(
    "fairwitness_evaluation_queue_places",
    "Direct evaluations that may wait.",
    multiprocess_mode="livesum",
)
WAITING = Gauge(
    "fairwitness_evaluations_waiting",
    "Evaluations that wait: direct ones, and those of answers a provider was paid for.",
    ["kind"],
    multiprocess_mode="livesum",
)
EVALUATIONS_REFUSED = Counter(
    "fairwitness_evaluations_refused_total",
    "Evaluations refused with overloaded: share, the caller held most places; full, nobody held more than another.",
    ["reason"],
)
OTEL_EVALUATIONS = Counter(
    "fairwitness_otel_evaluations_total",
    "Evaluations sent to the OpenTelemetry collector, refused by it, or dropped because it takes too few.",
    ["outcome"],
)
_WAITING_DIRECT, _WAITING_PAID = WAITING.labels("direct"), WAITING.labels("paid")

# The figures of requests in progress and of the evaluator are at most this old.
_TELL_AFTER_S = 0.05


class Answers:
    """Counts requests and their answers; telling the metrics costs far more, so it is done for several at once.

    How many are in progress and how busy the evaluator is are told now and then. What was answered is told in the loop's
    next turn: a worker that is killed must not take with it what it had counted.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._in_progress = 0
        self._times: dict[tuple[str, int, str], list[float]] = {}
        self._verdicts: dict[str, int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._load: Callable[[], Load] | None = None
        self._told: dict[Gauge, int] = {}

    def watch(self, load: Callable[[], Load]) -> None:
        """Tell how busy this worker's evaluator is from now on, and once what it can take."""
        self._load = load
        THREADS.set(load().threads)
        PLACES.set(load().places)

    def began(self) -> None:
        """Note one more in progress."""
        self._in_progress += 1
        if self._timer is None:
            self._tell_later()

    def ended(self) -> None:
        """Note one less in progress."""
        self._in_progress -= 1
        if self._timer is None:
            self._tell_later()

    def answered(self, path: str, status: int, code: str, seconds: float) -> None:
        """Note an answer and its time."""
        if not self._times:
            asyncio.get_running_loop().call_soon(self._tell_answers)
        self._times.setdefault((path, status, code), []).append(seconds)

    def judged(self, verdict: str) -> None:
        """Note one overall verdict; it is told with the answer that holds it."""
        self._verdicts[verdict] = self._verdicts.get(verdict, 0) + 1

    def tell(self) -> None:
        """Tell the metrics all."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._set(IN_FLIGHT, self._in_progress)
        self._tell_answers()
        if self._load is not None:
            self._tell_load(self._load())

    def _tell_load(self, load: Load) -> None:
        self._set(THREADS_BUSY, load.busy)
        self._set(_WAITING_DIRECT, load.waiting)
        self._set(_WAITING_PAID, load.waiting_paid)
        if load.saturation:
            self._tell_later()  # work may outlast its request: that of a client that left

    def _set(self, gauge: Gauge, value: int) -> None:
        # Setting a gauge costs more than comparing.
        if self._told.get(gauge) != value:
            self._told[gauge] = value
            gauge.set(value)

    def _tell_later(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(_TELL_AFTER_S, self.tell)

    def _tell_answers(self) -> None:
        times, self._times = self._times, {}
        for (path, status, code), seconds in times.items():
            count, time = _children(path, status, code)
            count.inc(len(seconds))
            time.observe_all(seconds)
        verdicts, self._verdicts = self._verdicts, {}
        for verdict, number in verdicts.items():
            _verdict(verdict).inc(number)


answers = Answers()

# Extra figures (the ledger's, say), read when asked: metric name to value.
Figures = Callable[[], Awaitable[Mapping[str, float]]]


def judged(verdict: str) -> None:
    """Count one overall verdict."""
    answers.judged(verdict)


def evaluation_refused(reason: str) -> None:
    """Count one evaluation refused for want of a place."""
    EVALUATIONS_REFUSED.labels(reason).inc()


# Few labels exist, and looking one up costs more than counting under it.
@cache
def _children(path: str, status: int, code: str) -> tuple[Counter, _Times]:
    return REQUESTS.labels(path, str(status), code), SECONDS.labels(path)


@cache
def _verdict(verdict: str) -> Counter:
    return VERDICTS.labels(verdict)


async def metrics(request: Request, token: str | None, figures: Figures) -> Response:
    """Answer GET /metrics for loopback, or for whoever holds the token; for others it is not there."""
    peer = request.client.host if request.client else ""
    given = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
    known = token is not None and hmac.compare_digest(given.encode(), token.encode())
    forwarded = "x-forwarded-for" in request.headers or "forwarded" in request.headers
    if not known and (forwarded or not _is_loopback(peer)):
        raise NotFound()
    answers.tell()
    body = generate_latest(_registry())
    for name, value in (await figures()).items():
        body += f"# TYPE {name.partition('{')[0]} gauge\n{name} {value:g}\n".encode()
    return Response(body, media_type="text/plain; version=0.0.4; charset=utf-8")


def _registry() -> CollectorRegistry:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        from prometheus_client import REGISTRY

        return REGISTRY
    _leave_out_the_dead(Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]))
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry


def _leave_out_the_dead(folder: Path) -> None:
    """Forget what workers that were killed said of the moment; what they counted stays."""
    for file in folder.glob("gauge_live*_*.db"):
        pid = int(file.stem.rpartition("_")[2])
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            mark_process_dead(pid)  # type: ignore[no-untyped-call]
        except PermissionError:
            continue  # another user's process has that number by now


def _is_loopback(host: str) -> bool:
    return host == "::1" or host.startswith(("127.", "::ffff:127."))
