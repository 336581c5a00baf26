"""The template of a criteria package works as it is written, and the check of its source finds what it may not use."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairwitness.cli.protocol_package import package
from fairwitness.evaluator import Evaluator, protocol
from fairwitness.evaluator.package_sources import BANNED, installed_packages, source_faults
from fairwitness.evaluator.protocol_examples import run_examples


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The template, laid down as an installer would."""
    folder = tmp_path / "acme-criteria"
    package(folder)
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    (points,) = project["entry-points"].values()
    info = folder / "src" / "acme_criteria-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = "".join(f"{name} = {value}\n" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[fairwitness.criteria]\n{lines}")
    monkeypatch.syspath_prepend(folder / "src")
    yield folder
    for name in [name for name in sys.modules if name.startswith("acme_criteria")]:
        del sys.modules[name]


def test_the_template_judges_and_is_named(written: Path) -> None:
    evaluator = Evaluator.of(protocol.load(written / "protocol.toml"))
    assert all(result.met for result in run_examples(evaluator))
    assert evaluator.version.endswith(".acme-criteria-0.1.0")
    from acme_criteria import example  # type: ignore[import-not-found]

    for case in example.EXAMPLES:
        verdict = evaluator.evaluate(case.prompt, case.response)["acme_criteria_example"].verdict
        assert verdict == case.expect


def test_its_source_is_checked(written: Path) -> None:
    (found,) = [one for one in installed_packages() if one.name == "acme-criteria 0.1.0"]
    assert (found.adds, found.faults) == (("acme_criteria_example",), ())
    module = written / "src" / "acme_criteria" / "example.py"
    module.write_text("import socket\n" + module.read_text() + "\nfrom time import time\n")
    (found,) = [one for one in installed_packages() if one.name == "acme-criteria 0.1.0"]
    assert found.faults[0] == "acme_criteria/example.py:1: imports socket: the network"
    assert found.faults[1].endswith("imports time: the clock")


@pytest.mark.parametrize("name", BANNED)
def test_every_banned_module_is_found(name: str) -> None:
    for source in (
        f"import {name}",
        f"def f():\n    from {name} import x",
        f"import {name}.x as y",
    ):
        assert list(source_faults(ast.parse(source)))


def test_what_only_parses_is_allowed() -> None:
    for source in ("from urllib.parse import urlsplit", "import os.path", "from .time import x"):
        assert list(source_faults(ast.parse(source))) == []
    assert [line for line, _ in source_faults(ast.parse("x = 1\nopen('f')\n"))] == [2]
