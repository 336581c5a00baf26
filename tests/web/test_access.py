"""Everyone can use it: the keyboard alone is enough, and results are announced."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import RunningServer
from tests.web.conftest import Stage, Visit
from tests.web.steps import evaluate

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LEAKY = "Write to jane.roe@gmail.com, or call +44 7911 123456.\u200b"


def tab_to(page: Page, name: str) -> None:
    """Tab on until the focus is on what has this name."""
    for _ in range(80):
        page.keyboard.press("Tab")
        words = "(node) => (node.labels?.[0] ?? node).textContent.trim()"
        if page.locator(":focus").evaluate(words).startswith(name):
            return
    raise AssertionError(f"{name} cannot be reached")


def test_the_keyboard_is_enough(visit: Callable[..., Visit], server: RunningServer) -> None:
    here = visit(server)
    page = here.open()
    press, write = page.keyboard.press, page.keyboard.insert_text
    reach = partial(tab_to, page)

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


def test_the_keyboard_is_enough_for_the_arena_and_verify(
    visit: Callable[..., Visit], stage: Stage, tmp_path: Path
) -> None:
    stage.first.text, stage.second.text = LEAKY, "Water, light and air."
    here = visit(stage.server)
    page = here.open()
    press, reach = page.keyboard.press, partial(tab_to, page)
    reach("Arena")
    press("Enter")
    panel = page.locator("[data-panel=arena]")
    panel.locator("[name=providers]:enabled").first.wait_for()
    reach("Explain")
    press("Enter")
    expect(panel.locator("[name=prompt]")).to_be_focused()
    reach("Add a system prompt")
    press("Enter")
    reach("System prompt")
    page.keyboard.insert_text("Answer briefly.")
    reach("Add a message")
    press("Enter")
    page.keyboard.insert_text("Hello.")
    reach("Blind")
    press("Space")
    reach("I have the right to submit this text")
    press("Space")
    press("Control+Enter")
    expect(panel.locator("h2")).to_be_focused()
    expect(panel.locator("h2")).to_have_text("Which answer is better?")
    reach("No clear difference")
    press("Enter")
    expect(panel.locator("h2")).to_be_focused()
    reach("Failed or needs review")
    press("Enter")
    expect(panel.locator("details.issues[open]")).to_have_count(1)
    with page.expect_download():
        reach("Download page to publish")
        press("Enter")
    reach("Verify in this browser")
    press("Enter")
    expect(panel.locator(".evidence h2")).to_contain_text("Verified")
    page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
    page.locator("main").focus()
    here.panel("verify")
    with page.expect_file_chooser() as chosen:
        reach("Evidence file")
        press("Enter")
    (tmp_path / "a.json").write_text("{}")
    chosen.value.set_files(tmp_path / "a.json")
    expect(page.locator("[data-panel=verify] h2")).to_be_focused()


def test_the_keyboard_is_enough_to_improve(
    visit: Callable[..., Visit], server: RunningServer
) -> None:
    page = visit(server).open("/#improve")
    press, reach = page.keyboard.press, partial(tab_to, page)
    panel = page.locator("[data-panel=improve]")
    reach("Personal data and a sum")
    press("Enter")
    expect(panel.locator(".outcome h2")).to_be_focused()
    reach("Next step")
    press("Enter")
    expect(panel.locator(".walk h3")).to_contain_text("Step 2 of ")
    reach("Copy revised response")
    press("Enter")
    expect(page.get_by_role("button", name="Copied")).to_be_focused()


def test_results_and_copies_are_announced(
    visit: Callable[..., Visit], server: RunningServer
) -> None:
    page = visit(server).open()
    evaluate(page, "How can I reach them?", LEAKY)
    expect(page.get_by_role("status").last).to_contain_text("of 100")
    page.get_by_role("button", name="Copy JSON").click()
    expect(page.get_by_role("status").last).to_have_text("Copied")
