"""Schemathesis reads our own description and attacks the running server with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.conftest import RunningServer


def attack(server: RunningServer, folder: Path, *options: str) -> None:
    program = str(Path(sys.executable).with_name("schemathesis"))
    command = [
        program, "run", f"{server.url}/openapi.json", "--checks", "all", "--seed", "7",
        "--max-examples", "25", "--no-color", "--phases", "examples,coverage,fuzzing", *options,
    ]  # fmt: skip
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, cwd=folder
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_what_spends_nothing(start: Callable[..., RunningServer], tmp_path: Path) -> None:
    server = start(FEEDBACK_PER_DAY="1000000")
    attack(
        server, tmp_path,
        "--include-path", "/api/evaluate-response",
        "--include-path", "/api/improvement-demo",
        "--include-path", "/api/feedback",
    )  # fmt: skip


def test_what_spends_refuses_by_the_contract(
    start: Callable[..., RunningServer], tmp_path: Path
) -> None:
    """With spending off every sound request is a 503, which the contract lists; nothing else differs."""
    server = start(SPEND_ENABLED="false")
    attack(
        server, tmp_path,
        "--include-path-regex", "^/api/(evaluate|arena|arena-evidence)$",
        "--exclude-checks", "not_a_server_error,positive_data_acceptance",
    )  # fmt: skip
