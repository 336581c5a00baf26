"""Schemathesis reads our own description and attacks the running server with it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.conftest import RunningServer


def test_no_failure_against_the_running_server(server: RunningServer) -> None:
    command = [
        str(Path(sys.executable).with_name("schemathesis")), "run", f"{server.url}/openapi.json",
        "--checks", "all", "--max-examples", "40", "--seed", "7", "--no-color",
        "--phases", "examples,coverage,fuzzing", "--include-path", "/api/evaluate-response",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
