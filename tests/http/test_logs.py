"""Log lines: what broke and where, and never a value, whatever the error carries."""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
import sys
from typing import Any

import pytest

from fairwitness.http.logs import AnswerLog

PLANTED = "planted-text-80417"

FAIL = f"""
import logging
from fairwitness.http import logs

logs.configure("info", "{{style}}")

def inner(response):
    try:
        raise KeyError(response)
    except KeyError as error:
        raise ValueError("could not judge " + response) from error

try:
    inner("{PLANTED}")
except ValueError:
    logs.logger.exception("request failed", request_id="r-1")
    logging.getLogger("library").exception("a library failed")
"""


def output(style: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", FAIL.format(style=style)], capture_output=True, text=True, check=True
    )
    return done.stderr


@pytest.mark.parametrize("style", ["json", "console"])
def test_an_error_is_logged_without_its_words_and_values(style: str) -> None:
    shown = output(style)
    assert "request failed" in shown
    assert "a library failed" in shown
    assert "ValueError" in shown
    assert PLANTED not in shown


def test_json_lines_say_what_and_where() -> None:
    ours, theirs = (json.loads(line) for line in output("json").splitlines())
    assert ours["request_id"] == "r-1"
    for line in (ours, theirs):
        assert line["level"] == "error"
        assert [link["kind"] for link in line["error"]] == ["ValueError", "KeyError"]
        assert any("inner" in place for place in line["error"][0]["where"])


def test_the_lines_of_one_turn_are_written_together_and_none_is_lost() -> None:
    class Out(io.BytesIO):
        writes = 0

        def write(self, data: Any) -> int:
            self.writes += 1
            return super().write(data)

    out, log = Out(), AnswerLog()
    log.out = out

    def note(path: str) -> None:
        log.note(request_id="1", method="GET", path=path, status=200, code=None, ms=1.25, bytes=2)

    async def go() -> None:
        note("/a")
        note("/b")
        await asyncio.sleep(0)
        assert out.writes == 1
        note("/c")
        log.flush()
        await asyncio.sleep(0)

    asyncio.run(go())
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["path"] for line in lines] == ["/a", "/b", "/c"]
    assert out.writes == 2
