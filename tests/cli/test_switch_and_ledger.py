"""The operator's two commands, over a real ledger, as they are typed."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from fairwitness.cli import doctor
from fairwitness.cli.existing_ledger import place
from fairwitness.cli.main import main
from fairwitness.ledger import Admitted, Ledger, ledger_of
from fairwitness.settings import Settings
from tests.ledger.asking import ask, ended


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FAIRWITNESS_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


@pytest.fixture
def made(data_dir: Path) -> Path:
    """The ledger's file, as a server's first start makes it."""
    over(data_dir, lambda ledger: ledger.open())
    return data_dir / "ledger.sqlite3"


@pytest.fixture
def typed(capfdbinary: pytest.CaptureFixture[bytes]) -> Any:
    """Type a command; return its exit code, what it said, and what it complained of."""

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended_with:
            main(list(arguments))
        said = capfdbinary.readouterr()
        assert isinstance(ended_with.value.code, int)
        return ended_with.value.code, said.out.decode(), said.err.decode()

    return run


def over(data_dir: Path, story: Any) -> Any:
    async def go() -> Any:
        ledger = ledger_of(Settings(data_dir=data_dir))
        try:
            return await story(ledger)
        finally:
            await ledger.close()

    return asyncio.run(go())


@pytest.mark.parametrize(
    "command",
    [
        ["switch", "off", "--reason", "x"],
        ["switch", "on"],
        ["switch", "status", "--json"],
        ["ledger"],
        ["ledger", "migrate"],
        ["ledger", "accept-clock"],
    ],
)
def test_no_command_makes_a_ledger_that_nobody_uses(
    typed: Any, data_dir: Path, command: list[str]
) -> None:
    code, said, complaint = typed(*command)
    assert (code, said) == (1, "")
    file = data_dir / "ledger.sqlite3"
    assert f"no ledger here: {file}; is FAIRWITNESS_DATA_DIR right?" in complaint
    assert list(data_dir.iterdir()) == []


def test_the_doctor_makes_no_ledger_and_finds_no_fault_in_that(data_dir: Path) -> None:
    check = doctor._ledger(Settings(data_dir=data_dir))
    assert check.well
    assert check.seen == f"SQLite, created on first start: {data_dir}/ledger.sqlite3"
    assert list(data_dir.iterdir()) == []


def test_a_ledger_is_named_without_its_password() -> None:
    settings = Settings(ledger_url="postgresql://ann:secret@db.example:5432/house?password=secret")
    assert place(settings) == "PostgreSQL at db.example:5432/house"


def test_off_on_and_status(typed: Any, data_dir: Path, made: Path) -> None:
    code, said, _ = typed("switch", "status")
    assert (code, said) == (0, f"on\nLedger: {made}\n")
    code, said, _ = typed("switch", "off", "--reason", "prices [changed]")
    assert code == 0
    assert said.startswith("off  since 20")
    assert said.endswith(f"Ledger: {made}\n")
    assert "prices [changed]" in said
    told = json.loads(typed("switch", "status", "--json")[1])
    assert told["serving"] is False
    assert told["ledger"] == str(made)
    assert (told["switch"], told["reason"], told["spendEnabled"]) == (
        "off",
        "prices [changed]",
        True,
    )

    async def refused(ledger: Ledger) -> bool:
        return not isinstance(await ledger.admit(ask(1)), Admitted)

    assert over(data_dir, refused)
    assert json.loads(typed("switch", "on", "--json")[1])["serving"] is True
    assert not over(data_dir, refused)


def test_now_asks_for_a_cancel_and_plain_off_does_not(
    typed: Any, data_dir: Path, made: Path
) -> None:
    async def seq(ledger: Ledger) -> int:
        return (await ledger.switch()).cancel_seq

    typed("switch", "off", "--reason", "x")
    assert over(data_dir, seq) == 0
    typed("switch", "off", "--reason", "x", "--now")
    assert over(data_dir, seq) == 1


def test_a_reason_is_required(typed: Any) -> None:
    code, _, complaint = typed("switch", "off")
    assert code == 2
    assert "--reason" in complaint


@pytest.mark.parametrize(
    ("reason", "words"),
    [("", "blank"), (" \t", "blank"), ("two\nlines", "one line"), ("n\udcc3", "printable")],
)
def test_a_reason_that_says_nothing_is_refused_and_nothing_is_switched(
    typed: Any, made: Path, reason: str, words: str
) -> None:
    code, said, complaint = typed("switch", "off", "--reason", reason)
    assert (code, said) == (2, "")
    assert complaint.startswith("fairwitness: --reason: ")
    assert words in complaint
    assert typed("switch", "status")[1].startswith("on")


def test_status_tells_of_spending_disabled_here(
    typed: Any, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRWITNESS_SPEND_ENABLED", "false")
    assert "SPEND_ENABLED is false" in typed("switch", "status")[1]
    assert json.loads(typed("switch", "status", "--json")[1])["serving"] is False


@pytest.mark.parametrize("command", [["switch", "off", "--reason", "x"], ["ledger"]])
def test_a_ledger_out_of_reach_is_said_and_exits_1(
    typed: Any, data_dir: Path, command: list[str]
) -> None:
    (data_dir / "ledger.sqlite3").write_text("no database, but long enough to be looked at")
    code, said, complaint = typed(*command)
    assert (code, said) == (1, "")
    assert "ledger.sqlite3" in complaint
    assert "Traceback" not in complaint


def test_the_ledger_is_shown(typed: Any, data_dir: Path) -> None:
    first, second = ask(600_000, 1), ask(50_000, caller="another")

    async def spend(ledger: Ledger) -> None:
        await ledger.admit(first)
        await ledger.finish(ended(first, 250_000, None))
        await ledger.admit(second)
        await ledger.admit(ask(2_000_000))

    over(data_dir, spend)
    code, said, _ = typed("ledger")
    assert code == 0
    for expected in ("0.250000", "0.050000", "5.000000", "budget_exhausted", "In flight"):
        assert expected in said
    assert second.caller.hex()[:12] in said
    told = json.loads(typed("ledger", "--json")[1])
    assert told["figures"]["spent_day"] == 250_000
    assert told["figures"]["refusals_day"] == {"budget_exhausted": 1}
    assert [line["charges"] for line in told["open_runs"]] == [{"slot_0": 50_000}]
    assert len(told["callers"]) == 2


def test_a_clock_put_right_can_be_accepted(typed: Any, data_dir: Path) -> None:
    async def ahead(ledger: Ledger) -> None:
        await ledger.open()

    over(data_dir, ahead)
    with sqlite3.connect(data_dir / "ledger.sqlite3") as database:
        database.execute("UPDATE ledger_gate SET clock_ms = clock_ms + 4102444800000")
    database.close()
    assert "behind the ledger's time" in typed("ledger")[1]
    code, said, _ = typed("ledger", "accept-clock")
    assert code == 0
    assert said.startswith("The ledger's time went back ")
    assert "behind the ledger's time" not in typed("ledger")[1]


def test_migrate_says_when_there_is_nothing_to_do_and_when_it_cannot(
    typed: Any, data_dir: Path, made: Path
) -> None:
    assert typed("ledger", "migrate")[:2] == (0, f"The ledger is up to date: {made}\n")
    with sqlite3.connect(data_dir / "ledger.sqlite3") as database:
        database.execute("UPDATE fairwitness_schema SET version = 99")
    database.close()
    code, _, complaint = typed("ledger", "migrate")
    assert code == 1
    assert "newer than this program" in complaint


def test_serve_says_that_the_ledger_is_newer_and_does_not_start(typed: Any, made: Path) -> None:
    with sqlite3.connect(made) as database:
        database.execute("UPDATE fairwitness_schema SET version = 99")
    database.close()
    code, said, complaint = typed("serve", "--port", "0")
    assert (code, said) == (1, "")
    assert "the ledger tables are of version 99, newer than this program's" in complaint
