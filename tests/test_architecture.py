"""The house rules, read off the source: layers, cycles, names, and how files open."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.import_graph import (
    LEVELS,
    SOURCE,
    foreign_imports_of,
    imports_of,
    modules_of,
    room_of,
    rooms_of,
    tree_of,
)

# Most parse every file, which one process does once.
pytestmark = pytest.mark.xdist_group("architecture")

BANNED_NAMES = {"utils", "util", "common", "helpers", "helper", "misc"}
MAX_LINES = 300
MAX_FUNCTION_LINES = 60

MODULES = modules_of(SOURCE)


def test_imports_go_down() -> None:
    wrong = [
        f"{module} imports {target}"
        for module, path in MODULES.items()
        if (room := room_of(module)) in LEVELS
        for target in imports_of(path, MODULES)
        if (other := room_of(target)) in LEVELS and other != room and LEVELS[other] >= LEVELS[room]
    ]
    assert wrong == []


def test_the_graph_is_read_right(tmp_path: Path) -> None:
    """A sibling's import is seen wherever it stands in a file; one for types alone is none."""
    source = tmp_path / "fairwitness"
    for room in ("http", "site"):
        (source / room).mkdir(parents=True)
        (source / room / "__init__.py").write_text("")
    (source / "http" / "app.py").write_text("def f():\n    from fairwitness import site\n")
    (source / "site" / "pages.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from fairwitness.http import app\n"
    )
    assert rooms_of(source) == {"http": {"site": 1}, "site": {}}


def test_the_door_renders_nothing_and_the_site_knows_no_http() -> None:
    banned = {"http": {"jinja2", "markdown_it", "markupsafe"}, "site": {"starlette", "uvicorn"}}
    for module, path in MODULES.items():
        names = banned.get(room_of(module) or "", set())
        assert not foreign_imports_of(path) & names, module


def test_an_engine_is_chosen_in_one_place() -> None:
    for module, path in MODULES.items():
        if room_of(module) != "settings":
            assert 'startswith("postgres' not in path.read_text(), module


def test_no_cycles() -> None:
    graph = {
        module: set(imports_of(path, MODULES, at_import_time=True)) - {module}
        for module, path in MODULES.items()
    }
    done: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, " > ".join((*trail, module))
        if module in done or module not in graph:
            return
        for target in sorted(graph[module]):
            visit(target, (*trail, module))
        done.add(module)

    for module in graph:
        visit(module, ())


def test_files_open_with_a_sentence() -> None:
    """A file says first what it does."""
    opening = {
        module: (ast.get_docstring(tree_of(path)) or "").split("\n\n")[0].strip()
        for module, path in MODULES.items()
    }
    wrong = {module: said for module, said in opening.items() if not said.endswith((".", ":", "?"))}
    assert wrong == {}


def test_sizes_and_names() -> None:
    wrong = [module for module, path in MODULES.items() if path.stem in BANNED_NAMES]
    for module, path in MODULES.items():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > MAX_LINES:
            wrong.append(f"{module} has {lines} lines")
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > MAX_FUNCTION_LINES:
                    wrong.append(f"{module}.{node.name} has {length} lines")
    assert wrong == []


def test_every_room_has_a_level() -> None:
    rooms = {path.name.removesuffix(".py") for path in SOURCE.iterdir()}
    rooms -= {"__init__", "__main__", "__pycache__", "pages", "web", "py.typed"}
    assert rooms <= set(LEVELS)


def test_untrusted_text_meets_only_linear_patterns() -> None:
    """Python's own engine may backtrack; one reviewed pattern in text.py is the exception."""
    allowed = {"fairwitness.evaluator.text"}
    for module, path in MODULES.items():
        if module.startswith("fairwitness.evaluator") and module not in allowed:
            assert not foreign_imports_of(path) & {"re", "regex"}, module


def test_the_evaluator_is_pure() -> None:
    banned = {
        "socket",
        "time",
        "datetime",
        "random",
        "asyncio",
        "sqlite3",
        "urllib",
        "subprocess",
        "threading",
    }
    for module, path in MODULES.items():
        if not module.startswith("fairwitness.evaluator"):
            continue
        assert not foreign_imports_of(path) & banned, module


def test_repository_names_no_host_of_a_registry_and_no_workplace() -> None:
    root = SOURCE.parent.parent
    for path in root.rglob("*"):
        parts = set(path.relative_to(root).parts)
        if parts & {
            ".git",
            ".venv",
            ".venv-tools",
            "node_modules",
            "test-output",
            ".hypothesis",
            ".gpu",
            ".mypy_cache",
            ".ruff_cache",
        }:
            continue
        if path.is_file() and path.suffix in {
            ".py",
            ".md",
            ".toml",
            ".lock",
            ".json",
            ".txt",
            ".js",
            ".css",
            ".html",
            "",
        }:
            text = path.read_text(errors="ignore")
            for banned in (
                "files.pythonhosted" + ".org",
                "registry.npmjs" + ".org",
                "pypi" + ".org/simple",
                "/work" + "/",
            ):
                assert banned not in text, f"{path.relative_to(root)} names {banned}"
