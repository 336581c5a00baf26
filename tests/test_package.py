"""The package as people install it: the wheel, with the core's requirements and none of the extras."""

from __future__ import annotations

import json
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from fairwitness import __version__
from fairwitness.extras import EXTRAS, install_line
from tests.installed_core import ROOT, Installed, build, install

pytestmark = pytest.mark.xdist_group("package")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MAX_CORE_MB = 250
# What of us needs an extra; everything else must work without.
NEEDS_EXTRAS = (
    "fairwitness.bootstrap",
    "fairwitness.cli.provider_check",
    "fairwitness.feedback.postgres",
    "fairwitness.http",
    "fairwitness.integrations",
    "fairwitness.ledger.postgres",
    "fairwitness.providers",
    "fairwitness.service",
    "fairwitness.site",
    "fairwitness.store.postgres",
)
# The tools our users have already; an extra would only install them again.
TOOLS = {"deepeval", "inspect_ai", "opentelemetry", "pytest"}
IMPORT_ALL = """
import importlib, json, pkgutil, sys
import fairwitness
missing = {}
for found in pkgutil.walk_packages(fairwitness.__path__, "fairwitness.", onerror=lambda name: None):
    if not found.name.endswith("__main__"):
        try:
            importlib.import_module(found.name)
        except Exception as error:
            missing[found.name] = f"{type(error).__name__}: {error}"
json.dump(missing, sys.stdout)
"""


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def core(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install(wheel, tmp_path_factory.mktemp("core") / "env")


def test_the_wheel_holds_all_of_the_source(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    source = ROOT / "src"
    wanted = {
        str(path.relative_to(source))
        for path in (source / "fairwitness").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wanted <= inside, sorted(wanted - inside)
    assert "fairwitness/py.typed" in inside
    assert any(name.endswith("dist-info/licenses/LICENSE") for name in inside)


def test_the_core_evaluates_at_the_command_line(core: Installed) -> None:
    done = core.run(
        "fairwitness", "evaluate", "--prompt", "What is 2+2?", "--response", "4", "--json"
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["evaluation"]["overallVerdict"] == "pass"


def test_the_core_evaluates_in_python(core: Installed) -> None:
    code = "from fairwitness import evaluate; print(evaluate('Hi', 'Mail jane.roe@gmail.com.').findings)"
    done = core.run("python", "-W", "error", "-c", code)
    assert done.returncode == 0, done.stderr
    assert "jane.roe@gmail.com" in done.stdout


def test_the_core_tells_its_version(core: Installed) -> None:
    assert core.run("fairwitness", "--version").stdout.strip() == __version__
    assert PROJECT["version"] == __version__


@pytest.mark.parametrize(
    "command",
    [
        ("--help",),
        ("verify", "--help"),
        ("improve", "--prompt", "Say hi.", "--response", "Hi hi hi hi hi hi hi hi."),
        ("keys", "show"),
        ("ledger",),
        ("switch", "status"),
        ("feedback", "list"),
        ("bench", "no-such-folder"),
    ],
    ids=" ".join,
)
def test_other_commands_of_the_core_need_no_extra(core: Installed, command: tuple[str]) -> None:
    done = core.run("fairwitness", *command)
    told = done.stdout + done.stderr
    assert done.returncode in {0, 1, 2}, told
    assert "Traceback" not in told
    assert "needs an extra" not in told
    assert "No module" not in told


def test_doctor_lists_the_extras_and_finds_the_core_well(core: Installed) -> None:
    done = core.run("fairwitness", "doctor")
    assert done.returncode == 0, done.stdout
    for extra in EXTRAS:
        assert f"{extra} missing ({install_line(extra)})" in done.stdout


@pytest.mark.parametrize(
    ("extra", "command", "environment"),
    [
        ("serve", ["serve"], {}),
        ("serve", ["doctor", "--providers"], {}),
        ("ray", ["batch", "-", "-o", "results.jsonl", "--engine", "ray"], {}),
        (
            "postgres",
            ["ledger"],
            {
                "FAIRWITNESS_LEDGER_URL": "postgresql://localhost/none",
                "FAIRWITNESS_SECRET_KEY": "0" * 32,
            },
        ),
    ],
)
def test_a_command_whose_extra_is_missing_says_which_line_installs_it(
    core: Installed, extra: str, command: list[str], environment: dict[str, str]
) -> None:
    done = core.run("fairwitness", *command, **environment)
    assert done.returncode == 2, done.stderr
    assert install_line(extra) in done.stderr
    assert "Traceback" not in done.stderr


def test_parquet_without_its_extra_says_which_line_installs_it(
    core: Installed, tmp_path: Path
) -> None:
    (tmp_path / "rows.parquet").write_bytes(b"PAR1")
    (tmp_path / "rows.jsonl").write_text('{"prompt": "Hi", "response": "Hello."}\n')
    for source, results in (("rows.parquet", "out.jsonl"), ("rows.jsonl", "out.parquet")):
        run = ("fairwitness", "batch", str(tmp_path / source), "-o", str(tmp_path / results))
        done = core.run(*run)
        assert done.returncode == 2, done.stderr
        assert install_line("batch") in done.stderr
        assert "Traceback" not in done.stderr


def test_a_hosted_provider_names_its_extra(core: Installed, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[providers.provider_a]\nkind = "openai"\nmodel = "some-model"\n')
    done = core.run("fairwitness", "doctor", FAIRWITNESS_CONFIG=str(config))
    assert f"[providers.provider_a] of kind openai needs an extra: {install_line('providers')}" in (
        " ".join(done.stdout.split())
    )
    assert done.returncode == 1


def test_modules_of_the_core_import_nothing_else(core: Installed) -> None:
    done = core.run("python", "-c", IMPORT_ALL)
    missing = json.loads(done.stdout)
    assert missing, "the extras are not there, so something must fail"
    modules = TOOLS | {module for extra in EXTRAS.values() for module in extra}
    for name, fault in missing.items():
        assert name.startswith(NEEDS_EXTRAS), f"{name}: {fault}"
        named = fault.partition("No module named ")[2].strip("'").split(".")[0]
        assert named in modules or fault.startswith("MissingExtra"), f"{name}: {fault}"


def test_the_core_is_small(core: Installed) -> None:
    files = (path for path in core.packages.rglob("*") if path.is_file())
    size = sum(path.stat().st_size for path in files)
    assert size < MAX_CORE_MB * 1_000_000, f"{size / 1_000_000:.0f} MB"


def test_the_core_starts_fast(core: Installed) -> None:
    bare = core.processor_s("pass")
    assert core.processor_s("import fairwitness") - bare < 0.1
    first = "from fairwitness import evaluate; evaluate('What is 2+2?', '4')"
    assert core.processor_s(first) < 2


def test_the_table_of_extras_is_that_of_the_package() -> None:
    declared = PROJECT["optional-dependencies"]
    assert set(declared) == {*EXTRAS, "all"}
    assert declared["all"] == [f"fairwitness[{','.join(EXTRAS)}]"]
    brought = metadata.packages_distributions()
    for extra, modules in EXTRAS.items():
        names = {Requirement(text).name for text in declared[extra]}
        assert {canonicalize_name(brought[module][0]) for module in modules} == names
        assert len(modules) == len(names)
