"""The table of engines: what an address names, and that every engine is whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairwitness.settings.databases import (
    ENGINES,
    POSTGRES,
    SQLITE,
    Database,
    Engine,
    engine_of,
)


@pytest.mark.parametrize(
    "engine", list(dict.fromkeys(ENGINES.values())), ids=lambda engine: engine.module
)
def test_every_engine_opens_a_ledger_and_a_feedback_store(engine: Engine) -> None:
    assert callable(engine.of_room("ledger").open_ledger)
    assert callable(engine.of_room("feedback").open_feedback)


@pytest.mark.parametrize("url", ["mysql://ann:secret@db/x", "ann:secret@db://x", "secret", ""])
def test_an_unknown_scheme_names_the_known_ones_and_no_password(url: str) -> None:
    with pytest.raises(
        ValueError, match=r"postgresql://... or sqlite:////absolute/path"
    ) as refused:
        engine_of(url)
    assert "secret" not in str(refused.value)


def test_an_address_is_shown_without_its_password(tmp_path: Path) -> None:
    elsewhere = Database.at("postgres://ann:secret@db.example:5432/house", tmp_path / "x.sqlite3")
    assert (elsewhere.engine, elsewhere.file) == (POSTGRES, None)
    assert elsewhere.place == "PostgreSQL at db.example:5432/house"
    here = Database.at(None, tmp_path / "x.sqlite3")
    assert (here.engine, here.file, here.place) == (
        SQLITE,
        tmp_path / "x.sqlite3",
        str(tmp_path / "x.sqlite3"),
    )
