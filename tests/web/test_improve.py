"""The improvement demonstration and feedback in the browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.conftest import RunningServer
from tests.web.conftest import Visit
from tests.web.steps import copied, evaluate

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PROMPT = "How can I reach the support team?"
RESPONSE = (
    "You can reach her at jane.roe@gmail.com. Two calls of 15 minutes take 15 + 15 = 35 minutes."
)
REVISED = "You can reach her at [email address]. Two calls of 15 minutes take 15 + 15 = 30 minutes."


def improve(page: Page, response: str = RESPONSE) -> Locator:
    """Go from an evaluation to its improvement."""
    evaluate(page, PROMPT, response)
    page.get_by_role("link", name="Try to improve it").click()
    panel = page.locator("[data-panel=improve]")
    expect(panel.locator("[name=response]")).to_have_value(response)
    panel.locator("[name=privacy]").check()
    panel.get_by_role("button", name="Improve").click()
    panel.locator(".sides").wait_for()
    return panel


def test_steps_are_walked_as_changes(visit: Callable[..., Visit], server: RunningServer) -> None:
    here = visit(server, width=1600)
    panel = improve(here.open())
    expect(panel.locator("h2").first).to_contain_text("in 2 steps")
    walk = panel.locator(".walk")
    expect(walk.locator("del")).to_contain_text("35")
    expect(walk.locator("ins")).to_contain_text("30")
    walk.get_by_role("button", name="Next step").focus()
    here.page.keyboard.press("Enter")
    expect(walk.locator("h3")).to_contain_text("Step 2 of 2")
    expect(walk.locator("del")).to_contain_text("jane.roe@gmail.com")
    expect(walk.locator("ins")).to_contain_text("[email address]")
    here.page.keyboard.press("Enter")  # at the end it stays, and keeps the focus
    expect(walk.get_by_role("button", name="Next step")).to_be_focused()
    walk.get_by_role("button", name="Previous step").click()
    expect(walk.locator("h3")).to_contain_text("Step 1 of 2")
    expect(panel.locator(".card .text").last).to_have_text(REVISED)
    assert copied(here.page, "Copy revised response") == REVISED
    here.shoot("improve-light-1600")


def test_an_attempt_that_was_not_kept_quotes_its_span(
    visit: Callable[..., Visit], server: RunningServer
) -> None:
    page = visit(server).open()
    panel = improve(page, "I have just emailed your boss about it.")
    panel.locator("details", has_text="Rejected edits").locator("summary").click()
    line = panel.locator("details li", has_text="Tried: false claim removed for honesty at")
    expect(line.locator("q")).to_contain_text("I have just emailed")
    expect(line.locator("q")).to_have_attribute("title", re.compile(r"characters 0 to \d+"))


def test_feedback_is_tied_to_its_request(
    visit: Callable[..., Visit], server: RunningServer
) -> None:
    page = visit(server).open()
    with page.expect_response("**/api/evaluate-response") as answer:
        result = evaluate(page, PROMPT, RESPONSE)
    expect(result).to_be_visible()
    form = page.locator(".feedback")
    form.locator("summary").click()
    form.get_by_label("Message").fill("The phone number is our own 😀")
    expect(form.locator(".count")).to_have_text("29 / 2000")
    form.get_by_label("Rating").select_option("4")
    form.get_by_label("Contact").fill("me@example.org")
    form.get_by_label("I have the right to submit this").check()
    with page.expect_response("**/api/feedback") as kept:
        form.get_by_role("button", name="Send").click()
    expect(form.locator(".thanks")).to_contain_text(kept.value.json()["feedbackId"])
    sent = json.loads(kept.value.request.post_data or "")
    assert kept.value.status == 201
    assert sent["requestId"] == answer.value.json()["requestId"]
    assert (sent["rating"], sent["category"]) == (4, "evaluation_quality")
