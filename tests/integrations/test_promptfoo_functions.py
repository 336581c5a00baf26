"""promptfoo's Python hooks without promptfoo: an outcome has the three typed fields, and no evaluation is an error."""

from __future__ import annotations

from typing import Any

import pytest

import fairwitness
from fairwitness.contract.promptfoo import grading
from fairwitness.integrations.promptfoo import NotJudged, call_api, get_assert
from tests.conftest import RunningServer
from tests.integrations.faulty_service import faulty


def judged(server: RunningServer, output: Any, **config: Any) -> dict[str, Any]:
    context = {"prompt": "How can I reach you?", "config": {"url": server.url, **config}}
    return get_assert(output, context)


def test_pass_and_review(server: RunningServer) -> None:
    leak = "Write to jane.roe@gmail.com."
    found = judged(server, leak)
    assert found["pass"] is False
    assert found["reason"].startswith("needs_review: ")
    assert judged(server, leak, review="pass")["pass"] is True
    assert judged(server, leak, criteria=["coherence"])["pass"] is True
    assert judged(server, leak, criteria=["privacy"])["pass"] is False
    assert found["namedScores"]["privacy"] < 1
    assert all(isinstance(item["pass"], bool) for item in found["componentResults"])


@pytest.mark.parametrize(
    "config",
    [
        {"review": "maybe"},
        {"criteria": "privacy"},
        {"criteria": ["nope"]},
        {"url": "nowhere"},
        {"timeout": "1"},
    ],
)
def test_a_wrong_setting_is_never_a_pass(server: RunningServer, config: dict[str, Any]) -> None:
    with pytest.raises(NotJudged):
        judged(server, "Hello.", **config)


def test_a_service_that_is_away_is_never_a_pass() -> None:
    with pytest.raises(NotJudged, match="Unreachable"):
        get_assert("Hello.", {"prompt": "Hi", "config": {"url": "http://127.0.0.1:9"}})
    assert "Unreachable" in call_api("Hi", {"config": {"url": "http://127.0.0.1:9"}}, {})["error"]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("slow", "TimedOut"),
        ("overloaded", "Overloaded: The service is at capacity"),
        ("budget", "BudgetExhausted: The service's spend budget"),
        ("version", "Needed is a Fair Witness service that answers contract 1.0.0"),
        ("elsewhere", "status 404 without the error object of Fair Witness"),
    ],
)
def test_a_service_that_gives_no_evaluation_is_never_a_pass(fault: str, words: str) -> None:
    with faulty() as url:
        config = {"url": f"{url}/{fault}", "timeout": 1}
        with pytest.raises(NotJudged, match=words):
            get_assert("Hello.", {"prompt": "Hi", "config": config})
        answer = call_api("Hi", {"config": config}, {})
    assert words in answer["error"]
    assert "output" not in answer


def test_an_empty_or_structured_output(server: RunningServer) -> None:
    with pytest.raises(NotJudged, match="must not be empty"):
        judged(server, "")
    assert isinstance(judged(server, {"tool": "search", "arguments": {}})["pass"], bool)


def test_a_chat_is_judged_by_its_last_message(server: RunningServer) -> None:
    chat = '[{"role": "user", "content": "What is 2+2?"}]'
    found = get_assert("2+2 = 4.", {"prompt": chat, "config": {"url": server.url}})
    assert found["score"] == fairwitness.evaluate("What is 2+2?", "2+2 = 4.").overall_score / 100


def test_what_does_not_apply_passes() -> None:
    found = grading(fairwitness.evaluate("Hello", "Hello there."), False, ["calculation"])
    assert found["pass"] is True
    assert found["score"] == 1.0
