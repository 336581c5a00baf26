"""Liveness and readiness, for whoever restarts or routes to this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from fairwitness.contract.errors import Overloaded
from fairwitness.http.problems import JsonAnswer
from fairwitness.service.pool import Load

# Each part's state in words; "ok" is the only one that is well.
States = Callable[[], Mapping[str, str]]


def healthz(request: Request) -> Response:
    """Answer that the process runs."""
    return JsonAnswer(b'{"status":"ok"}', headers={"Cache-Control": "no-store"})


def readyz(
    ready: Callable[[], bool], states: States, load: Callable[[], Load]
) -> Callable[[Request], Response]:
    """Make the readiness handler: 200 once evaluations can be served, 503 before and while stopping.

    A ledger or feedback store that is away is told in `parts` but does not make the service
    unready: direct evaluation goes on without them. `load` is of the worker that answers.
    """

    def answer(request: Request) -> Response:
        if not ready():
            raise Overloaded("The service is starting or stopping.", retry_after=1)
        now = load()
        body = {
            "status": "ready",
            "parts": dict(states()),
            "load": {
                "threads": now.threads,
                "busyThreads": now.busy,
                "queuePlaces": now.places,
                "queueLength": now.waiting,
                "paidWaiting": now.waiting_paid,
                "saturation": round(now.saturation, 3),
            },
        }
        return JsonAnswer(msgspec.json.encode(body), headers={"Cache-Control": "no-store"})

    return answer
