"""Clients that four generators make of both OpenAPI documents: the Python ones call a running service, the TypeScript ones compile."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from fairwitness.contract.examples import REQUESTS
from fairwitness.contract.examples_2 import REQUESTS_2
from fairwitness.contract.operations import OPERATIONS, OPERATIONS_2
from fairwitness.settings import SLOTS
from tests.conftest import RunningServer, serving
from tests.http.test_arena_2 import ANSWER
from tests.integrations.real_tools import ROOT, needs_tools, run
from tests.providers.peers import HostileServer, answer

# What is generated is shared, so one process runs them all.
pytestmark = pytest.mark.xdist_group("generated clients")
NODE_BIN = ROOT / "tests" / "peers" / "node_modules" / ".bin"
needs_java = pytest.mark.skipif(
    shutil.which("java") is None,
    reason="needs Java: install it (Debian: apt-get install default-jre-headless)",
)
needs_node = pytest.mark.skipif(
    not (NODE_BIN / "tsc").exists(), reason="needs Node: run `npm ci` in tests/peers"
)
DOCUMENTS = {"one": ("/openapi.json", OPERATIONS), "two": ("/openapi-2.json", OPERATIONS_2)}

CALL_OPENAPI_GENERATOR = """
import importlib, json, sys
package, url, cases = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
made = importlib.import_module(package)
client = made.ApiClient(made.Configuration(host=url))
for case in cases:
    api = getattr(made, case["tag"] + "Api")(client)
    body = getattr(made, case["model"]).from_dict(case["body"])
    result = getattr(api, case["method"])(body)
    print(case["id"], type(result).__name__, result.to_json()[:1])
"""
CALL_OPENAPI_PYTHON_CLIENT = """
import importlib, json, sys
package, url, cases = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
models = importlib.import_module(package + ".models")
client = importlib.import_module(package).Client(base_url=url, timeout=60)
for case in cases:
    call = importlib.import_module(f"{package}.api.{case['tag'].lower()}.{case['method']}")
    body = getattr(models, case["model"]).from_dict(case["body"])
    result = call.sync(client=client, body=body)
    print(case["id"], type(result).__name__, json.dumps(result.to_dict())[:1])
"""


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("generated")
    peer = HostileServer(answer(json.dumps(ANSWER).encode()))
    table = f'kind = "openai"\nmodel = "m"\nbase_url = "{peer.origin}/v1"\n'
    table += "input_usd_per_mtok = 0\noutput_usd_per_mtok = 0\n"
    (folder / "c.toml").write_text("".join(f"[providers.{slot}]\n{table}" for slot in SLOTS))
    settings: dict[str, Any] = {"CONFIG": str(folder / "c.toml"), "DUPLICATE_WINDOW_S": "0"}
    with serving(folder, **settings) as server:
        yield server
    peer.close()


@pytest.fixture(scope="session")
def described(running: RunningServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both documents as the service serves them, in a folder that generated code goes into."""
    folder = tmp_path_factory.mktemp("clients")
    for name, (path, _) in DOCUMENTS.items():
        body = httpx2.get(f"{running.url}{path}", timeout=60, trust_env=False).content
        (folder / f"{name}.json").write_bytes(body)
    return folder


@pytest.fixture(scope="session")
def by_openapi_generator(described: Path) -> Path:
    """Python and TypeScript of both documents, in one run of Java."""
    files = []
    for name in DOCUMENTS:
        for kind in ("python", "typescript-fetch"):
            config = {
                "inputSpec": str(described / f"{name}.json"),
                "generatorName": kind,
                "outputDir": str(described / f"{kind}-{name}"),
                "additionalProperties": {"packageName": f"generated_{name}"},
            }
            file = described / f"{kind}-{name}.config.json"
            file.write_text(json.dumps(config))
            files.append(str(file))
    done = run(described, "openapi-generator-cli", "batch", "--threads", "1", *files)
    assert done.returncode == 0, done.stdout + done.stderr
    return described


def cases(name: str) -> str:
    found = []
    for operation in DOCUMENTS[name][1]:
        found.append(
            {
                "id": operation.id,
                "tag": operation.tag,
                "method": re.sub(r"(?<!^)([A-Z])", r"_\1", operation.id).lower(),
                "model": operation.request.__name__,
                "body": (REQUESTS | REQUESTS_2)[operation.id],
            }
        )
    return json.dumps(found)


def results(name: str) -> list[str]:
    return [f"{one.id} {one.result.__name__} {{" for one in DOCUMENTS[name][1]]


def called(folder: Path, script: str, name: str, package: str, url: str) -> list[str]:
    done = run(folder, "python", "-c", script, package, url, cases(name), PYTHONPATH=str(folder))
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


@needs_tools
@needs_java
@pytest.mark.parametrize("name", DOCUMENTS)
def test_openapi_generators_python_calls_every_endpoint(
    by_openapi_generator: Path, running: RunningServer, name: str
) -> None:
    folder = by_openapi_generator / f"python-{name}"
    found = called(folder, CALL_OPENAPI_GENERATOR, name, f"generated_{name}", running.url)
    assert found == results(name)


@needs_tools
@pytest.mark.parametrize("name", DOCUMENTS)
def test_openapi_python_client_calls_every_endpoint(
    described: Path, running: RunningServer, name: str
) -> None:
    (described / "config.yml").write_text("post_hooks: []\n")
    package = f"plain_{name}"
    options = ["--config", "config.yml", "--meta", "none", "--output-path", package, "--overwrite"]
    done = run(described, "openapi-python-client", "generate", "--path", f"{name}.json", *options)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stdout + done.stderr
    assert called(described, CALL_OPENAPI_PYTHON_CLIENT, name, package, running.url) == results(
        name
    )


@needs_tools
@needs_java
@needs_node
def test_generated_typescript_compiles(by_openapi_generator: Path) -> None:
    for name in DOCUMENTS:
        made = [str(NODE_BIN / "openapi-typescript"), f"{name}.json", "-o", f"{name}.d.ts"]
        subprocess.run(made, cwd=by_openapi_generator, check=True, capture_output=True, timeout=120)
    files = [f"{name}.d.ts" for name in DOCUMENTS]
    files += [f"typescript-fetch-{name}/index.ts" for name in DOCUMENTS]
    (by_openapi_generator / "tsconfig.json").write_text(
        json.dumps(
            {
                "compilerOptions": {
                    "strict": True,
                    "noEmit": True,
                    "target": "es2022",
                    "lib": ["es2022", "dom"],
                    "module": "esnext",
                    "moduleResolution": "bundler",
                    "types": [],
                },
                "files": files,
            }
        )
    )
    done = subprocess.run(
        [NODE_BIN / "tsc", "-p", "."],
        cwd=by_openapi_generator,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-3000:]
