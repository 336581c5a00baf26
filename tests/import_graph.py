"""Who imports whom, read off the source. `python -m tests.import_graph [DIR]` prints it room by room."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

PACKAGE = "fairwitness"
SOURCE = Path(__file__).parent.parent / "src" / PACKAGE

# From the ground up. A room may import those of lower layers, never its own layer's or a higher one's.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("contract", "settings", "extras"),
    ("store", "evaluator", "client"),
    ("ledger", "feedback", "providers", "revision", "evidence", "reports"),
    ("benchmark", "service", "batch"),
    ("http", "site", "review", "frame"),
    ("bootstrap",),
    ("integrations",),
    ("cli",),
)
LEVELS = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}


def modules_of(source: Path) -> dict[str, Path]:
    """Return every module of a package by its dotted name."""
    return {_name(path, source): path for path in sorted(source.rglob("*.py"))}


@cache
def tree_of(path: Path) -> ast.Module:
    """Return a file, parsed once."""
    return ast.parse(path.read_text(encoding="utf-8"))


def room_of(module: str) -> str | None:
    """Return the room a module is in: a folder or file directly under the package."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else None


def imports_of(
    path: Path, modules: dict[str, Path], *, at_import_time: bool = False
) -> Iterator[str]:
    """Yield what a file imports of ours at run time: anywhere in it, or only when it is imported."""

    def left_out(node: ast.AST) -> bool:
        if isinstance(node, ast.If):
            return "TYPE_CHECKING" in ast.unparse(node.test)
        return at_import_time and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)

    for node in _statements(tree_of(path), left_out):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith(PACKAGE))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
            assert node.module is not None
            for alias in node.names:
                target = f"{node.module}.{alias.name}"
                yield target if target in modules else node.module


def _statements(
    tree: ast.Module, left_out: Callable[[ast.AST], bool] = lambda node: False
) -> Iterator[ast.AST]:
    """Walk a file's statements but those left out, with all in them: no expression holds an import."""
    held = (ast.stmt, ast.excepthandler, ast.match_case)
    pending: list[ast.AST] = [tree]
    while pending:
        for node in ast.iter_child_nodes(pending.pop()):
            if isinstance(node, held) and not left_out(node):
                pending.append(node)
                yield node


@cache
def foreign_imports_of(path: Path) -> set[str]:
    """Return the packages a file imports, by their first name."""
    names: set[str] = set()
    for node in _statements(tree_of(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add((node.module or "").split(".")[0])
    return names


def rooms_of(source: Path) -> dict[str, dict[str, int]]:
    """Return for each room the rooms it imports, and how many of its files import each."""
    modules = modules_of(source)
    found: dict[str, dict[str, int]] = {}
    for module, path in modules.items():
        room = room_of(module)
        if room is None or room == "__main__":
            continue
        held = found.setdefault(room, {})
        others = {room_of(target) for target in imports_of(path, modules)} - {room, None}
        for other in others:
            assert other is not None
            held[other] = held.get(other, 0) + 1
    return found


def table(source: Path) -> str:
    """Return the rooms as a Markdown table, the highest layer first."""
    rows = ["| room | imports (files that do) |", "| --- | --- |"]
    rooms = rooms_of(source)
    for room in sorted(rooms, key=lambda name: (-LEVELS.get(name, -1), name)):
        targets = sorted(rooms[room].items(), key=lambda item: (-LEVELS.get(item[0], -1), item[0]))
        rows.append(
            f"| {room} | {', '.join(f'{name} ({n})' for name, n in targets) or 'nothing'} |"
        )
    return "\n".join(rows)


def _name(path: Path, source: Path) -> str:
    parts = path.relative_to(source.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


if __name__ == "__main__":
    print(table(Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE))
