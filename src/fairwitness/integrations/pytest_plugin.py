"""The pytest plugin: a `fairwitness` fixture whose assertions show the evidence when they fail.

It is loaded in every pytest run of an environment, so it imports nothing of ours until a test asks for it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from fairwitness.integrations.assertions import Assertions

_TOLD = pytest.StashKey[list[str]]()


@pytest.fixture
def fairwitness(request: pytest.FixtureRequest) -> Assertions:
    """Assertions about an AI response: `fairwitness.assert_response(prompt, response)`."""
    from fairwitness.integrations.assertions import Assertions

    told: list[str] = request.node.stash.setdefault(_TOLD, [])
    return Assertions(
        record=lambda name, value: request.node.user_properties.append((name, value)),
        tell=told.append,
        color=_wants_color(request.config),
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Put the whole evaluation under the report of a test that failed."""
    report = yield
    if report.when == "call" and report.failed:
        report.sections += [("Fair Witness", text) for text in item.stash.get(_TOLD, [])]
    return report


def _wants_color(config: pytest.Config) -> bool:
    writer: Any = config.get_terminal_writer()
    return bool(writer.hasmarkup)
