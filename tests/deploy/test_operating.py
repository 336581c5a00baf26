"""The operating page: a backup taken while the ledger is in use, restored as the page says, is the ledger again."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from importlib import resources
from pathlib import Path

from fairwitness.evidence import keys
from fairwitness.feedback import contact
from fairwitness.ledger import Admitted, ledger_of
from fairwitness.settings import Settings, load
from tests import warm_start
from tests.ledger.asking import ask

PAGE = (resources.files("fairwitness.pages") / "operating.md").read_text("utf-8")


def _runs(settings: Settings, more: int = 0) -> int:
    async def look() -> int:
        ledger = ledger_of(settings)
        try:
            await ledger.open()
            for _ in range(more):
                assert isinstance(await ledger.admit(ask(1)), Admitted)
            return (await ledger.figures()).runs_day
        finally:
            await ledger.close()

    return asyncio.run(look())


def test_a_restored_backup_is_the_ledger_again(tmp_path: Path) -> None:
    home = tmp_path / "data"
    home.mkdir()
    settings = load({"FAIRWITNESS_DATA_DIR": str(home)})
    file, copy = home / "ledger.sqlite3", tmp_path / "ledger.sqlite3"

    async def back_up_in_use() -> None:
        ledger = ledger_of(settings)
        await ledger.open()
        await ledger.admit(ask(1))
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)  # what `.backup` of the sqlite3 program does
        await ledger.admit(ask(1))
        await ledger.close()

    asyncio.run(back_up_in_use())
    assert _runs(settings) == 2
    for beside in ("-wal", "-shm"):
        Path(f"{file}{beside}").unlink(missing_ok=True)
    shutil.copy(copy, file)
    asked = warm_start.run_text(["ledger"], os.environ | {"FAIRWITNESS_DATA_DIR": str(home)})
    assert asked.returncode == 1
    assert "are missing" in asked.stderr  # so the mark tells
    (removal,) = re.findall(r"^rm -f ledger.*$", PAGE, re.MULTILINE)
    subprocess.run(["bash", "-c", removal], cwd=home, check=True)
    shutil.copy(copy, file)
    assert _runs(settings, more=1) == 2


def test_the_page_names_the_files_there_are() -> None:
    for name in ("evidence-key.pem", keys.PUBLIC_FILE, contact.KEY_FILE, "secret.key"):
        assert f"`{name}`" in PAGE, name
