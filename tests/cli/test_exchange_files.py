"""`fairwitness evaluate` with files of context, messages and a reference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairwitness.evaluator import shipped
from tests.cli.test_cli import run

MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Answer in exactly two sentences: when does it open?"},
]
CONTEXT = [{"id": "hours", "text": "It opens at ten."}]


def test_files_give_what_the_library_gives(tmp_path: Path) -> None:
    (tmp_path / "messages.json").write_text(json.dumps(MESSAGES))
    (tmp_path / "context.json").write_text(json.dumps(CONTEXT))
    (tmp_path / "more.md").write_text("Closed on Mondays.")
    (tmp_path / "reference.txt").write_text("At ten.")
    done = run(
        "evaluate",
        "--messages-file", str(tmp_path / "messages.json"),
        "--context-file", str(tmp_path / "context.json"),
        "--context-file", str(tmp_path / "more.md"),
        "--reference-file", str(tmp_path / "reference.txt"),
        "--json",
        stdin=b"It opens at nine.",
    )  # fmt: skip
    expected = shipped().evaluate(
        None,
        "It opens at nine.",
        messages=MESSAGES,
        context=[*CONTEXT, "Closed on Mondays."],
        reference="At ten.",
    )
    assert done.stderr == b""
    assert json.loads(done.stdout)["evaluation"] == expected.to_dict()


def test_the_report_names_the_message(tmp_path: Path) -> None:
    file = tmp_path / "messages.json"
    file.write_text(json.dumps(MESSAGES))
    done = run("evaluate", "--messages-file", str(file), "--response", "It opens at nine.")
    assert b"Messages[1], evidence underlined" in done.stdout


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("messages.json", b'{"a": 1, "a": 2}', b'the key "a" appears twice'),
        ("messages.json", b'{"role": "user"}', b"must hold a JSON array"),
        ("messages.json", b'[{"role": "user", "content": [1]}]', b"messages[0].content: text only"),
        ("messages.json", b"\xff", b"not valid UTF-8"),
        ("messages.json", b"[" * 50_000, b"nested too deeply"),
        ("context.json", b'[{"id": "a", "text": "x"}, {"id": "a", "text": "y"}]', b"unique"),
        ("context.json", b"nothing", b"not valid JSON"),
        ("context.txt", b"\xff", b"not valid UTF-8"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, name: str, content: bytes, said: bytes) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    kind = "--messages-file" if name.startswith("messages") else "--context-file"
    prompt = [] if kind == "--messages-file" else ["--prompt", "When?"]
    done = run("evaluate", *prompt, kind, str(file), "--response", "At nine.")
    assert done.returncode == 2
    assert said in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_prompt_and_messages_exclude_each_other(tmp_path: Path) -> None:
    file = tmp_path / "messages.json"
    file.write_text(json.dumps(MESSAGES))
    done = run("evaluate", "--prompt", "x", "--messages-file", str(file), "--response", "y")
    assert done.returncode == 2
    assert b"not both" in done.stderr


@pytest.mark.parametrize("flag", ["--context-file", "--reference-file"])
@pytest.mark.parametrize(("content", "said"), [(b" \n", b" is empty"), (b"\xff", b": not valid")])
def test_a_file_without_text_is_refused_by_its_name(
    tmp_path: Path, flag: str, content: bytes, said: bytes
) -> None:
    """An empty expected answer would count as none, and the response would pass unread."""
    file = tmp_path / "given.txt"
    file.write_bytes(content)
    done = run("evaluate", "--prompt", "When?", "--response", "At nine.", flag, str(file))
    assert done.returncode == 2
    assert str(file).encode() + said in done.stderr
