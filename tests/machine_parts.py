"""Parts a machine may lack (Chromium, Node, Java, reverse proxies, the tools of our users): their tests skip, loudly, or fail where all are required."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator
from typing import Any

import pytest

# It is no setting of the service, so it has none of its prefix.
REQUIRE_ALL = "REQUIRE_ALL"
WORDS = (
    "needs chromium",
    "needs node",
    "needs the tools",
    "needs nginx",
    "needs caddy",
    "needs java",
    "needs systemd-analyze",
)
CHROMIUM = next(
    (
        found
        for name in ("chromium", "chromium-browser", "google-chrome")
        if (found := shutil.which(name))
    ),
    None,
)


def _want(report: pytest.TestReport) -> str | None:
    """Return why a test was skipped, where it was for want of a part."""
    if not report.skipped or not isinstance(report.longrepr, tuple):
        return None
    reason = report.longrepr[2].removeprefix("Skipped: ")
    return reason if reason.lower().startswith(WORDS) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if CHROMIUM is None and item.get_closest_marker("browser"):
            reason = "needs Chromium: install it (Debian: apt-get install chromium)"
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, pytest.TestReport]:
    report: pytest.TestReport = yield
    if os.environ.get(REQUIRE_ALL) == "1" and (reason := _want(report)):
        report.outcome = "failed"
        report.longrepr = f"{REQUIRE_ALL}=1, and this test was skipped: {reason}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    lacking: dict[str, int] = {}
    for report in terminalreporter.stats.get("skipped", []):
        if reason := _want(report):
            lacking[reason] = lacking.get(reason, 0) + 1
    if lacking:
        terminalreporter.section("NOT TESTED HERE", sep="!", red=True, bold=True)
        for reason, count in sorted(lacking.items()):
            terminalreporter.line(f"{count} tests skipped: {reason}", red=True)
