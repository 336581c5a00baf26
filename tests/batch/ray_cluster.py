"""A real Ray cluster on this machine, in a process of its own: `python -m tests.batch.ray_cluster NODES`.

It prints its address. Each line of its input kills one node's processes at once, as a machine that is switched off
would end; it answers each with a line. It ends when its input does.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class RunningCluster:
    """A cluster, and the environment of a command that speaks to it."""

    process: subprocess.Popen[str]
    address: str
    environment: dict[str, str]

    def kill_a_node(self) -> None:
        """Kill one node's processes."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("kill\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "killed\n"


@contextmanager
def ray_cluster(nodes: int) -> Iterator[RunningCluster]:
    """Run a cluster of a head without CPUs and so many nodes of one CPU, until the block ends."""
    environment = {
        **os.environ,
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": "0" * 64,
    }
    command = [sys.executable, "-m", "tests.batch.ray_cluster", str(nodes)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address, "the cluster did not start"
        yield RunningCluster(process, address, environment)
        process.stdin.close()


def main() -> None:
    """Start the cluster and do as told."""
    from ray.cluster_utils import Cluster

    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what Ray prints is no answer
    small = {"object_store_memory": 80 * 1024 * 1024, "include_dashboard": False}
    # A dead node is noticed after five seconds, not after fifteen.
    watch = {"_system_config": {"health_check_period_ms": 1000}}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **small, **watch})
    nodes = [cluster.add_node(num_cpus=1, **small) for _ in range(int(sys.argv[1]))]
    answers.write(f"{cluster.address}\n")
    for _ in sys.stdin:
        cluster.remove_node(nodes.pop(), allow_graceful=False)
        answers.write("killed\n")
    cluster.shutdown()


if __name__ == "__main__":
    main()
