"""What came of `perf.million`: progress while it runs, what did not hold, and the tables of /docs/speed."""

from __future__ import annotations

import statistics
import sys
import time
from importlib.metadata import version
from typing import Any

import httpx2

from fairwitness.evaluator.judgement import counted
from perf import report
from perf.million_load import Plan
from perf.sample_texts import body

NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
# This share of a run is warm-up: caches fill, and allocators take what they will keep.
WARM_UP = 0.2
# A worker is flat where its memory's trend over the rest of the run adds less than this share.
FLAT_WITHIN = 0.05
# With fewer requests a trend is noise.
JUDGED_FROM = 20_000
EVERY_S = 20.0
# So many lines of a server's logged errors go into the result file.
KEPT_LINES = 50


class Progress:
    """A line on standard error now and then."""

    def __init__(self, label: str, total: int) -> None:
        """Count towards `total`."""
        self._label, self._total = label, total
        self._began = self._told = time.monotonic()

    def tell(self, done: int, sample: dict[str, Any]) -> None:
        """Say how far it is, unless it was said just now."""
        now = time.monotonic()
        if now - self._told < EVERY_S or not done:
            return
        self._told = now
        rate = done / (now - self._began)
        memory = " + ".join(f"{rss:.0f}" for rss, _ in sample["workers"].values())
        print(
            f"{self._label}: {done:,} of {self._total:,}, {rate:.0f}/s, "
            f"memory {memory} MB, {(self._total - done) / rate / 60:.0f} min left",
            file=sys.stderr,
            flush=True,
        )


def versions(url: str) -> dict[str, str]:
    """Return what is served: the package, the protocol and the evaluator."""
    headers = {"Content-Type": "application/json"}
    told = httpx2.post(
        f"{url}/api/evaluate-response",
        content=body(100),
        headers=headers,
        timeout=60,
        trust_env=False,
    ).json()
    names = ("protocolVersion", "evaluatorVersion")
    return {"package": version("fairwitness"), **{name: told[name] for name in names}}


