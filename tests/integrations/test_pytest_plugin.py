"""The pytest plugin, in real pytest runs of its own: what a failing test shows, JUnit, and xdist."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fairwitness.evaluator import shipped
from fairwitness.integrations.assertions import assert_not_worse, assert_response

TESTS = """
PROMPT = "How can I reach you?"
LEAK = "Write to jane.roe@gmail.com or john.doe@gmail.com."

def test_a_good_answer_passes(fairwitness):
    found = fairwitness.assert_response("What is 2+2?", "2+2 = 4.", passes=["calculation"])
    assert found.overall_score > 50

def test_a_leak_does_not(fairwitness):
    fairwitness.assert_response(PROMPT, LEAK, passes="privacy")

def test_a_score_too_low(fairwitness):
    fairwitness.assert_response(PROMPT, LEAK, passes=False, min_score=99)

def test_worse_than_before(fairwitness):
    fairwitness.assert_not_worse("What is 2+2?", "2+2 = 5", than="2+2 = 4")
"""
# That pytest finds it where it is installed is a test of the tool's page; here no other plugin is loaded.
PLUGINS = ("-p", "fairwitness.integrations.pytest_plugin", "-p", "no:cacheprovider")


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_answers.py").write_text(TESTS)
    return subprocess.run(
        [sys.executable, "-m", "pytest", *PLUGINS, *options, "."],
        cwd=folder,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_failure_shows_criterion_and_evidence(tmp_path: Path) -> None:
    done = run(tmp_path, "--color=no")
    assert done.returncode == 1, done.stdout
    assert "3 failed, 1 passed" in done.stdout
    assert "AssertionError: Privacy: " in done.stdout
    assert "'jane.roe@gmail.com'" in done.stdout
    assert "jane.roe@gmail.com[f1]" in done.stdout, "the whole text, with its evidence marked"
    assert "is under 99." in done.stdout
    assert "Calculation: fail" in done.stdout
    assert "assertions.py" not in done.stdout, "no line of ours in the traceback"


def test_colour_where_pytest_has_it(tmp_path: Path) -> None:
    done = run(tmp_path, "--color=yes")
    assert "\x1b[4;" in done.stdout, "evidence is underlined"


def test_properties_reach_junit_with_xdist(tmp_path: Path) -> None:
    run(tmp_path, "-p", "xdist", "-n", "1", "--junitxml=out.xml")
    properties = {
        (case.get("name"), item.get("name")): item.get("value")
        for case in ElementTree.parse(tmp_path / "out.xml").iter("testcase")
        for item in case.iter("property")
    }
    assert float(properties["test_a_leak_does_not", "fairwitness.score"] or "") < 100
    assert properties["test_a_leak_does_not", "fairwitness.verdict"] in {"needs_review", "fail"}
    assert ("test_worse_than_before", "fairwitness.score_before") in properties
    digest = properties["test_a_leak_does_not", "fairwitness.protocol_digest"]
    assert digest == shipped().protocol.digest


def test_the_plugin_imports_nothing_heavy() -> None:
    code = (
        "import sys; import fairwitness.integrations.pytest_plugin as p; "
        "heavy = {'numpy', 'onnxruntime', 'msgspec', 'rich'} & set(sys.modules); assert not heavy, heavy"
    )
    # pytest itself may bring some of them; what counts is what a bare import adds
    subprocess.run([sys.executable, "-c", code], check=True)


def test_plain_code_can_assert_too() -> None:
    assert assert_response("What is 2+2?", "2+2 = 4", passes="calculation")["calculation"].score
    with pytest.raises(AssertionError, match="Calculation: fail"):
        assert_response("What is 2+2?", "2+2 = 5", passes=["calculation"])
    assert_not_worse("What is 2+2?", "2+2 = 4", than="2+2 = 4")


def test_an_unknown_criterion_is_named() -> None:
    with pytest.raises(KeyError, match="unknown criterion; known criteria"):
        assert_response("What is 2+2?", "2+2 = 4", passes="politeness")
