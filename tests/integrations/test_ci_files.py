"""The CI files: valid by their published schemas, and the action's own script run as it stands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import warm_start
from tests.integrations.real_tools import ROOT, example

GOOD = '{"prompt": "What is 2+2?", "response": "2+2 = 4."}\n'
BAD = '{"prompt": "What is 2+2?", "response": "2+2 = 5."}\n'


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ("vendor.github-actions", (ROOT / "action.yml").read_text()),
        ("vendor.github-workflows", example("ci", "workflow.yml")),
        ("vendor.gitlab-ci", example("ci", "gitlab-ci.yml")),
    ],
)
def test_valid_by_the_published_schema(schema: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "file.yml").write_text(text)
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, "file.yml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def script() -> tuple[str, dict[str, str]]:
    action: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
    step = next(step for step in action["runs"]["steps"] if step.get("name") == "Evaluate")
    assert "${{" not in step["run"], "inputs reach the script as variables only"
    given = {name: action["inputs"][name].get("default", "") for name in action["inputs"]}
    return step["run"], {
        "INPUT": "answers.jsonl",
        "OUTPUT": given["output"],
        "GATES": given["gates"],
        "OPTIONS": given["options"],
        "PROTOCOL": given["protocol"],
    }


def act(folder: Path, **changed: str) -> subprocess.CompletedProcess[str]:
    source, variables = script()
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", warm_start.shell_functions() + source],
        cwd=folder,
        env={
            **os.environ,
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            **variables,
            **changed,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_action_passes_fails_and_summarises(tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text(GOOD)
    assert act(tmp_path, GATES="--max-fail calculation=0").returncode == 0
    (tmp_path / "answers.jsonl").write_text(BAD)
    done = act(tmp_path, GATES="--max-fail calculation=0", OPTIONS="--overwrite")
    assert done.returncode == 1, done.stderr
    assert "calculation" in (tmp_path / "summary.md").read_text()
    assert (tmp_path / "fairwitness.sarif").exists()


def test_a_name_never_becomes_a_command(tmp_path: Path) -> None:
    name = "a b; touch owned; $(touch owned).jsonl"
    (tmp_path / name).write_text(GOOD)
    done = act(tmp_path, INPUT=name, OPTIONS="$(touch owned) ; touch owned")
    assert done.returncode == 2
    assert act(tmp_path, INPUT=name).returncode == 0
    assert not (tmp_path / "owned").exists()


def test_the_hook_judges_each_file(tmp_path: Path) -> None:
    (tmp_path / "good.jsonl").write_text(GOOD)
    (tmp_path / "bad.jsonl").write_text(BAD)
    hook: dict[str, Any] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())[0]
    entry: str = hook["entry"]
    assert entry.startswith("python ")
    command = [*entry.split()[1:], "--max-fail", "calculation=0"]
    for files, code in ((["good.jsonl"], 0), (["good.jsonl", "bad.jsonl"], 1), ([], 0)):
        done = warm_start.run_python([*command, *files], os.environ, folder=tmp_path)
        assert done.returncode == code, done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.jsonl", "good.jsonl"]
