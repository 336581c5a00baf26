"""promptfoo as it is published, run on a folder with a config."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.integrations.real_tools import ROOT, example

PROGRAM = ROOT / "tests/peers/promptfoo/node_modules/promptfoo/dist/src/entrypoint.js"
NODE = shutil.which("node")
needs_promptfoo = pytest.mark.skipif(
    NODE is None or not PROGRAM.exists(),
    reason="needs Node.js and promptfoo: npm ci in tests/peers and in tests/peers/promptfoo",
)


def lay_out(folder: Path, url: str, *names: str) -> None:
    """Write examples of the page into a folder, with this address of the service."""
    for name in names:
        text = example("promptfoo", name).replace("http://127.0.0.1:8080", url)
        (folder / name).write_text(text)


def evaluated(
    folder: Path, config: str = "promptfooconfig.yaml", **more: str
) -> list[dict[str, Any]]:
    """Run `promptfoo eval` and return its results, in the order of the tests."""
    assert NODE is not None
    environment = {
        **os.environ,
        "PROMPTFOO_CONFIG_DIR": str(folder / "state"),
        "PROMPTFOO_PYTHON": sys.executable,
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        # It asks again after five seconds, then ten, and so on: a test need not wait for that.
        "PROMPTFOO_REQUEST_BACKOFF_MS": "50",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
        **more,
    }
    arguments = ["eval", "-c", config, "--no-cache", "--no-progress-bar", "-o", "out.json"]
    done = subprocess.run(
        [NODE, str(PROGRAM), *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    told = folder / "out.json"
    assert told.exists(), done.stdout + done.stderr
    rows: list[dict[str, Any]] = json.loads(told.read_text())["results"]["results"]
    return sorted(rows, key=lambda row: (row["testIdx"], row["promptIdx"]))
