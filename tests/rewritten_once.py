"""Rewrites the assertions of all test files once, before the workers start: each would rewrite all for itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from _pytest.assertion import rewrite

TESTS = Path(__file__).parent


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Keep what pytest makes of each file where it looks for it itself.

    It takes 5 seconds of a processor. Workers that start together find nothing kept, and where Python is told to write no
    bytecode they never do. A worker compares the hash of the source, so that nothing old is used.
    """
    if config.getoption("assertmode") != "rewrite":
        return
    for name in (*config.getini("python_files"), "conftest.py"):
        for path in TESTS.rglob(name):
            _keep(path, config)


def _keep(path: Path, config: pytest.Config) -> None:
    folder = rewrite.get_cache_dir(path)
    kept = folder / (path.stem + rewrite.PYC_TAIL)
    if rewrite._read_pyc(path, kept) is None and rewrite.try_makedirs(folder):
        source_hash, code = rewrite._rewrite_test(path, config)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source_hash, kept)
