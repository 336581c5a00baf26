"""Others are served while clients that only hold on, drip, break off or lie about lengths do their worst.

    python -m perf.hostile_clients [--idle 10000] [--each 1000] [--seconds 6]

Ten thousand idle connections of a hundred addresses come twice: to a server with its default bound, which closes those
that have longest had nothing to ask, and to one with room for all. All other kinds come from one address, half-sent
bodies once more by the thousands. A probe asks for evaluations from another address throughout.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import uvloop

from perf import client, report, servers
from perf.hostile_client_kinds import (
    HALF_SENT,
    IDLE,
    KINDS,
    MANY_ADDRESSES,
    ONE_ADDRESS,
    SMUGGLED,
    Crowd,
    Kind,
    room_for,
    smuggle,
)
from perf.sample_texts import body

# More than both workers have connections for.
HALF_SENT_COUNT = 4400
PROBE = client.post("/api/evaluate-response", body(300)).replace(
    b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1
)


@dataclass
class Probe:
    """What the others saw: each asks on a connection of its own, one after another."""

    port: int
    latencies: list[float]
    statuses: Counter[int]
    failed: int = 0

    async def ask(self) -> None:
        """Ask once, and note the answer or its absence."""
        began = time.perf_counter()
        try:
            async with asyncio.timeout(30):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.write(PROBE)
                told = await reader.read()
                writer.close()
            self.statuses[int(told[9:12])] += 1
            self.latencies.append(time.perf_counter() - began)
        except (OSError, ValueError, TimeoutError):
            self.failed += 1

    async def until(self, done: asyncio.Event) -> None:
        """Ask until told to stop, and once at least."""
        await self.ask()
        while not done.is_set():
            await self.ask()

    def figures(self) -> dict[str, Any]:
        """Return what is written down of it."""
        seen = client.Outcome(latencies=self.latencies)
        return {
            "others_p50_ms": seen.quantile(0.5) * 1000,
            "others_max_ms": seen.quantile(1.0) * 1000,
            "others": dict(self.statuses),
            "others_failed": self.failed,
        }


async def _meet(
    port: int, kind: Kind, count: int, seconds: float, addresses: Sequence[str]
) -> dict[str, Any]:
    crowd, done = Crowd(port, kind, addresses), asyncio.Event()
    probe = Probe(port, [], Counter())
    probing = asyncio.ensure_future(probe.until(done))
    await crowd.come(count)
    await crowd.stay(seconds)
    done.set()
    await probing
    held = await crowd.leave()
    seen = crowd.seen
    return {
        "kind": kind.name,
        "came": seen.opened,
        "held": held,
        "refused": seen.refused,
        "statuses": dict(sorted(seen.statuses.items())),
        **probe.figures(),
    }


def meet(
    port: int, kind: Kind, count: int, seconds: float, addresses: Sequence[str] = ONE_ADDRESS
) -> dict[str, Any]:
    """Bring one kind of client, ask beside them from another address, and return what both saw."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_meet(port, kind, count, seconds, addresses))


def measure(idle: int, each: int, seconds: float) -> list[dict[str, Any]]:
    """Bring every kind to servers of its own; return one line a kind."""
    idle = room_for(idle)
    found = []
    quick = {"HEADER_TIMEOUT_S": "4", "BODY_TIMEOUT_S": "4"}
    with servers.ours(2, **quick) as server:
        before = {one.pid for one in server.workers()}
        found.append(meet(server.port, Kind("none"), 0, seconds))
        bounded = meet(server.port, IDLE, idle, seconds, MANY_ADDRESSES)
        found.append({**bounded, "kind": f"{IDLE.name}, default bound"})
        found += [meet(server.port, kind, each, seconds) for kind in KINDS]
        found.append(meet(server.port, HALF_SENT, HALF_SENT_COUNT, seconds))
        found.append(_smuggled(server.port))
        found[-1]["same_workers"] = before == {one.pid for one in server.workers()}
    with servers.ours(2, HEADER_TIMEOUT_S="60", MAX_CONNECTIONS=str(idle + 100)) as server:
        roomy = meet(server.port, IDLE, idle, seconds, MANY_ADDRESSES)
        found.append({**roomy, "kind": f"{IDLE.name}, room for all"})
    return found


def _smuggled(port: int) -> dict[str, Any]:
    told = [smuggle(port, shape) for shape in SMUGGLED]
    return {
        "kind": "lengths that contradict each other",
        "came": len(told),
        "held": 0,
        "refused": 0,
        "statuses": dict(Counter(status for answers in told for status in answers)),
        "answered_twice": sum(len(answers) != 1 for answers in told),
        **meet_alone(port),
    }


def meet_alone(port: int) -> dict[str, Any]:
    """Return what the others see right afterwards."""
    found = meet(port, Kind("none"), 0, 0.5)
    return {name: value for name, value in found.items() if name.startswith("others")}


def faults(found: list[dict[str, Any]]) -> list[str]:
    """Return what did not hold, in words."""
    said = []
    for one in found:
        if one["others_failed"] or set(one["others"]) != {200}:
            said.append(
                f"{one['kind']}: others got {one['others']}, {one['others_failed']} nothing"
            )
        if one["others_max_ms"] > 10_000:
            said.append(f"{one['kind']}: another waited {one['others_max_ms']:.0f} ms")
        if one.get("answered_twice"):
            said.append(f"{one['kind']}: {one['answered_twice']} not answered exactly once")
        if set(one["statuses"]) - {200, 400, 408, 503}:
            said.append(f"{one['kind']}: answered {one['statuses']}")
        if one.get("same_workers") is False:
            said.append("a worker died")
    return said


def main() -> int:
    """Measure, keep, and say whether it held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--idle", type=int, default=10_000)
    parser.add_argument("--each", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=6)
    given = parser.parse_args()
    found = measure(given.idle, given.each, given.seconds)
    wrong = faults(found)
    rows = [
        [
            one["kind"],
            one["came"],
            one["held"],
            ", ".join(f"{status}: {count}" for status, count in one["statuses"].items()) or "–",
            one["others"].get(200, 0),
            one["others_p50_ms"],
            one["others_max_ms"],
            sum(one["others"].values()) - one["others"].get(200, 0) + one["others_failed"],
        ]
        for one in found
    ]
    header = "Clients|Connections|Still open at the end|Responses|Other requests served|Their median ms|Their slowest ms|Failed"
    shown = f"{'; '.join(wrong) or 'All other requests were served'}.\n\n"
    report.keep(
        "hostile_clients",
        shown + report.table(header.split("|"), rows),
        {"lines": found, "faults": wrong},
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
