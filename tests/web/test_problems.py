"""What goes wrong is said in words with what to do, and can be tried again."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.conftest import RunningServer
from tests.web.conftest import Stage, Visit
from tests.web.steps import evaluate, run_arena

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_429_counts_down_and_then_works(visit: Callable[..., Visit], stage: Stage) -> None:
    stage.first.text = stage.second.text = "Water, light and air."
    here = visit(stage.server)
    here.expected.add(429)
    here.open("/#arena")
    panel = run_arena(here, "What do plants need?", "ad")
    panel.locator(".standings").wait_for()
    panel.get_by_role("button", name="Run").click()
    problem = panel.locator(".problem")
    expect(problem).to_contain_text("The same request is running or has just finished")
    expect(problem.locator(".wait")).to_have_text(re.compile(r"You can try again in [12] s\."))
    again = problem.get_by_role("button", name="Try again")
    expect(again).to_be_disabled()
    here.shoot("problem-429-light-1200")
    expect(again).to_be_enabled()
    again.click()
    panel.locator(".standings").wait_for()


def test_503_says_what_still_works(visit: Callable[..., Visit], refusing: RunningServer) -> None:
    here = visit(refusing, width=360, theme="dark")
    here.expected.add(503)
    here.open("/#arena")
    panel = run_arena(here, "What do plants need?", "ad")
    problem = panel.locator(".problem")
    expect(problem).to_contain_text("Direct evaluation still works")
    expect(problem.locator("code")).to_have_text(re.compile(r"^[0-9a-f-]{36}$"))
    here.shoot("problem-503-dark-360")
    here.panel("evaluate")
    evaluate(here.page, "What do plants need?", "Water, light and air.")


def test_every_provider_failing_lists_each(visit: Callable[..., Visit], stage: Stage) -> None:
    stage.first.text = stage.second.text = ""
    here = visit(stage.server)
    here.expected.add(503)
    here.open("/#arena")
    panel = run_arena(here, "What do plants want?", "ad")
    expect(panel.locator(".problem li")).to_have_count(2)


def test_feedback_that_cannot_be_kept_is_not_lost(
    visit: Callable[..., Visit], refusing: RunningServer
) -> None:
    here = visit(refusing)
    here.expected |= {429, 503}
    page = here.open()
    evaluate(page, "What do plants need?", "Water, light and air.")
    form = page.locator(".feedback")
    form.locator("summary").click()
    form.get_by_label("Message").fill("keep this")
    form.get_by_label("I have the right to submit this").check()
    form.get_by_role("button", name="Send").click()
    expect(form.locator(".problem")).to_contain_text("Keep your text and try again later")
    expect(form.get_by_label("Message")).to_have_value("keep this")


def test_a_refused_body_lists_its_faults(
    visit: Callable[..., Visit], server: RunningServer
) -> None:
    """The form catches what it can; a lone surrogate passes it, and the service refuses it."""
    here = visit(server)
    here.expected.add(400)
    page = here.open()
    form = page.locator("form[data-form=evaluate]")
    form.locator("[name=prompt]").fill("What is this?")
    form.locator("[name=response]").evaluate("(field) => { field.value = '\\ud800'; }")
    form.locator("[name=privacy]").check()
    form.get_by_role("button", name="Evaluate").click()
    problem = page.locator("[data-panel=evaluate] .problem")
    expect(problem).to_contain_text("Fix the problems listed below")
    expect(problem.locator("li").first).to_be_visible()


def test_offline_loses_nothing_and_can_be_tried_again(
    visit: Callable[..., Visit], server: RunningServer
) -> None:
    here = visit(server, alone=True)
    page = here.open()
    form = page.locator("form[data-form=evaluate]")
    form.locator("[name=prompt]").fill("What do plants need?")
    form.locator("[name=response]").fill("Water, light and air.")
    form.locator("[name=privacy]").check()
    page.context.set_offline(True)
    form.get_by_role("button", name="Evaluate").click()
    problem = page.locator("[data-panel=evaluate] .problem")
    expect(problem).to_contain_text("You are offline")
    here.panel("improve")
    lost = page.locator("[data-panel=improve] .problem")
    expect(lost).to_contain_text("could not be loaded")
    page.context.set_offline(False)
    here.complaints[:] = [said for said in here.complaints if "ERR_INTERNET" not in said]
    here.panel("evaluate")
    problem.get_by_role("button", name="Try again").click()
    expect(page.locator(".result:not(.sample) .headline")).to_be_visible()
