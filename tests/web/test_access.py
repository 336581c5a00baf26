"""Everyone can use it: axe-core finds nothing, and the keyboard alone is enough."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests.conftest import RunningServer
from tests.web.conftest import Stage, Visit
from tests.web.steps import evaluate, run_arena

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LEAKY = "Write to jane.roe@gmail.com, or call +44 7911 123456.\u200b"


def check(page: Page) -> None:
    """Run axe-core over the whole page, best practices included; it comes from the tests, not the page."""
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    told = [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
    ]
    assert told == []


@pytest.mark.parametrize(("theme", "width"), [("light", 1600), ("dark", 360)])
def test_axe_finds_nothing(
    visit: Callable[..., Visit], stage: Stage, theme: str, width: int
) -> None:
    stage.first.text, stage.second.text = LEAKY, "Water, light and air."
    here = visit(stage.server, width=width, theme=theme)
    page = here.open()
    check(page)
    result = evaluate(page, "How can I reach them?", LEAKY)
    result.locator("li[data-finding]").first.hover()
    page.locator(".feedback summary").click()
    page.locator(".silent summary").click()
    check(page)
    page.get_by_role("link", name="Try to improve it").click()
    improve = page.locator("[data-panel=improve]")
    improve.locator("[name=privacy]").check()
    improve.get_by_role("button", name="Improve").click()
    improve.locator(".sides").wait_for()
    check(page)
    panel = run_arena(here, f"What do plants need, {theme} {width}?")
    panel.get_by_role("button", name="Verify in this browser").click()
    panel.locator(".evidence").wait_for()
    check(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_problems_and_documents(
    visit: Callable[..., Visit], refusing: RunningServer, theme: str
) -> None:
    here = visit(refusing, width=800, theme=theme)
    here.expected.add(503)
    here.open("/#arena")
    run_arena(here, "What do plants need?", "ad").locator(".problem").wait_for()
    check(here.page)
    here.panel("verify")
    check(here.page)
    for name in ("", "/quickstart", "/protocol"):
        check(here.open(f"/docs{name}"))


def test_the_keyboard_is_enough(visit: Callable[..., Visit], server: RunningServer) -> None:
    here = visit(server)
    page = here.open()
    press, write = page.keyboard.press, page.keyboard.insert_text

    def reach(name: str) -> None:
        """Tab on until the focus is on what has this name."""
        for _ in range(60):
            press("Tab")
            words = "(node) => (node.labels?.[0] ?? node).textContent.trim()"
            if page.locator(":focus").evaluate(words).startswith(name):
                return
        raise AssertionError(f"{name} cannot be reached")

    press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to content")
    press("Enter")
    reach("Prompt")
    write("How can I reach them?")
    reach("Response")
    write(LEAKY)
    reach("I have the right to submit this text")
    press("Space")
    reach("Evaluate")
    press("Enter")
    expect(page.locator(".headline h2")).to_be_focused()
    reach("jane.roe@gmail.com")
    expect(page.locator("li.lit")).to_have_count(1)
    press("Enter")
    expect(page.locator("li[data-finding]:focus")).to_have_count(1)
    reach("Copy JSON")
    press("Enter")
    expect(page.get_by_role("button", name="Copied")).to_be_focused()
    reach("Send feedback about this result")
    press("Enter")
    reach("Message")
    write("Reached by keyboard.")
    reach("I have the right to submit this")
    press("Space")
    reach("Send")
    press("Enter")
    expect(page.locator(".thanks")).to_be_visible()


def test_results_and_copies_are_announced(
    visit: Callable[..., Visit], server: RunningServer
) -> None:
    page = visit(server).open()
    evaluate(page, "How can I reach them?", LEAKY)
    expect(page.get_by_role("status").last).to_contain_text("of 100")
    page.get_by_role("button", name="Copy JSON").click()
    expect(page.get_by_role("status").last).to_have_text("Copied")
