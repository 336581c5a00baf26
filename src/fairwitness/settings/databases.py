"""The database engines, chosen by URL scheme: one table, and what an address in it means."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Engine:
    """A kind of database. Each room that keeps data has a module of the engine's name."""

    name: str
    module: str
    example: str
    many_machines: bool

    def of_room(self, room: str) -> ModuleType:
        """Import a room's part for this engine; nobody loads a driver that is not used."""
        return import_module(f"fairwitness.{room}.{self.module}")


SQLITE = Engine("SQLite", "sqlite", "sqlite:////absolute/path", many_machines=False)
POSTGRES = Engine("PostgreSQL", "postgres", "postgresql://...", many_machines=True)

# A new engine is a row here, and a module of its name in store, ledger and feedback.
ENGINES = {"postgresql": POSTGRES, "postgres": POSTGRES, "sqlite": SQLITE}


@dataclass(frozen=True)
class Database:
    """An address and the engine it names."""

    engine: Engine
    url: str

    @classmethod
    def at(cls, url: str | None, default_file: Path) -> Database:
        """Return the database an address names, or the SQLite file used where there is none."""
        url = url or f"sqlite:///{default_file}"
        return cls(engine_of(url), url)

    @property
    def file(self) -> Path | None:
        """The file it is kept in, there or not; None where it is reached over a network."""
        return Path(self.url.removeprefix("sqlite:///")) if self.engine is SQLITE else None

    @property
    def place(self) -> str:
        """Where it is, for people, without user or password."""
        if self.file is not None:
            return str(self.file)
        address = urlsplit(self.url)
        return f"{self.engine.name} at {address.netloc.rpartition('@')[2]}{address.path}"


def engine_of(url: str) -> Engine:
    """Return the engine of a database address; ValueError, naming the known ones, where there is none."""
    scheme, found, _ = url.partition("://")
    if not found or scheme not in ENGINES:
        # The rest of an address may hold a password: of what is wrong only the scheme is named.
        wrong = f"; {scheme}:// is not known" if found and scheme.isalnum() else ""
        examples = dict.fromkeys(engine.example for engine in ENGINES.values())
        raise ValueError(f"must be {' or '.join(examples)}{wrong}")
    return ENGINES[scheme]
