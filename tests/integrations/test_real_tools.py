"""Each integration in the real tool: the example of its docs page, and what the tool makes of a doubt."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.integrations.faulty_service import faulty
from tests.integrations.real_tools import BIN, example, needs_tools, page, run

pytestmark = [needs_tools, pytest.mark.xdist_group("tools")]

# A model of Inspect's that answers by a list, with its tokens counted: counting them fetches a file otherwise.
ANSWERS = """
from inspect_ai import eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput, ModelUsage, get_model

def model(*texts):
    outputs = []
    for text in texts:
        output = ModelOutput.from_content("mockllm/model", text)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        outputs.append(output)
    return get_model("mockllm/model", custom_outputs=outputs)
"""


def test_pytest_runs_its_page(tmp_path: Path) -> None:
    (tmp_path / "test_answers.py").write_text(example("pytest", "test_answers.py"))
    # The plugin of another tool takes seconds to load.
    done = run(tmp_path, "pytest", "-p", "no:cacheprovider", "-p", "no:deepeval")
    assert done.returncode == 1
    assert "AssertionError: Calculation: fail" in done.stdout, done.stdout + done.stderr


def test_inspect_runs_its_page_and_leaves_doubts_unscored(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(example("inspect", "sums.py"))
    (tmp_path / "go.py").write_text(
        ANSWERS
        + """
import json
from sums import sums
task = sums()
task.dataset.samples.append(Sample(input="How can I reach you?"))
turns = [ChatMessageUser(content="Hi"), ChatMessageAssistant(content="Hello."), ChatMessageUser(content="What is 2+2?")]
task.dataset.samples.append(Sample(input=turns, metadata={"context": ["2+2 = 4"]}))
(log,) = eval(task, model=model("2 + 2 = 4.", "Write to jane.roe@gmail.com.", ""), display="none", log_dir="logs")
assert log.status == "success", log.error
told = {score.name: [score.scored_samples, score.unscored_samples] for score in log.results.scores}
reasons = [sample.scores["fairwitness"].reason for sample in log.samples]
print(json.dumps({"told": told, "reasons": reasons}))
"""
    )
    done = run(tmp_path, "python", "go.py")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["reasons"] == [None, "needs_review", "no_response"]
    assert found["told"]["overall"] == [1, 2]
    assert found["told"]["privacy"] == [1, 2]
    (log,) = (tmp_path / "logs").glob("*.eval")
    again = run(
        tmp_path,
        "inspect",
        "score",
        str(log),
        "--scorer",
        "fairwitness/fairwitness",
        "--action",
        "append",
        "--output-file",
        "scored.eval",
    )
    assert again.returncode == 0, again.stdout + again.stderr
    assert (tmp_path / "scored.eval").exists()


def test_inspect_runs_its_page_without_a_key(tmp_path: Path) -> None:
    for name in ("sums.py", "try_it.py"):
        (tmp_path / name).write_text(example("inspect", name))
    done = run(tmp_path, "python", "try_it.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "- high calculation: The result “5” is wrong" in done.stdout
    assert list((tmp_path / "logs").glob("*.eval"))


def test_deepeval_runs_its_page(tmp_path: Path) -> None:
    (tmp_path / "test_sums.py").write_text(example("deepeval", "test_sums.py"))
    done = run(tmp_path, "deepeval", "test", "run", "test_sums.py")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Fair Witness: calculation (score: 0.25" in done.stdout, done.stdout + done.stderr
    assert "Passed: 0 | Failed: 1" in done.stdout


def test_deepeval_never_takes_a_doubt_or_an_empty_answer_for_a_success(tmp_path: Path) -> None:
    (tmp_path / "go.py").write_text(
        """
from deepeval.test_case import LLMTestCase
from fairwitness.contract.errors import InvalidRequest
from fairwitness.integrations.deepeval_metric import FairWitnessMetric
metric = FairWitnessMetric(threshold=0.0)
metric.measure(LLMTestCase(input="How can I reach you?", actual_output="Write to jane.roe@gmail.com."))
assert metric.evaluation.overall_verdict == "needs_review" and not metric.is_successful()
metric.measure(LLMTestCase(input="What is 2+2?", actual_output="2+2 = 4."))
assert metric.is_successful()
try:
    metric.measure(LLMTestCase(input="What is 2+2?", actual_output=""))
except InvalidRequest:
    assert not metric.is_successful()
else:
    raise SystemExit("an empty answer was judged")
