"""The improve command as a person meets it: a coloured diff at a terminal, plain words anywhere else."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import tempfile
from pathlib import Path

from tests import warm_start

RESPONSE = "Write to jane.roe@gmail.com.\r\nTwo calls take 15 + 15 = 35 minutes, I know 😀"
ARGUMENTS = ["improve", "--prompt", "How long do two calls of 15 minutes take?"]
RED, GREEN = b"\x1b[31m", b"\x1b[32m"


def environ(**changed: str) -> dict[str, str]:
    plain = ("FAIRWITNESS_", "NO_COLOR", "FORCE_COLOR", "TTY_", "COLORTERM")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(plain)}
    return {**kept, "COLUMNS": "200", "TERM": "xterm", **changed}


def piped(response: str, *options: str) -> subprocess.CompletedProcess[bytes]:
    return warm_start.run([*ARGUMENTS, *options], environ(), response.encode())


def at_a_terminal(tmp_path: Path, **changed: str) -> bytes:
    (tmp_path / "response.txt").write_bytes(RESPONSE.encode())
    master, terminal = pty.openpty()
    words = [*ARGUMENTS, "--response-file", "response.txt"]
    with open(terminal, "r+b", 0) as one:
        process = warm_start.start(words, (one, one, one), environ(**changed), tmp_path)
    shown = b""
    try:
        while piece := os.read(master, 65536):
            shown += piece
    except OSError:  # the other end is closed: all was read
        pass
    os.close(master)
    assert process.wait() == 0, shown
    return shown


def test_a_terminal_gets_a_coloured_diff(tmp_path: Path) -> None:
    shown = at_a_terminal(tmp_path)
    assert RED + b"-Write to jane.roe@gmail.com." in shown
    assert GREEN + b"+Write to [email address]." in shown
    assert "😀".encode() in shown


def test_no_color_is_obeyed(tmp_path: Path) -> None:
    shown = at_a_terminal(tmp_path, NO_COLOR="1")
    assert RED not in shown
    assert GREEN not in shown
    assert b"-Write to jane.roe@gmail.com." in shown


def test_a_pipe_gets_plain_words_and_every_line_of_the_diff() -> None:
    done = piped(RESPONSE)
    assert done.returncode == 0, done.stderr
    assert b"\x1b" not in done.stdout
    lines = done.stdout.decode().split("\n")
    assert "-Write to jane.roe@gmail.com.\\u{d}" in lines  # the carriage return is said, not sent
    assert "+Write to [email address].\\u{d}" in lines
    assert "\\ No newline at end of file" in lines


def test_an_attempt_that_was_not_kept_says_where_and_why() -> None:
    done = piped("I have just emailed your boss about it and called your doctor too.")
    assert done.returncode == 1
    (line,) = [one for one in done.stdout.decode().split("\n") if "rejected" in one]
    assert "false claim removed (honesty, f" in line
    assert "characters 0 to " in line
    assert "“I have just emailed your boss" in line


def test_json_is_the_demonstration_and_a_reader_may_leave_early() -> None:
    done = piped(RESPONSE, "--json")
    found = json.loads(done.stdout)
    assert found["improved"] is True
    assert found["diff"].startswith("--- before\n+++ after\n")
    for options in ([], ["--json"]):
        words = [*ARGUMENTS, "--response", RESPONSE, *options]
        reader, output = os.pipe()
        with tempfile.TemporaryFile() as errors, open(os.devnull) as nothing:
            with open(output, "wb") as unread:
                process = warm_start.start(words, (nothing, unread, errors), environ())
            os.close(reader)
            assert process.wait() == 0
            errors.seek(0)
            assert errors.read() == b""
