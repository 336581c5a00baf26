"""Protocols made from assertions of other tools: what is taken judges alike, what is left has a reason."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fairwitness
from fairwitness.contract.errors import InvalidRequest
from fairwitness.integrations.imports import Imported, openai_evals, promptfoo
from tests import warm_start
from tests.integrations.real_promptfoo import evaluated, needs_promptfoo
from tests.integrations.real_tools import example


def imported(folder: Path, tool: str, content: Any) -> subprocess.CompletedProcess[str]:
    source = folder / "source.yaml"
    source.write_text(content if isinstance(content, str) else json.dumps(content))
    words = ["import", tool, str(source), "-o", str(folder / "made.toml")]
    return warm_start.run_text(words, os.environ)


def verdict(folder: Path, response: str, reference: str | None = None) -> str:
    found = fairwitness.evaluate(
        "Answer me.", response, protocol=folder / "made.toml", reference=reference
    )
    return found["imported"].verdict


def test_the_promptfoo_page(tmp_path: Path) -> None:
    done = imported(tmp_path, "promptfoo", example("from-promptfoo", "promptfooconfig.yaml"))
    assert done.returncode == 1, done.stderr
    assert "2 checks taken over, 1 left" in done.stderr
    assert "defaultTest.assert[2]: llm-rubric: a model grades it" in done.stderr
    assert "llm-rubric" in (tmp_path / "made.toml").read_text()
    assert verdict(tmp_path, "You get a Refund.") == "pass"
    assert verdict(tmp_path, "You get a refund from Globex.") == "fail"


def test_the_openai_page(tmp_path: Path) -> None:
    done = imported(tmp_path, "openai-evals", example("from-openai-evals", "eval.json"))
    assert done.returncode == 1, done.stderr
    assert "2 checks taken over, 1 left" in done.stderr
    assert "--reference item.label" in done.stderr
    assert verdict(tmp_path, "Billing", "Billing") == "pass"
    assert verdict(tmp_path, "Login", "Billing") == "fail"
    assert verdict(tmp_path, "Sorry.", "Sorry.") == "fail"


def test_the_perspective_page(tmp_path: Path) -> None:
    source = example("from-perspective", "respect.py")
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.startswith("needs_review ")
    assert "idiot" in done.stdout


CASES: list[tuple[dict[str, Any], str, str]] = [
    ({"type": "contains", "value": "blue"}, "It is blue.", "It is red."),
    ({"type": "icontains", "value": "BLUE"}, "It is blue.", "It is red."),
    ({"type": "contains-all", "value": ["a", "b"]}, "a b", "a c"),
    ({"type": "icontains-any", "value": ["A", "B"]}, "xxb", "xxc"),
    ({"type": "not-contains", "value": "blue"}, "It is red.", "It is blue."),
    ({"type": "not-icontains-any", "value": ["BLUE", "GREEN"]}, "It is red.", "It is blue."),
    ({"type": "starts-with", "value": "It (is)"}, "It (is) so.", "So it is."),
    ({"type": "equals", "value": "a.b"}, "a.b", "axb"),
    ({"type": "regex", "value": "[0-9]{3}"}, "Call 911.", "Call 91."),
    ({"type": "not-regex", "value": "[0-9]{3}"}, "Call 91.", "Call 911."),
    ({"type": "is-json"}, '{"a": 1}', "a"),
    ({"type": "is-json", "value": {"type": "object", "required": ["a"]}}, '{"a": 1}', '{"b": 1}'),
    ({"type": "is-xml"}, "<a>b</a>", "<a>b"),
    ({"type": "word-count", "value": {"min": 2, "max": 3}}, "one two", "one"),
    ({"type": "word-count", "value": 2}, "one two", "one two three"),
]


@pytest.mark.parametrize(("assertion", "good", "bad"), CASES, ids=lambda value: str(value)[:40])
def test_what_is_taken_judges_as_it_did(
    tmp_path: Path, assertion: dict[str, Any], good: str, bad: str
) -> None:
    source = tmp_path / "c.json"
    source.write_text(json.dumps({"tests": [], "defaultTest": {"assert": [assertion]}}))
    made = promptfoo.read(source)
    assert not made.left
    (tmp_path / "made.toml").write_text(made.toml())
    assert (verdict(tmp_path, good), verdict(tmp_path, bad)) == ("pass", "fail")


@needs_promptfoo
@pytest.mark.node
@pytest.mark.xdist_group("tools")
def test_promptfoo_itself_agrees(tmp_path: Path) -> None:
    """The two columns of the cases are what promptfoo says of them."""
    tests = [
        {"vars": {"answer": text}, "assert": [assertion]}
        for assertion, good, bad in CASES
        for text in (good, bad)
    ]
    (tmp_path / "answers.py").write_text(
        "def call_api(prompt, options, context):\n    return {'output': context['vars']['answer']}\n"
    )
    config = {"prompts": ["x"], "providers": ["file://answers.py"], "tests": tests}
    (tmp_path / "promptfooconfig.yaml").write_text(json.dumps(config))
    assert [row["success"] for row in evaluated(tmp_path)] == [True, False] * len(CASES)


@pytest.mark.parametrize(
    ("assertion", "why"),
    [
        ({"type": "llm-rubric", "value": "x"}, "a model grades it"),
        ({"type": "not-llm-rubric", "value": "x"}, "a model grades it"),
        ({"type": "python", "value": "True"}, "it is code"),
        ({"type": "latency", "threshold": 1}, "measures the call"),
        ({"type": "regex", "value": "(?=x)"}, "the pattern cannot be used"),
        ({"type": "is-json", "value": {"oneOf": []}}, "json_schema"),
        ({"type": "is-json", "value": "file://s.json"}, "in another file"),
        ({"type": "contains", "value": "{{name}}"}, "variables of the test"),
        ({"type": "contains", "value": "x", "weight": 0}, "decides nothing"),
        ({"type": "not-contains-all", "value": ["a"]}, "one of several is missing"),
        ({"type": "not-is-json"}, "no check for its opposite"),
        ({"type": "word-count", "value": "many"}, "length"),
        ({"type": "contains-json"}, "no check does this"),
        ({"type": "contains", "value": ""}, "must be a text of 1 to"),
        ({"type": "assert-set", "threshold": 0.5, "assert": []}, "part of it may fail"),
        ({"value": "x"}, "no assertion with a type"),
        ("x", "no assertion with a type"),
    ],
    ids=str,
)
def test_what_is_left_has_a_reason(tmp_path: Path, assertion: Any, why: str) -> None:
    source = tmp_path / "c.json"
    source.write_text(json.dumps({"tests": [], "defaultTest": {"assert": [assertion]}}))
    made = promptfoo.read(source)
    assert not made.checks
    ((place, reason),) = made.left
    assert place == "defaultTest.assert[0]"
    assert why in reason


def test_an_assertion_of_one_test_is_no_rule_for_all(tmp_path: Path) -> None:
    source = tmp_path / "c.json"
    same = {"type": "contains", "value": "x"}
    first = {"assert": [same, {"type": "contains", "value": "y"}, {"type": "equals", "value": "1"}]}
    second = {"assert": [same, {"type": "equals", "value": "2"}]}
    source.write_text(json.dumps({"tests": [first, second]}))
    made = promptfoo.read(source)
    assert [check["kind"] for check in made.checks] == ["contains", "equals_reference"]
    assert [place for place, _ in made.left] == ["tests[0].assert[1]"]
    assert made.notes


@pytest.mark.parametrize("content", ["[", "- a", "name: x", "\x00", "a: [1"])
def test_a_file_that_is_none_is_refused(tmp_path: Path, content: str) -> None:
    source = tmp_path / "c.yaml"
    source.write_text(content)
    for tool in (promptfoo, openai_evals):
        with pytest.raises(InvalidRequest):
            tool.read(source)


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    (tmp_path / "made.toml").write_text("mine")
    done = imported(tmp_path, "promptfoo", {"tests": []})
    assert done.returncode == 2
    assert (tmp_path / "made.toml").read_text() == "mine"


def test_any_text_survives_the_file(tmp_path: Path) -> None:
    made = Imported('x\ny "z"')
    made.take("p", "contains", 'quote " and \\ and \x7f', values=['é\n\t"\\', "\U0001f600"])
    made.take("p", "contains", "hidden", values=["\x01"])
    made.leave("p", "two\nlines")
    assert [place for place, _ in made.left] == ["p", "p"]
    (tmp_path / "made.toml").write_text(made.toml())
    assert verdict(tmp_path, 'é\n\t"\\ \U0001f600') == "pass"
    assert verdict(tmp_path, "nothing") == "fail"


@pytest.mark.parametrize("name", ["made.yaml", "made.json"])
def test_a_protocol_is_written_as_toml_alone(tmp_path: Path, name: str) -> None:
    """A file of another ending would hold TOML all the same, and one that was there would be lost."""
    source, made = tmp_path / "source.yaml", tmp_path / name
    source.write_text(example("from-promptfoo", "promptfooconfig.yaml"))
    made.write_text("mine")
    words = ["import", "promptfoo", str(source), "--overwrite", "-o", str(made)]
    done = warm_start.run_text(words, os.environ)
    assert (done.returncode, "must end in .toml" in done.stderr) == (2, True), done.stderr
    assert made.read_text() == "mine"
