"""Peers nobody here wrote (llama.cpp's server, aimock), and small hostile servers for what peers do not do."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.providers.peers import KEY, Behaviour, HostileServer, KeptResident

PEERS = Path(__file__).parent.parent / "peers"
AIMOCK = PEERS / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"


@pytest.fixture(scope="session")
def aimock() -> Iterator[str]:
    """Return the address of an aimock server that knows the fixtures' cases and one key."""
    node = shutil.which("node")
    if node is None or not AIMOCK.is_file():
        pytest.skip("needs Node.js, and `npm ci` in tests/peers, to test against aimock")
    process = subprocess.Popen(
        [node, str(AIMOCK), "-p", "0", "-f", str(PEERS / "fixtures.json"), "--strict"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={"PATH": os.environ["PATH"], "AIMOCK_API_KEYS": KEY},
    )
    assert process.stdout is not None
    with process, process.stdout:
        try:
            lines = iter(process.stdout.readline, "")
            line = next(line for line in lines if "listening on" in line)
            yield line.split("listening on ")[1].strip()
        finally:
            process.terminate()


@pytest.fixture(scope="session")
def resident(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeptResident]:
    """Return the embedded model's process, shared by the tests that do not kill it."""
    kept = KeptResident(tmp_path_factory.mktemp("resident"))
    try:
        yield kept
    finally:
        kept.close()


@pytest.fixture
def hostile() -> Iterator[Callable[[Behaviour], HostileServer]]:
    """Return a maker of hostile servers that are closed when the test ends."""
    made: list[HostileServer] = []

    def make(behave: Behaviour) -> HostileServer:
        made.append(HostileServer(behave))
        return made[-1]

    yield make
    for server in made:
        server.close()
