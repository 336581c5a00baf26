"""Cold start and memory: how long until the first answer, what a worker holds, and what load adds to it.

python -m perf.startup
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

from perf import client, report, servers
from perf.sample_texts import body


def _command_s() -> float:
    began = time.perf_counter()
    command = [
        sys.executable,
        "-m",
        "fairwitness",
        "evaluate",
        "--prompt",
        "Hi",
        "--response",
        "Hello.",
    ]
    subprocess.run(command, capture_output=True, check=False)
    return time.perf_counter() - began


def main() -> None:
    """Measure and keep."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    started, idle, loaded = [], [], []
    for workers in (1, 2, 2):
        with servers.ours(workers) as server:
            started.append(server.started_s)
            client.load(
                server.port,
                [client.post("/api/evaluate-response", body())],
                connections=2,
                seconds=0.5,
            )
            idle.append(server.memory_mb() / workers)
            long = [client.post("/api/evaluate-response", body(8000, seed)) for seed in range(4)]
            client.load(server.port, long, connections=8, seconds=4)
            loaded.append(server.memory_mb() / workers)
    command = statistics.median(_command_s() for _ in range(3))
    figures = {
        "ready_s_one_worker": started[0],
        "ready_s_two_workers": min(started[1:]),
        "command_s": command,
        "worker_mb": max(idle),
        "worker_mb_after_long_texts": max(loaded),
    }
    rows = [
        ["start until ready, one worker", f"{figures['ready_s_one_worker']:.1f} s"],
        ["start until ready, two workers", f"{figures['ready_s_two_workers']:.1f} s"],
        ["`fairwitness evaluate`, from start to verdict", f"{command:.1f} s"],
        ["memory of one worker (USS)", f"{figures['worker_mb']:.0f} MB"],
        [
            "the same after 4 s of the longest texts",
            f"{figures['worker_mb_after_long_texts']:.0f} MB",
        ],
    ]
    report.keep("startup", report.table(["What", "Measured"], rows), figures)


if __name__ == "__main__":
    main()
