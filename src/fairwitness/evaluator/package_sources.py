"""Reads the source of installed criteria packages for what a criterion may not use: network, clock, chance, processes.

It looks at imports and a few calls. It is a check against mistakes, not a sandbox: a package is code that you install.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from fairwitness.evaluator.criterion import CRITERIA_GROUP, READERS_GROUP

_NETWORK = "aiohttp anthropic boto3 ftplib grpc http httpcore httpx httpx2 imaplib openai poplib pycurl requests smtplib socket socketserver ssl telnetlib urllib urllib3 websocket websockets xmlrpc"  # fmt: skip
_CLOCK = "arrow datetime pendulum time"
_CHANCE = "random secrets uuid"
_PROCESSES = "asyncio concurrent ctypes multiprocessing os signal subprocess threading"
# What each banned module gives, by its name.
BANNED: dict[str, str] = {
    name: what
    for what, names in (
        ("the network", _NETWORK),
        ("the clock", _CLOCK),
        ("chance", _CHANCE),
        ("processes or the system", _PROCESSES),
    )
    for name in names.split()
}
# Parts of banned packages that only parse.
_HARMLESS = frozenset({"urllib.parse", "http.HTTPStatus", "os.path"})
_BANNED_CALLS = {"open": "files", "eval": "code at run time", "exec": "code at run time", "__import__": "code at run time"}  # fmt: skip


@dataclass(frozen=True)
class CriteriaPackage:
    """One installed package: its name and version, what it adds, and what in its source a criterion may not use."""

    name: str
    adds: tuple[str, ...]
    faults: tuple[str, ...]


def installed_packages() -> list[CriteriaPackage]:
    """Return every package that adds criteria or readers, in order of their names."""
    adds: dict[str, list[str]] = {}
    distributions: dict[str, metadata.Distribution] = {}
    for group in (CRITERIA_GROUP, READERS_GROUP):
        for entry in metadata.entry_points(group=group):
            if entry.dist is not None:
                name = f"{entry.dist.name} {entry.dist.version}"
                adds.setdefault(name, []).append(entry.name)
                distributions[name] = entry.dist
    return [
        CriteriaPackage(name, tuple(sorted(adds[name])), tuple(_faults(distributions[name])))
        for name in sorted(adds)
    ]


def _faults(distribution: metadata.Distribution) -> Iterator[str]:
    for path in _sources(distribution):
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, SyntaxError) as error:
            yield f"{path.name}: cannot be read: {type(error).__name__}"
            continue
        for line, what in sorted(set(source_faults(tree))):
            yield f"{path.parent.name}/{path.name}:{line}: {what}"


def _sources(distribution: metadata.Distribution) -> Iterator[Path]:
    """Yield the package's own modules; where it lists no files, those of the folders its entry points name."""
    listed = [Path(str(file.locate())) for file in distribution.files or () if file.suffix == ".py"]
    tops = {
        entry.value.split(":")[0].split(".")[0]
        for entry in distribution.entry_points
        if entry.group in {CRITERIA_GROUP, READERS_GROUP}
    }
    folder = Path(str(distribution.locate_file("")))
    found = listed or [
        path for top in sorted(tops) for path in sorted((folder / top).rglob("*.py"))
    ]
    yield from (path for path in found if "tests" not in path.parts)


def source_faults(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield what a module uses that no criterion may, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in _BANNED_CALLS:
                yield node.lineno, f"calls {node.func.id}: {_BANNED_CALLS[node.func.id]}"
            continue
        else:
            continue
        for name in names:
            top = name.split(".")[0]
            if top in BANNED and not any(name == one or name.startswith(f"{one}.") for one in _HARMLESS):  # fmt: skip
                yield node.lineno, f"imports {top}: {BANNED[top]}"
