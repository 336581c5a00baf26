"""Builds the wheel as a user would get it and installs it beside the core's packages alone, without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import venv
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
# Packed lightly: how small the files get is not what is tested.
BUILD = """
import sys, zlib
from setuptools import build_meta
thorough = zlib.compressobj
zlib.compressobj = lambda level, *how: thorough(1, *how)
getattr(build_meta, sys.argv[1])(sys.argv[2])
"""


@dataclass(frozen=True)
class Installed:
    """An environment that holds the wheel and what its core asks for, and nothing else."""

    folder: Path

    @property
    def packages(self) -> Path:
        """Where its packages are."""
        return next((self.folder / "lib").glob("python3.*/site-packages"))

    def run(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a program of this environment, which knows nothing of ours."""
        program, *arguments = command
        return subprocess.run(
            [str(self.folder / "bin" / program), *arguments],
            env={**self._environment(), **environment},
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def processor_s(self, code: str) -> float:
        """Return the processor time of a cold start that runs some code, the least of three.

        The first compiles what it imports.
        """
        command = [str(self.folder / "bin" / "python"), "-c", code]
        taken = []
        for _ in range(3):
            started = os.spawnve(os.P_NOWAIT, command[0], command, self._environment())
            _, status, used = os.wait4(started, 0)
            assert status == 0, code
            taken.append(used.ru_utime + used.ru_stime)
        return min(taken)

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
        return {**kept, "FAIRWITNESS_DATA_DIR": str(self.folder / "data")}


def build(folder: Path) -> Path:
    """Return a wheel built from an sdist, which is built from a copy of the source."""
    source = folder / "source"
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "src", source / "src", ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    _build("build_sdist", source, folder)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    _build("build_wheel", next((folder / "unpacked").iterdir()), folder)
    return next(folder.glob("*.whl"))


def _build(kind: str, source: Path, out: Path) -> None:
    subprocess.run(
        [sys.executable, "-c", BUILD, kind, str(out)], cwd=source, check=True, capture_output=True
    )


def install(wheel: Path, folder: Path) -> Installed:
    """Install a wheel and what it asks for without extras, as this environment has it."""
    venv.create(folder, symlinks=True)
    installed = Installed(folder)
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install",
         "-q", "--no-deps", "--no-index", str(wheel)],
        check=True, capture_output=True,
    )  # fmt: skip
    found = next(iter(metadata.distributions(name="fairwitness", path=[str(installed.packages)])))
    for name in _needed(found.requires):
        _copy(metadata.distribution(name), installed.packages)
    return installed


def _needed(asked: list[str] | None) -> set[str]:
    """Return the names of all packages that a list of requirements leads to."""
    names: set[str] = set()
    waiting = [(Requirement(text), "") for text in asked or ()]
    while waiting:
        requirement, extra = waiting.pop()
        applies = requirement.marker is None or requirement.marker.evaluate({"extra": extra})
        if not applies or requirement.name in names:
            continue
        names.add(requirement.name)
        asks = [Requirement(text) for text in metadata.requires(requirement.name) or ()]
        waiting += [(one, chosen) for one in asks for chosen in ("", *requirement.extras)]
    return names


def _copy(package: metadata.Distribution, target: Path) -> None:
    for file in package.files or ():
        place = target / file
        source = Path(str(package.locate_file(file)))
        if ".." not in file.parts and file.suffix != ".pyc" and source.is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(source, place)
            except OSError:  # another file system
                shutil.copy(source, place)
