"""The files of deploy/ by their own linters and schemas, and their figures against the settings and metrics they speak of.

What cannot run here, and so is only checked: building an image, a cluster, a running systemd.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from fairwitness import settings
from fairwitness.http import metrics
from tests.integrations.real_tools import ROOT, needs_tools
from tests.integrations.real_tools import run as run_tool

DEPLOY = ROOT / "deploy"
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
NO_RESOURCE = {"kustomization.yaml", "prometheus-adapter.yaml"}


def _yaml(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((DEPLOY / name).read_text()))


@needs_tools
def test_the_dockerfile_passes_its_linter() -> None:
    done = run_tool(DEPLOY, "hadolint", "--failure-threshold", "style", "Dockerfile")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_image_holds_what_its_lock_and_ignore_file_let_in() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    let_in = [
        line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"
    ]
    copied = re.findall(r"^COPY (?!--from)(.+) \./", text, re.MULTILINE)
    named = " ".join(copied).replace("${LOCK}", "requirements-image.lock requirements-serve.lock")
    assert sorted(named.split()) == sorted(let_in)
    for name in let_in:
        assert (ROOT / name).exists()
    assert text.rindex("USER 10001:10001") < text.rindex("ENTRYPOINT")
    locked = (ROOT / "requirements-image.lock").read_text()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    for extra in ("serve", "providers", "postgres"):
        for package in extras[extra]:
            name = re.split(r"[;<>= ]", package)[0]
            assert re.search(rf"^{re.escape(name)}==", locked, re.MULTILINE), name


def test_compose_is_valid_by_its_published_schema() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run(
        [*command, DEPLOY / "compose.yaml"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    wanted = set(re.findall(r"\$\{(\w+):\?\}", (DEPLOY / "compose.yaml").read_text()))
    named = re.findall(r"^(\w+)=$", (DEPLOY / "compose.env.example").read_text(), re.MULTILINE)
    assert wanted == set(named)


@needs_tools
@pytest.mark.parametrize(
    "file", [file for file in MANIFESTS if file.name not in NO_RESOURCE], ids=lambda file: file.name
)
def test_manifests_are_valid_by_the_schemas_of_kubernetes(file: Path) -> None:
    done = run_tool(DEPLOY, "kubernetes-validate", "--strict", str(file))
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_kustomization_names_every_manifest() -> None:
    (listed,) = _yaml("kubernetes/kustomization.yaml")
    assert set(listed["resources"]) == {file.name for file in MANIFESTS} - NO_RESOURCE


def test_every_setting_named_is_one() -> None:
    known = {f"{settings.PREFIX}{field.name.upper()}" for field in settings.table()}
    for file in DEPLOY.rglob("*"):
        if file.is_file():
            assert set(re.findall(r"FAIRWITNESS_[A-Z_]*[A-Z]", file.read_text())) <= known, file


def test_the_settings_of_each_file_load() -> None:
    configuration = _yaml("kubernetes/configuration.yaml")[0]["data"]
    compose = _yaml("compose.yaml")[0]["services"]["fairwitness"]["environment"]
    for given in (configuration, compose):
        filled = {name: re.sub(r"\$\{\w+:\?\}", "a" * 48, value) for name, value in given.items()}
        assert settings.load(filled).workers == 2


def test_stopping_waits_for_what_is_in_flight() -> None:
    grace = settings.load({}).shutdown_grace_s
    (deployment,) = _yaml("kubernetes/deployment.yaml")
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    pause = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod["terminationGracePeriodSeconds"] >= grace + pause
    compose = _yaml("compose.yaml")[0]["services"]["fairwitness"]
    assert int(compose["stop_grace_period"].removesuffix("s")) > grace
    unit = (DEPLOY / "fairwitness.service").read_text()
    assert int(re.findall(r"TimeoutStopSec=(\d+)", unit)[0]) > grace
    deadline = settings.load({}).provider_deadline_s
    for name in ("nginx.conf", "Caddyfile"):
        (longest,) = re.findall(r"timeout (\d+)s", (DEPLOY / name).read_text())
        assert int(longest) > deadline + 60


def test_the_autoscaler_reads_a_metric_that_exists() -> None:
    (scaler,) = _yaml("kubernetes/autoscaling.yaml")
    (metric,) = scaler["spec"]["metrics"]
    assert metric["pods"]["metric"]["name"] == metrics.WAITING._name
    assert set(metric["pods"]["metric"]["selector"]["matchLabels"]) == set(
        metrics.WAITING._labelnames
    )
    assert metrics.WAITING._name in (DEPLOY / "kubernetes/prometheus-adapter.yaml").read_text()


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="needs systemd-analyze (Debian: systemd)"
)
def test_the_unit_passes_systemds_own_check(tmp_path: Path) -> None:
    unit = (DEPLOY / "fairwitness.service").read_text()
    program = "/opt/fairwitness/bin/fairwitness serve"
    assert program in unit
    # It is not installed here, and systemd would say so.
    file = tmp_path / "fairwitness.service"
    file.write_text(unit.replace(program, "/bin/true"))
    done = subprocess.run(
        ["systemd-analyze", "verify", file], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
