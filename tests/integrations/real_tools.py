"""The environment with the tools of our users, and the examples of the docs pages that run in it."""

from __future__ import annotations

import os
import re
import subprocess
from importlib import resources
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
BIN = Path(os.environ.get("TOOLS_BIN", ROOT / ".venv-tools" / "bin"))
REASON = "needs the tools of our users: run `make tools`"
needs_tools = pytest.mark.skipif(not (BIN / "python").exists(), reason=REASON)

# Tools that would otherwise call home or wait for a network.
QUIET = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "INSPECT_DISPLAY": "plain",
    "NO_COLOR": "1",
    "COLUMNS": "160",
}


def page(name: str) -> str:
    """Return a page under /docs/tools."""
    return (resources.files("fairwitness.pages") / "tools" / f"{name}.md").read_text("utf-8")


def example(tool: str, name: str) -> str:
    """Return the block of a tool's page whose fence names this file."""
    block = rf"^```\w+ {re.escape(name)}\n(.*?)^```"
    found = re.search(block, page(tool), re.MULTILINE | re.DOTALL)
    assert found, f"{tool}.md has no example {name}"
    return found[1]


def run(
    folder: Path, program: str, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a program of the tools' environment in a folder."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return subprocess.run(
        [BIN / program, *arguments],
        cwd=folder,
        env={**clean, **QUIET, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
