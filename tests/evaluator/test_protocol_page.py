"""The page "Writing a protocol": its example runs as it says, and nothing is left out."""

from __future__ import annotations

import subprocess
from importlib import resources
from pathlib import Path

import pytest

from fairwitness.evaluator import Evaluator, protocol
from fairwitness.evaluator.checks import KINDS
from fairwitness.evaluator.checks.schema import KEYWORDS
from fairwitness.evaluator.judges.spec import JudgeSpec
from fairwitness.evaluator.protocol_examples import run_examples

PAGE = resources.files("fairwitness.pages").joinpath("protocols.md").read_text()
START = resources.files("fairwitness.evaluator.protocols").joinpath("starting_point.toml")


@pytest.mark.parametrize(
    "text", [PAGE.split("```toml\n")[1].split("```")[0], START.read_text()], ids=["page", "init"]
)
def test_the_examples_get_the_verdicts_they_expect(text: str) -> None:
    evaluator = Evaluator.of(protocol.read(text.encode(), "acme.toml"))
    results = list(run_examples(evaluator))
    assert len(results) >= 2
    assert [result for result in results if not result.met] == []
    verdicts = {verdict.found for result in results for verdict in result.verdicts}
    assert {"pass", "fail"} <= verdicts


def test_the_page_names_every_kind_key_and_keyword() -> None:
    for kind, check in KINDS.items():
        (row,) = [line for line in PAGE.splitlines() if line.startswith("|") and f"`{kind}`" in line.split("|")[1]]  # fmt: skip
        for field in check.__struct_fields__:
            assert field in {"severity", "message"} or f"`{field}`" in row, f"{kind}: {field}"
    for keyword in KEYWORDS:
        assert f"`{keyword}`" in PAGE


def test_the_digest_is_made_as_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "acme.toml").write_text(PAGE.split("```toml\n")[1].split("```")[0])
    (tmp_path / "fairwitness.toml").write_bytes(protocol.shipped().source)
    (command,) = [line for line in PAGE.splitlines() if line.startswith("sha256sum")]
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, check=True)
    assert done.stdout.split()[0].decode() == protocol.load(tmp_path / "acme.toml").digest


EXAMPLES = resources.files("fairwitness.evaluator.protocols").joinpath("examples")


@pytest.mark.parametrize("name", sorted(entry.name for entry in EXAMPLES.iterdir()))
def test_the_whole_examples_run(name: str) -> None:
    text = EXAMPLES.joinpath(name).read_text()
    evaluator = Evaluator.of(protocol.read(text.encode(), name))
    assert evaluator.protocol.judged
    results = list(run_examples(evaluator))
    assert len(results) >= 3
    assert [result for result in results if not result.met] == []


def test_the_page_on_judges_names_every_key() -> None:
    page = resources.files("fairwitness.pages").joinpath("judges.md").read_text()
    for field in JudgeSpec.__struct_fields__:
        assert f"`{field}`" in page, field
