"""Sets measured side by side: however the command ends, no worker goes on alone."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.benchmark.conftest import Write

# Only bounds a hang.
HANGS_S = 240


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_its_command(write: Write, tmp_path: Path, how: signal.Signals) -> None:
    sets = ("gptfuzz_eval", "jbb_judge_comparison")
    rows = [
        {
            "source": "made",
            "prompt": f"Question {number}?",
            "response": "Take care.",
            "labels": {"label": 0, "human_majority": 0},
        }
        for number in range(8_000)
    ]
    for name in sets:
        write(f"bench/{name}", rows)
    command = subprocess.Popen(
        [sys.executable, "-m", "fairwitness", "bench", str(tmp_path), *sets, "--jobs", "2"],
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background may have told them to pass over SIGINT.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        workers: list[psutil.Process] = []
        give_up = time.monotonic() + HANGS_S
        while len(workers) < 2 or not all(one.cpu_times().user > 2 for one in workers):
            assert time.monotonic() < give_up
            assert command.poll() is None
            time.sleep(0.1)
            below = psutil.Process(command.pid).children()
            workers = [one for one in below if "spawn_main" in " ".join(one.cmdline())]
        command.send_signal(how)
        # Left alone, each would work on for minutes.
        gone, alive = psutil.wait_procs(workers, timeout=60)
        assert (len(gone), alive) == (2, [])
        said = command.communicate(timeout=HANGS_S)[1]
        assert command.returncode == (130 if how == signal.SIGINT else -how)
        assert "Traceback" not in said
    finally:
        command.kill()
        command.communicate()
