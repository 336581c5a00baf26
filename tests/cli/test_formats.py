"""The formats a result can be printed in: the same for every command, chosen in one place."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest
from rich.console import Console

from fairwitness.cli import output
from fairwitness.cli.main import app, main
from fairwitness.cli.output import FORMATS, Output, Result
from fairwitness.ledger import ledger_of
from fairwitness.settings import Settings
from tests.cli.test_output import commands

# These have no result to print: one runs until it is stopped, one streams rows in formats of its own.
WITHOUT_RESULT = {("serve",), ("mcp",), ("import",), ("feedback", "export")}


@pytest.fixture
def ledger_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    import asyncio

    async def make() -> None:
        ledger = ledger_of(Settings(data_dir=tmp_path))
        await ledger.open()
        await ledger.close()

    asyncio.run(make())
    monkeypatch.setenv("FAIRWITNESS_DATA_DIR", str(tmp_path))
    return tmp_path


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    told = capfd.readouterr()
    return ended.value.code, told.out, told.err


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_that_has_a_result_takes_a_format(command: tuple[str, ...]) -> None:
    found = app
    for word in command:
        found = found[word]
    if found.default_command is None or command in WITHOUT_RESULT or not command:
        return
    parameter = inspect.signature(found.default_command, eval_str=False).parameters["output"]
    assert parameter.annotation in (Output, "Output")


def test_formats_of_one_result(ledger_folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    _, text, _ = run(capfd, "switch", "status")
    _, as_text, _ = run(capfd, "switch", "status", "--format", "text")
    _, short, _ = run(capfd, "switch", "status", "--json")
    _, as_json, _ = run(capfd, "switch", "status", "--format", "json")
    _, both, _ = run(capfd, "switch", "status", "--format", "json", "--json")
    _, line, _ = run(capfd, "switch", "status", "--format", "jsonl")
    assert text == as_text
    assert short == as_json == both
    assert line.count("\n") == 1
    assert json.loads(line) == json.loads(short)
    assert json.loads(line)["switch"] == "on"


def test_json_lines_give_a_list_an_item_a_line(capfd: pytest.CaptureFixture[str]) -> None:
    Result([{"a": 1}, {"a": "☃"}], lambda console: None, format="jsonl").print()
    assert capfd.readouterr().out == '{"a":1}\n{"a":"☃"}\n'


def test_an_unknown_format_names_the_known_ones(capfd: pytest.CaptureFixture[str]) -> None:
    code, told, errors = run(capfd, "keys", "show", "--format", "xml")
    assert (code, told) == (2, "")
    assert 'Invalid value "xml" for --format. Known formats: text, json, jsonl.' in errors
    assert "Try: fairwitness keys show --help" in errors


def test_two_formats_at_once_are_refused(capfd: pytest.CaptureFixture[str]) -> None:
    code, told, errors = run(capfd, "keys", "show", "--json", "--format", "text")
    assert (code, told) == (2, "")
    assert "--json means --format json" in errors


def test_a_new_format_is_one_entry(
    ledger_folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def names(result: Result) -> None:
        output.say(Console(), ",".join(result.data))

    monkeypatch.setitem(FORMATS, "names", names)
    code, told, _ = run(capfd, "switch", "status", "--format", "names")
    assert (code, told) == (0, "serving,switch,reason,since,spendEnabled,ledger\n")
