"""The feedback commands, as an operator runs them."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
import shlex
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from fairwitness.cli import main
from fairwitness.contract.requests import FeedbackRequest
from fairwitness.feedback import DAY_MS, ContactSeal, feedback_of
from fairwitness.service.call import Call
from fairwitness.service.feedback import SubmitFeedback
from fairwitness.settings import Settings
from fairwitness.store.clock import system_clock

MESSAGES = ["=1+1", "second \0 \x1b[31m line\nof two", "[bold]not markup[/]"]


def run(*arguments: str) -> object:
    with pytest.raises(SystemExit) as exit:
        main(["feedback", *arguments])
    return exit.value.code


@pytest.fixture
def ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three entries, the first of them 40 days old and with a contact."""
    monkeypatch.setenv("FAIRWITNESS_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "250")
    settings = Settings(data_dir=tmp_path)

    async def fill() -> list[str]:
        store = feedback_of(settings)
        made = []
        for age, message in zip((40, 0, 0), MESSAGES, strict=True):
            story = SubmitFeedback(
                store,
                ContactSeal.of(settings),
                lambda call: b"c" * 16,
                clock=lambda age=age: system_clock() - age * DAY_MS,  # type: ignore[misc]
            )
            optional: dict[str, Any] = {"contact": "ann@example.org", "rating": 5} if age else {}
            request = FeedbackRequest(
                contract_version="1.0.0",
                privacy_acknowledged=True,
                category="bug" if age else "other",
                message=message,
                **optional,
            )
            made.append((await story(request, Call("r", "192.0.2.1"))).feedback_id)
        await store.close()
        return made

    return asyncio.run(fill())


def test_list_shows_the_newest_first_and_no_contact(
    ids: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert run("list") == 0
    told = capfd.readouterr().out
    assert told.index(ids[2]) < told.index(ids[1]) < told.index(ids[0])
    assert "[bold]not markup[/]" in told
    assert "\x1b" not in told
    assert "ann@" not in told
    assert run("list", "--category", "bug") == 0
    told = capfd.readouterr().out
    assert ids[0] in told
    assert ids[1] not in told
    assert run("list", "--limit", "1") == 0
    assert ids[1] not in capfd.readouterr().out


def test_list_and_show_for_machines(ids: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert run("list", "--json") == 0
    found = json.loads(capfd.readouterr().out)
    assert [entry["feedbackId"] for entry in found] == ids[::-1]
    assert [entry["message"] for entry in found] == MESSAGES[::-1]
    assert not any("contact" in entry for entry in found)
    assert run("list", "--json", "--category", "feature") == 0
    assert json.loads(capfd.readouterr().out) == []
    assert run("show", ids[0], "--json") == 0
    shown = json.loads(capfd.readouterr().out)
    assert shown == found[2] | {"contact": "ann@example.org"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("list", "--limit", "0"),
        ("list", "--limit", "99999999999999999999"),
        ("delete", "--older-than-days", "-1"),
        ("delete", "--older-than-days", "9999999999999"),
    ],
)
def test_numbers_out_of_bounds_are_named(
    ids: list[str], capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    assert run(*arguments) == 2
    assert f"{arguments[1]}: must be a whole number from " in capfd.readouterr().err


def test_no_command_makes_a_store_that_nobody_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FAIRWITNESS_DATA_DIR", str(tmp_path))
    for command in ("list", "stats", "export", "migrate"):
        assert run(command) == 1
        assert f"no feedback here yet: {tmp_path}" in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("columns", ["80", "30"])
def test_ids_are_whole_on_a_narrow_terminal(
    ids: list[str],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    columns: str,
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert run("list") == 0
    told = capfd.readouterr().out
    assert all(feedback_id in told for feedback_id in ids)


def test_the_beginning_of_an_id_will_do_where_it_is_one(
    ids: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    first, shared = ids[0][:30], os.path.commonprefix(ids)  # noqa: RUF071 - letters are meant
    assert shared
    assert run("show", first) == 0
    assert ids[0] in capfd.readouterr().out
    assert run("show", shared) == 1
    assert f"more than one feedback id begins with {shared}" in capfd.readouterr().err
    assert run("delete", first, shared) == 1
    assert "nothing was deleted" in capfd.readouterr().err
    assert run("show", "") == 1
    assert run("delete", first, ids[0], "no-such") == 0
    assert "1 deleted" in capfd.readouterr().out
    assert run("show", first) == 1
    assert run("show", ids[1]) == 0


def test_show_tells_all_and_obeys_nothing(
    ids: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert run("show", ids[0]) == 0
    assert "contact: ann@example.org" in capfd.readouterr().out
    assert run("show", ids[1]) == 0
    told = capfd.readouterr().out
    assert "second \\u{0} \\u{1b}[31m line\nof two" in told
    assert "\x1b" not in told
    assert run("show", "no-such") == 1
    assert "no feedback with the id no-such" in capfd.readouterr().err


def test_show_says_where_a_contact_cannot_be_opened(
    ids: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "feedback-contact.key").write_bytes(b"k" * 32)
    assert run("show", ids[0]) == 0
    assert "encrypted with another key" in capfd.readouterr().out


def test_exports_hold_everything_once(
    ids: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run("export") == 0
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [line["feedbackId"] for line in lines] == ids
    assert [line["message"] for line in lines] == MESSAGES
    assert not any("contact" in line for line in lines)
    target = tmp_path / "out.csv"
    assert run("export", "--format", "csv", "--contacts", "--output", str(target)) == 0
    assert target.stat().st_mode & 0o077 == 0
    content = target.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    assert [row["feedbackId"] for row in rows] == ids
    assert rows[0]["message"] == "'=1+1"
    assert rows[0]["contact"] == "ann@example.org"
    assert run("export", "--output", str(target)) == 2
    assert "File exists" in capfd.readouterr().err


def test_delete_by_id_and_by_age(ids: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert run("delete", ids[1], "no-such") == 0
    told = capfd.readouterr()
    assert "1 deleted" in told.out
    assert "no feedback with the id no-such" in told.err
    assert run("delete", "--older-than-days", "30") == 0
    assert run("delete", ids[0]) == 1
    assert run("delete") == 2
    assert run("delete", ids[2], "--older-than-days", "3") == 2
    capfd.readouterr()
    assert run("stats", "--json") == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["entries"], found["with_contact"]) == (1, 0)


def test_stats_in_words(ids: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert run("stats") == 0
    told = capfd.readouterr().out
    assert "3 entries, 1 with a contact" in told
    assert "bug: 1" in told
    assert "rated 5: 1" in told
    assert run("migrate") == 0


def test_a_store_that_is_away_is_1(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FAIRWITNESS_DATA_DIR", str(tmp_path))
    (tmp_path / "feedback.sqlite3").mkdir()
    for command in ("list", "stats", "export", "migrate"):
        assert run(command) == 1
        assert "fairwitness: feedback.sqlite3" in capfd.readouterr().err


def test_the_page_s_commands_run(ids: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    page = resources.files("fairwitness.pages").joinpath("feedback.md").read_text(encoding="utf-8")
    block = page.split("```console\n")[1].split("```")[0]
    commands = block.strip().splitlines()
    assert len(commands) >= 5
    for command in commands:
        program, room, *arguments = shlex.split(command)
        assert (program, room) == ("fairwitness", "feedback")
        assert run(*arguments) == 0
