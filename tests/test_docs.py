"""The documents against the code: everything is documented, and every example runs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from fairwitness import settings
from fairwitness.contract.errors import ErrorCode
from fairwitness.contract.operations import OPERATIONS, OPERATIONS_2, Operation
from fairwitness.contract.results import INTERPRETATION
from fairwitness.evidence.recompute import compare
from fairwitness.extras import EXTRAS
from fairwitness.site.pages import doc_pages
from tests import warm_start
from tests.conftest import RunningServer

ROOT = Path(__file__).parent.parent
# Each page is written when it is first read.
PAGES = doc_pages()
MARKDOWN = {path: page.body.decode() for path, page in PAGES.items() if path.endswith(".md")}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[tuple[str, str]]:
    sources = {**MARKDOWN, "README": (ROOT / "README.md").read_text()}
    return [
        (name, body)
        for name, text in sources.items()
        for kind, body in BLOCK.findall(text)
        if kind == language
    ]


def test_every_page_can_be_written() -> None:
    for path, page in PAGES.items():
        assert page.body, path


def test_every_setting_is_documented() -> None:
    for field in settings.table():
        assert f"`FAIRWITNESS_{field.name.upper()}`" in MARKDOWN["/docs/settings.md"]


def test_every_extra_is_in_the_install_tables_and_in_the_readme() -> None:
    for extra in (*EXTRAS, "all"):
        assert f"`pip install '.[{extra}]'`" in MARKDOWN["/docs/install.md"]
        assert f"[{extra}]" in (ROOT / "README.md").read_text()


def test_every_endpoint_and_error_code_is_documented() -> None:
    page = MARKDOWN["/docs/api.md"]
    for operation in OPERATIONS:
        assert f"`POST {operation.path}`" in page
        assert operation.id in page
    for code in ErrorCode:
        assert f"`{code.value}`" in page


@pytest.mark.parametrize(
    "path", ["/docs/quickstart", "/docs/quickstart.md", "/docs/api", "/docs/api.md", "/docs"]
)
def test_interpretation_rule_stands(path: str) -> None:
    assert INTERPRETATION in PAGES[path].body.decode()


def test_interpretation_rule_in_openapi(client: httpx2.Client) -> None:
    assert INTERPRETATION in client.get("/openapi.json").json()["info"]["description"]


@pytest.mark.parametrize(("name", "body"), blocks("json"))
def test_json_examples_parse(name: str, body: str) -> None:
    json.loads(body)


def python(code: str) -> bytes:
    """Run Python code as `python -W error -c CODE` does, and return what it prints."""
    filters = "import warnings; warnings.simplefilter('error')\n"
    done = warm_start.run_python(["-c", filters + code], os.environ)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def test_a_python_example_runs_from_a_cold_start() -> None:
    """The others are forked from a process that has the package imported: here an import may warn of nothing, too."""
    (_, body), *_ = blocks("python")
    command = [sys.executable, "-W", "error", "-c", body]
    subprocess.run(command, check=True, capture_output=True, timeout=60)


@pytest.mark.parametrize(("name", "body"), blocks("python"))
def test_python_examples_run(name: str, body: str) -> None:
    python(body)


@pytest.mark.parametrize(
    ("name", "body"), [block for block in blocks("bash") if block[1].startswith("curl")]
)
def test_curl_examples_run(server: RunningServer, name: str, body: str) -> None:
    command = body.replace("http://127.0.0.1:8080", server.url)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command], capture_output=True, timeout=120, check=True
    )
    assert "error" not in json.loads(done.stdout), done.stdout


@pytest.mark.parametrize("body", [body for name, body in blocks("py") if "contract-2" in name])
def test_python_examples_over_http_run(server: RunningServer, body: str) -> None:
    """What needs a running service is fenced as `py`."""
    assert python(body.replace("http://127.0.0.1:8080", server.url))


@pytest.mark.parametrize("operation", OPERATIONS_2, ids=lambda operation: operation.id)
def test_contract_2_is_documented(operation: Operation) -> None:
    page = MARKDOWN["/docs/contract-2.md"]
    assert f"POST {operation.path}" in page
    for field in operation.request.__struct_encode_fields__:
        assert f"`{field}`" in page, field


@pytest.mark.parametrize(
    ("name", "line"),
    [
        (name, line)
        for name, body in blocks("bash")
        for line in body.splitlines()
        if line.startswith(("fairwitness evaluate --prompt ", "python -c "))
    ],
)
def test_command_examples_run(name: str, line: str) -> None:
    script = ["bash", "-c", warm_start.shell_functions() + line]
    done = subprocess.run(script, capture_output=True, timeout=60, check=False)
    assert done.returncode in {0, 1, 3}, done.stderr


def test_links_between_documents_lead_somewhere() -> None:
    known = set(PAGES) | {"/openapi.json", "/openapi-2.json", "/"}
    for path, text in MARKDOWN.items():
        for target in re.findall(r"\]\((/[^)\s]*)\)", text):
            page, _, anchor = target.partition("#")
            assert page in known or (
                page.startswith("/docs/") and page.endswith((".json", ".svg", ".toml"))
            ), f"{path}: {target}"
            if anchor:
                assert f'id="{anchor}"' in PAGES[page].body.decode(), f"{path}: {target}"


def test_commands_page_names_every_command() -> None:
    shown = warm_start.run_text(["--help"], os.environ)
    commands = re.findall(r"^│ ([a-z]+)", shown.stdout, re.MULTILINE)
    assert {"serve", "evaluate", "doctor"} <= set(commands)
    for command in commands:
        assert f"`fairwitness {command}" in MARKDOWN["/docs/commands.md"], command


def test_readme_tree_names_real_places() -> None:
    readme = (ROOT / "README.md").read_text()
    tree = re.search(r"```text\n(src/.*?)```", readme, re.DOTALL)
    assert tree is not None
    stack: list[str] = []
    for line in tree.group(1).splitlines():
        if not line.strip():
            continue
        name = line.split()[0]
        depth = (len(line) - len(line.lstrip())) // 2
        stack[depth:] = [name.rstrip("/")]
        assert ROOT.joinpath(*stack).exists(), "/".join(stack)


def test_the_readme_shows_the_real_answer(client: httpx2.Client) -> None:
    """The README shows what the service returns, ids and times aside, as near as between kinds of CPU."""
    readme = (ROOT / "README.md").read_text()
    assert "@@" not in readme
    command = next(
        body for name, body in blocks("bash") if name == "README" and body.startswith("curl")
    )
    sent = json.loads(command[command.index("'{") + 1 : command.rindex("'")])
    told = client.post("/api/evaluate-response", json=sent).json()
    shown = json.loads(readme.split("<!-- answer -->\n```json\n")[1].split("```")[0])
    assert shown["protocolVersion"] == told["protocolVersion"]
    real = {name: told["evaluation"][name] for name in shown["evaluation"]}
    assert {"overallScore", "overallVerdict", "reasonDetails", "verdicts", "findings"} <= set(real)
    criteria = [item["criterionId"] for item in shown["evaluation"]["verdicts"]]
    real["verdicts"] = [item for item in real["verdicts"] if item["criterionId"] in criteria]
    nearness, difference = compare(shown["evaluation"], real, "evaluation")
    assert nearness != "different", difference


def test_a_decision_has_a_number_of_its_own() -> None:
    records = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [int(record.name[:4]) for record in records]
    assert len(numbers) == len(set(numbers))
    for record, number in zip(records, numbers, strict=True):
        assert record.read_text().startswith(f"# {number}. ")