def trends(samples: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Return each worker's memory after warm-up: its median, and what its trend added from then to the end."""
    total = samples[-1]["sent"]
    rest = [one for one in samples if one["sent"] >= WARM_UP * total]
    found = {}
    for pid in rest[-1]["workers"]:
        seen = [(one["sent"], one["workers"][pid][0]) for one in rest if pid in one["workers"]]
        sent, memory = [x for x, _ in seen], [y for _, y in seen]
        slope = statistics.linear_regression(sent, memory).slope if len(set(sent)) > 1 else 0.0
        found[pid] = {
            "median_mb": statistics.median(memory),
            "growth_mb": slope * (sent[-1] - sent[0]),
            "mb_per_100000": slope * 100_000,
        }
    return found


def faults(found: dict[str, Any]) -> list[str]:
    """Return what did not hold on one engine, in words."""
    said = []
    lost = found["lost"]
    wrong = found["fault_count"] - lost
    said += [
        f"{counted(count, 'request')} {what}"
        for count, what in ((wrong, "answered wrongly"), (lost, "lost"))
        if count
    ]
    if found["feedback_missing"] or found["feedback_kept"] != found["feedback_confirmed"]:
        said.append(
            f"{found['feedback_confirmed']} feedback entries were confirmed, {found['feedback_kept']} are "
            f"kept, {found['feedback_missing']} are missing"
        )
    money = {found["answers_micro_usd"], found["ledger_micro_usd"]}
    if len(money) > 1 or found["provider_calls"] != found["paid_items"]:
        said.append("answers, ledger and provider disagree on what was paid")
    if len(set(found["evidence"].values())) > 1:
        said.append(f"evidence: {found['evidence']}")
    for name in ("ledger_open", "criterion_failures", "in_flight", "logged_errors"):
        if found[name]:
            said.append(f"{name.replace('_', ' ')}: {found[name]:g}")
    return said + _worker_faults(found)


def _worker_faults(found: dict[str, Any]) -> list[str]:
    first, last = found["samples"][0]["workers"], found["samples"][-1]["workers"]
    if set(first) != set(last):
        return ["a worker died and was replaced"]
    if found["requests"] < JUDGED_FROM:
        return []
    # By the end every client has hung up: no more files than while they were there, early on.
    early = [one for one in found["samples"] if one["sent"] <= WARM_UP * found["requests"]]
    most = {pid: max(one["workers"].get(pid, (0, 0))[1] for one in early) for pid in first}
    said = [
        f"worker {at} keeps {last[pid][1]} files open; early in the run it had at most {most[pid]}"
        for at, pid in enumerate(first, 1)
        if last[pid][1] > most[pid]
    ]
    for at, trend in enumerate(trends(found["samples"]).values(), 1):
        if trend["growth_mb"] > FLAT_WITHIN * trend["median_mb"]:
            said.append(f"worker {at} grew by {trend['growth_mb']:.0f} MB after warm-up")
    return said


def keep(found: list[dict[str, Any]], plan: Plan) -> int:
    """Write the tables and the figures; return 1 where something did not hold."""
    wrong = [f"{NAMES[one['engine']]}: {what}" for one in found for what in faults(one)]
    total = sum(one["requests"] for one in found)
    served = found[0]["versions"]
    said = f"{total:,} requests (seed {plan.seed}), {_told(plan)}, "
    said += f"protocol {served['protocolVersion']}: {'; '.join(wrong) or 'everything held'}."
    if planned := sum(one["planned"] for one in found) - total:
        said += f" The time given was up with {planned:,} not sent."
    columns = ["", *(NAMES[one["engine"]] for one in found)]
    shown = [
        said,
        report.table(columns, [[name, *cells] for name, cells in _summary(found)]),
        "Requests by kind, and how they were answered (0: the client left without an answer):",
        report.table(
            ["Kind", "Share", *(f"{NAMES[one['engine']]}: statuses" for one in found)],
            _kinds(found),
        ),
    ]
    figures = {"seed": plan.seed, "plan": plan.told(), "faults": wrong, "engines": found}
    report.keep("million", "\n\n".join(shown), figures)
    for one in found:
        for what in (*one["faults"], *one["logged_error_lines"]):
            print(f"{NAMES[one['engine']]}: {what}")
    return 1 if wrong else 0


def _told(plan: Plan) -> str:
    each = f"{counted(plan.workers, 'worker')}, {plan.connections} connections and "
    each += f"{counted(plan.clients, 'sender')} for each engine"
    return f"{each}{', both engines at once' if plan.side_by_side else ''}"


def _summary(found: list[dict[str, Any]]) -> list[tuple[str, list[object]]]:
    memory = [trends(one["samples"]).values() for one in found]
    return [
        ("requests", [f"{one['requests']:,}" for one in found]),
        ("minutes", [one["seconds"] / 60 for one in found]),
        ("requests a second", [one["requests"] / one["seconds"] for one in found]),
        ("unexpected answers", [one["fault_count"] - one["lost"] for one in found]),
        ("requests lost", [one["lost"] for one in found]),
        (
            "median and 99% of an evaluation",
            [
                f"{one['evaluation_p50_ms']:.0f} and {one['evaluation_p99_ms']:.0f} ms"
                for one in found
            ],
        ),
        (
            "evaluations of a text seen before, all the same",
            [f"{one['evaluations_repeated']:,}" for one in found],
        ),
        (
            "feedback confirmed, and of it missing",
            [f"{one['feedback_confirmed']:,}, {one['feedback_missing']}" for one in found],
        ),
        (
            "paid answers; their cost by answers and ledger",
            [
                f"{one['paid_items']:,}; ${one['answers_micro_usd'] / 1e6:.4f} and "
                f"${one['ledger_micro_usd'] / 1e6:.4f}"
                for one in found
            ],
        ),
        (
            "signed evidence verified; with one word changed, and detected",
            [
                f"{one['evidence']['verified']} of {one['evidence']['kept']}; "
                f"{one['evidence']['changes_found']}"
                for one in found
            ],
        ),
        ("criteria that raised an error", [f"{one['criterion_failures']:g}" for one in found]),
        (
            "memory (RSS) of each worker after warm-up",
            [" and ".join(f"{one['median_mb']:.0f} MB" for one in part) for part in memory],
        ),
        (
            "its trend for 100,000 requests",
            [" and ".join(f"{one['mb_per_100000']:+.1f} MB" for one in part) for part in memory],
        ),
    ]


def _kinds(found: list[dict[str, Any]]) -> list[list[object]]:
    rows: list[list[object]] = []
    total = sum(one["requests"] for one in found)
    for kind in sorted({kind for one in found for kind in one["by_kind"]}):
        parts = [one["by_kind"].get(kind, {}) for one in found]
        count = sum(one["sent_by_kind"].get(kind, 0) for one in found)
        told = [", ".join(f"{status}: {n:,}" for status, n in part.items()) for part in parts]
        rows.append([kind, f"{100 * count / total:.2g}%", *told])
    return rows