"""
    )
    done = run(tmp_path, "python", "go.py")
    assert done.returncode == 0, done.stdout + done.stderr


def test_mcp_runs_its_page(tmp_path: Path) -> None:
    source = example("mcp", "ask.py").replace('"fairwitness", args', f'"{BIN}/fairwitness", args')
    (tmp_path / "ask.py").write_text(source)
    done = run(tmp_path, "python", "ask.py")
    assert done.stdout.strip() in {"needs_review", "fail"}, done.stdout + done.stderr


def test_mcp_says_what_a_caller_can_mend_and_marks_what_spends(tmp_path: Path) -> None:
    (tmp_path / "go.py").write_text(
        """
import asyncio, json
from mcp import Client
from fairwitness.integrations.mcp_server import build

async def main():
    async with Client(build("http://127.0.0.1:9")) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        spends = {name: not tool.annotations.read_only_hint for name, tool in tools.items()}
        faults = []
        for name, given in [
            ("evaluate", {"prompt": "", "response": "x"}),
            ("evaluate", {"prompt": "x", "response": "\\ud800"}),
            ("evaluate", {"prompt": "x", "response": "y" * 400_001}),
            ("evaluate_many", {"rows": []}),
            ("evaluate_many", {"rows": [{"prompt": "a", "response": "b"}, {"prompt": "a", "response": ""}]}),
            ("verify", {"evidence": "{}"}),
            ("verify", {"evidence": "["}),
            ("arena", {"prompt": "x", "providers": ["provider_a", "provider_d"], "privacy_acknowledged": True}),
            ("arena", {"prompt": "x", "providers": ["provider_a"], "privacy_acknowledged": False}),
        ]:
            try:
                answer = await client.call_tool(name, given)
                assert answer.is_error, (name, given)
                faults.append(answer.content[0].text)
            except Exception as error:
                faults.append(f"{type(error).__name__}")
        context = {"prompt": "Who wrote it?", "response": "Ann wrote it.", "context": [{"text": "Ann wrote it."}]}
        fine = await client.call_tool("evaluate", context)
        assert not fine.is_error
        print(json.dumps({"spends": spends, "faults": faults}))

asyncio.run(main())
"""
    )
    done = run(tmp_path, "python", "go.py")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["spends"] == {
        "evaluate": False,
        "evaluate_many": False,
        "verify": False,
        "arena": True,
    }
    faults = found["faults"]
    for fault, words in zip(
        faults,
        [
            "prompt: must not be empty",
            "",
            "400002 characters; at most 400000",
            "rows: 0 given",
            "row 2: response: must not be empty",
            "not a response of arena-evidence",
            "",
            "Unreachable",
            "",
        ],
        strict=True,
    ):
        assert words in fault, faults


def test_mcp_over_http(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    stdio = 'StdioServerParameters(command="fairwitness", args=["mcp"])'
    source = example("mcp", "ask.py")
    assert stdio in source
    assert "http://127.0.0.1:8765/mcp" in page("mcp")
    (tmp_path / "ask.py").write_text(source.replace(stdio, f'"http://127.0.0.1:{port}/mcp"'))
    command = [
        str(BIN / "fairwitness"),
        "mcp",
        "--transport",
        "streamable-http",
        "--port",
        str(port),
    ]
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and server.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.2)
        done = run(tmp_path, "python", "ask.py")
    finally:
        server.terminate()
        server.wait(60)
    assert done.stdout.strip() == "fail", done.stderr + (tmp_path / "log").read_text()


def test_mcp_tells_what_a_service_refuses(tmp_path: Path) -> None:
    (tmp_path / "go.py").write_text(
        """
import asyncio, json, sys
from mcp import Client
from fairwitness.integrations.mcp_server import build

async def main():
    told = []
    for address in sys.argv[1:]:
        async with Client(build(address)) as client:
            given = {"prompt": "x", "providers": ["provider_a", "provider_d"], "privacy_acknowledged": True}
            answer = await client.call_tool("arena", given)
            assert answer.is_error
            told.append(answer.content[0].text)
    print(json.dumps(told))

asyncio.run(main())
"""
    )
    with faulty() as url:
        away = [f"{url}/{fault}" for fault in ("overloaded", "budget", "version", "elsewhere")]
        done = run(tmp_path, "python", "go.py", *away)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    words = ["overloaded: ", "budget_exhausted: ", "UnexpectedAnswer: ", "UnexpectedAnswer: "]
    assert all(word in one for word, one in zip(words, told, strict=True)), told


def test_opentelemetry_runs_its_page_without_text(tmp_path: Path) -> None:
    (tmp_path / "traced.py").write_text(example("opentelemetry", "traced.py"))
    done = run(tmp_path, "python", "traced.py")
    assert done.returncode == 0, done.stderr
    assert "gen_ai.evaluation.result" in done.stdout
    assert '"fairwitness.calculation"' in done.stdout
    assert '"chatcmpl-1"' in done.stdout
    assert "2 + 2 = 5" not in done.stdout
    assert '"trace_id": "0x00000000000000000000000000000000"' not in done.stdout
