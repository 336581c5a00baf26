"""The library as Python users meet it: names, plain data, a notebook, and examples that run."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys

import msgspec
import pytest

import fairwitness
from fairwitness.contract import evaluation as module

PROMPT, RESPONSE = "How can I reach you?", "Write to <b>jane.roe@gmail.com</b>."


@pytest.fixture(scope="module")
def evaluation() -> fairwitness.Evaluation:
    return fairwitness.evaluate(PROMPT, RESPONSE)


def test_fields_are_snake_case_and_criteria_are_found_by_id(
    evaluation: fairwitness.Evaluation,
) -> None:
    assert isinstance(evaluation, fairwitness.Evaluation)
    assert evaluation["privacy"].verdict == "needs_review"
    assert "privacy" in {detail.criterion_id for detail in evaluation.reason_details}
    with pytest.raises(
        KeyError, match=r"privcy: unknown criterion; known criteria: harm_avoidance"
    ):
        evaluation["privcy"]


def test_names_that_are_imported_when_asked_for_are_listed() -> None:
    """In a process of its own: nothing else has asked for them."""
    code = "import sys, fairwitness; print(*dir(fairwitness)); print('fairwitness.client' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names, loaded = done.stdout.splitlines()
    assert set(fairwitness.__all__) <= set(names.split())
    assert loaded == "False"


def test_plain_data_has_the_names_of_the_wire(evaluation: fairwitness.Evaluation) -> None:
    assert json.loads(evaluation.to_json()) == evaluation.to_dict()
    assert evaluation.to_json().encode() == msgspec.json.encode(evaluation)
    assert evaluation.to_dict()["overallScore"] == evaluation.overall_score
    assert not [key for key in evaluation.to_dict() if "_" in key]


def test_it_says_itself_in_one_short_line(evaluation: fairwitness.Evaluation) -> None:
    assert repr(evaluation).startswith("<Evaluation needs_review ")
    assert "privacy needs_review" in repr(evaluation)
    assert len(repr(evaluation)) < 200


def test_a_notebook_shows_the_evidence_highlighted_and_escaped(
    evaluation: fairwitness.Evaluation,
) -> None:
    shown = evaluation._repr_html_()
    assert "<mark>jane.roe@gmail.com</mark>" in shown
    hostile = fairwitness.evaluate("Hi", "<script>alert(1)</script> mail me: a.b@gmail.com")
    assert "<script>" not in hostile._repr_html_()


@pytest.mark.parametrize("source", [fairwitness, module])
def test_examples_in_the_documentation_run(source: object) -> None:
    found = doctest.testmod(source, optionflags=doctest.ELLIPSIS)  # type: ignore[arg-type]
    assert found.attempted
    assert not found.failed


def test_texts_longer_than_the_contract_allows_are_evaluated_whole() -> None:
    page = "Plants make sugar from water, carbon dioxide and light. They give off oxygen.\n\n"
    long = "".join(f"Part {n}. {page}" for n in range(300))
    found = fairwitness.evaluate("How do plants make food? " * 200, long + "Write to a.b@gmail.com")
    assert found["privacy"].verdict == "needs_review"
    assert "context_not_read" not in found.reasons


def test_importing_loads_nothing_heavy() -> None:
    told = "import sys, fairwitness; print([m for m in ('numpy', 'onnxruntime', 'msgspec') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
