"""Schemathesis reads our own description and attacks the running server with it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.conftest import RunningServer

# The hooks are imported by name from the root of the repository.
PATHS = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])


def attack(
    server: RunningServer, folder: Path, *options: str, document: str = "openapi.json"
) -> None:
    program = str(Path(sys.executable).with_name("schemathesis"))
    command = [
        program, "run", f"{server.url}/{document}", "--checks", "all", "--seed", "7",
        "--max-examples", "25", "--no-color", "--phases", "examples,coverage,fuzzing", *options,
    ]  # fmt: skip
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=folder,
        env={**os.environ, "SCHEMATHESIS_HOOKS": "tests.schemathesis_hooks", "PYTHONPATH": PATHS},
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


def test_contract_2(start: Callable[..., RunningServer], tmp_path: Path) -> None:
    server = start()
    attack(
        server, tmp_path,
        "--include-path", "/api/v2/evaluate-response",
        document="openapi-2.json",
    )  # fmt: skip


def test_contract_2_refuses_to_spend(start: Callable[..., RunningServer], tmp_path: Path) -> None:
    server = start(SPEND_ENABLED="false")
    attack(
        server, tmp_path,
        "--include-path", "/api/v2/arena",
        "--exclude-checks", "not_a_server_error,positive_data_acceptance",
        document="openapi-2.json",
    )  # fmt: skip
