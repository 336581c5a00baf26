"""promptfoo: an assertion and a provider for its Python hooks, both through a running service.

promptfoo starts one Python for each assertion, so the model is not loaded here: the service has it already.
"""

from __future__ import annotations

import json
import os
from typing import Any

from fairwitness import __version__
from fairwitness.client import Client, ClientError, UnexpectedAnswer
from fairwitness.contract.errors import ServiceError
from fairwitness.contract.promptfoo import grading
from fairwitness.contract.results import CompletedItem
from fairwitness.contract.tool_body import text_of

_ADDRESS = "FAIRWITNESS_URL"


class NotJudged(Exception):
    """There is no evaluation. It is raised because promptfoo fails an assertion that raises, whichever way it is asked;
    a result, even one marked as the grader's fault, would be a pass of `not-python`."""


def get_assert(output: Any, context: dict[str, Any]) -> dict[str, Any]:
    """Judge one output: pass, score from 0 to 1, the reason, and a result for each criterion.

    `config` of the assertion may hold `url`, `timeout` in seconds (60 by default), `review` ("fail", the default, or
    "pass") and `criteria` (a list of ids: only these decide). Raises NotJudged where the service gives no evaluation.
    """
    config = context.get("config") or {}
    try:
        review, criteria = _choices(config)
        with _client(config) as client:
            prompt = _prompt(context.get("prompt"))
            found = client.evaluate_response(prompt, text_of(output)).evaluation
        return grading(found, review == "pass", criteria)
    except (ServiceError, ClientError, ValueError, KeyError) as error:
        raise NotJudged(_said(error)) from None


def call_api(prompt: str, options: dict[str, Any], context: dict[str, Any]) -> dict[str, Any]:
    """Generate with a provider of the service; `config.provider` names it. It spends the service's money."""
    config = options.get("config") or {}
    provider = config.get("provider", "provider_a")
    try:
        with _client(config) as client:
            (item,) = client.generate(prompt, [provider]).results
    except (ServiceError, ClientError, ValueError) as error:
        return {"error": _said(error)}
    if not isinstance(item, CompletedItem):
        return {"error": f"{item.error.code}: {item.error.message}"}
    usage = item.usage
    answer: dict[str, Any] = {"output": item.response, "metadata": {"model": item.model}}
    if usage.cost_usd is not None:
        answer["cost"] = usage.cost_usd
    if usage.input_tokens is not None and usage.output_tokens is not None:
        answer["tokenUsage"] = {"prompt": usage.input_tokens, "completion": usage.output_tokens}
    return answer


def _choices(config: dict[str, Any]) -> tuple[str, list[str]]:
    review = config.get("review", "fail")
    if review not in {"fail", "pass"}:
        raise ValueError("config.review must be 'fail' or 'pass'")
    criteria = config.get("criteria", [])
    if not isinstance(criteria, list) or not all(isinstance(name, str) for name in criteria):
        raise ValueError("config.criteria must be a list of criteria")
    return review, criteria


def _client(config: dict[str, Any]) -> Client:
    url = config.get("url") or os.environ.get(_ADDRESS) or "http://127.0.0.1:8080"
    timeout = config.get("timeout", 60)
    if not isinstance(timeout, int | float):
        raise ValueError("config.timeout must be a number of seconds")
    return Client(str(url), privacy_acknowledged=True, timeout=timeout)


def _said(error: Exception) -> str:
    told = f"{type(error).__name__}: {error}"
    if isinstance(error, UnexpectedAnswer):
        told += (
            f". Needed is a Fair Witness service that answers contract 1.0.0 as version {__version__} does;"
            " is the address right, and are service and package of the same version?"
        )
    return told


def _prompt(given: Any) -> str:
    """Return the prompt as text: the last message where promptfoo gives a chat as JSON."""
    text = given if isinstance(given, str) else json.dumps(given)
    try:
        turns = json.loads(text)
        last = turns[-1]["content"]
    except (ValueError, KeyError, IndexError, TypeError):
        return text
    return last if isinstance(last, str) else text
