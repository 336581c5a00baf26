"""Traces of Langfuse or Phoenix as rows to judge: what was asked, what was answered, and the id to send scores to."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Literal
from urllib.parse import quote, urlencode

import msgspec

from fairwitness.integrations.exports import exporters
from fairwitness.integrations.exports.asking import Refused, Tool

_PAGE = 50


def pulled(
    name: Literal["langfuse", "phoenix"], most: int, project: str = "default"
) -> Iterator[dict[str, Any]]:
    """Yield up to `most` traces as rows, the newest first; raise BadExport where the tool gives none."""
    tool = Tool(exporters()[name]())
    rows = _langfuse(tool) if name == "langfuse" else _phoenix(tool, project)
    try:
        yield from islice(rows, most)
    finally:
        tool.close()


def _langfuse(tool: Tool) -> Iterator[dict[str, Any]]:
    """Yield the root observation of each trace, the newest where it has several.

    Before version 4 Langfuse does not list observations this way: then its traces are listed.
    """
    cursor, seen = "", set[str]()
    while True:
        asked = {"fields": "core,io", "isRootObservation": "true", "limit": _PAGE}
        query = urlencode({**asked, **({"cursor": cursor} if cursor else {})})
        try:
            found = tool.get(f"/api/public/v2/observations?{query}")
        except Refused as refusal:
            if refusal.status != 404 or cursor:
                raise
            yield from _langfuse_traces(tool)
            return
        for root in tool.items(found):
            trace = str(root.get("traceId"))
            if trace not in seen:
                seen.add(trace)
                yield {"traceId": trace, **_exchange(root.get("input"), root.get("output"))}
        cursor = str(_meta(found).get("cursor") or "")
        if not cursor:
            return


def _langfuse_traces(tool: Tool) -> Iterator[dict[str, Any]]:
    page = pages = 1
    while page <= pages:
        asked = urlencode({"page": page, "limit": _PAGE, "orderBy": "timestamp.desc"})
        found = tool.get(f"/api/public/traces?{asked}")
        for trace in tool.items(found):
            row = {"traceId": str(trace.get("id"))}
            yield {**row, **_exchange(trace.get("input"), trace.get("output"))}
        pages = int(_meta(found).get("totalPages", 1))
        page += 1


def _phoenix(tool: Tool, project: str) -> Iterator[dict[str, Any]]:
    cursor = ""
    while True:
        asked = urlencode({"limit": _PAGE, **({"cursor": cursor} if cursor else {})})
        found = tool.get(f"/v1/projects/{quote(project, safe='')}/spans?{asked}")
        for span in tool.items(found):
            attributes = span.get("attributes")
            kind = span.get("span_kind")
            if kind != "LLM" or not isinstance(attributes, dict):
                continue
            context = span.get("context")
            named = context.get("span_id") if isinstance(context, dict) else span.get("id")
            row = {"span_id": str(named)}
            yield {**row, **_exchange(_of(attributes, "input"), _of(attributes, "output"))}
        cursor = str(found.get("next_cursor") or "")
        if not cursor:
            return


def _meta(found: Mapping[str, Any]) -> Mapping[str, Any]:
    meta = found.get("meta")
    return meta if isinstance(meta, dict) else {}


def _of(attributes: Mapping[str, Any], side: str) -> Any:
    """Return input.value or output.value, however the attributes are nested."""
    held = attributes.get(side)
    return attributes.get(f"{side}.value", held.get("value") if isinstance(held, dict) else held)


def _exchange(given: Any, answered: Any) -> dict[str, Any]:
    """Return the columns of an exchange: the conversation, of one message where it is no chat, and the response."""
    given, answered = _decoded(given), _decoded(answered)
    messages = given.get("messages") if isinstance(given, dict) else given
    response = _answer(answered)
    if isinstance(messages, list) and messages and all(_is_turn(turn) for turn in messages):
        return {"messages": messages, "response": response}
    asked = _text(given, "input", "prompt", "question", "query", "content")
    messages = [{"role": "user", "content": asked}] if asked else []
    return {"messages": messages, "response": response}


def _answer(answered: Any) -> str:
    if isinstance(answered, list) and answered and _is_turn(answered[-1]):
        answered = answered[-1]
    if (
        isinstance(answered, dict)
        and isinstance(answered.get("choices"), list)
        and answered["choices"]
    ):
        first = answered["choices"][0]
        answered = first.get("message", first) if isinstance(first, dict) else first
    if (
        isinstance(answered, dict)
        and isinstance(answered.get("messages"), list)
        and answered["messages"]
    ):
        answered = answered["messages"][-1]
    return _text(answered, "content", "output", "answer", "text")


def _is_turn(turn: Any) -> bool:
    return isinstance(turn, dict) and isinstance(turn.get("role"), str) and "content" in turn


def _decoded(value: Any) -> Any:
    if isinstance(value, str) and value.lstrip()[:1] in {"{", "["}:
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _text(value: Any, *names: str) -> str:
    if isinstance(value, dict):
        texts = [value[name] for name in names if isinstance(value.get(name), str)]
        value = texts[0] if texts else value
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def default_project() -> str:
    """Return the project of Phoenix whose spans are read."""
    return os.environ.get("PHOENIX_PROJECT_NAME", "").strip() or "default"
