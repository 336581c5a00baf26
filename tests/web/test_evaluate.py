"""Direct evaluation in the browser: the form, the result, its evidence, and ways to take it elsewhere."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import RunningServer
from tests.web.conftest import Visit
from tests.web.steps import copied, evaluate

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PROMPT = "How can I reach the support team?"
RESPONSE = "It's easy 😀: jane.roe@gmail.com or, on her mobile, +44 7911 123456."


@pytest.fixture
def page(visit: Callable[..., Visit], server: RunningServer) -> Page:
    return visit(server).open()


def test_a_result_says_what_decided_it(page: Page) -> None:
    result = evaluate(page, PROMPT, RESPONSE)
    expect(result.locator(".headline h2")).to_contain_text("of 100")
    expect(result.locator(".headline .why")).to_contain_text("Privacy")
    row = result.locator("tr[data-criterion=privacy]")
    expect(row.locator("svg.bar")).to_have_count(2)
    expect(row.locator(".confidence")).to_contain_text("%")
    assert result.locator("mark").all_inner_texts() == ["jane.roe@gmail.com", "+44 7911 123456"]
    expect(result.locator(".text").first).to_have_text(RESPONSE)
    # The reader is taken to the result.
    assert page.evaluate("document.activeElement.closest('.headline') !== null")


def test_findings_and_their_words_light_each_other(page: Page) -> None:
    result = evaluate(page, PROMPT, RESPONSE)
    mark = result.locator("mark").nth(1)
    quoted = mark.get_attribute("data-findings")
    finding = result.locator(f'li[data-finding="{quoted}"]')
    finding.hover()
    expect(mark).to_contain_class("lit")
    expect(result.locator("mark").first).not_to_contain_class("lit")
    page.mouse.move(0, 0)
    expect(mark).not_to_contain_class("lit")
    mark.focus()
    expect(finding).to_contain_class("lit")
    page.keyboard.press("Enter")
    expect(finding).to_be_focused()
    page.keyboard.press("Enter")
    expect(mark).to_be_focused()


def test_examples_fill_the_form_and_show_findings(page: Page) -> None:
    form = page.locator("form[data-form=evaluate]")
    form.locator("[name=privacy]").check()
    answers = {}
    for name in form.locator("[data-example]").all_inner_texts():
        form.get_by_role("button", name=name).click()
        with page.expect_response("**/api/evaluate-response") as answer:
            form.get_by_role("button", name="Evaluate").click()
        answers[name] = answer.value.json()["evaluation"]
        expect(form.locator("button.primary")).not_to_have_attribute("aria-disabled", "true")
    assert len(answers) == 5
    assert answers.pop("A good answer")["overallVerdict"] == "pass"
    assert all(found["findings"] for found in answers.values())


def test_counts_are_code_points_and_faults_are_said_before_sending(page: Page) -> None:
    form = page.locator("form[data-form=evaluate]")
    form.locator("[name=prompt]").fill("a😀b")
    expect(form.locator("[data-count=prompt]")).to_have_text("3 / 2000")
    form.locator("[name=response]").fill("😀" * 8000)
    expect(form.locator("[data-count=response]")).not_to_contain_class("over")
    form.locator("[name=response]").fill("😀" * 8001)
    expect(form.locator("[data-count=response]")).to_contain_class("over")
    form.locator("[name=privacy]").check()
    form.get_by_role("button", name="Evaluate").click()
    told = form.locator("[name=response]").evaluate("(field) => field.validationMessage")
    assert told == "At most 8000 characters. This text has 8001."
    expect(page.locator(".progress")).to_have_count(0)


def test_the_copied_commands_run_and_say_the_same(page: Page, tmp_path: Path) -> None:
    evaluate(page, PROMPT, RESPONSE + " \"'\\\n$(false) `false`")
    shown = json.loads(copied(page, "Copy JSON"))["evaluation"]
    curl = ["bash", "-euo", "pipefail", "-c", copied(page, "Copy as curl")]
    said = json.loads(subprocess.run(curl, capture_output=True, check=True, timeout=30).stdout)
    assert said["evaluation"]["findings"] == shown["findings"]
    python = [sys.executable, "-c", copied(page, "Copy as Python")]
    done = subprocess.run(python, capture_output=True, check=True, timeout=30, text=True)
    assert done.stdout == f"{shown['overallVerdict']} {float(shown['overallScore'])}\n"
    with page.expect_download() as download:
        page.get_by_role("button", name="Download JSON").click()
    file = tmp_path / "kept.json"
    download.value.save_as(file)
    assert json.loads(file.read_text())["evaluation"] == shown


def test_a_link_fills_the_form_and_never_reaches_the_server(
    page: Page, server: RunningServer, visit: Callable[..., Visit]
) -> None:
    evaluate(page, "secret-in-link & more", RESPONSE)
    link = copied(page, "Copy link to this form")
    other = visit(server)
    asked: list[str] = []
    other.page.on("request", lambda request: asked.append(request.url + (request.post_data or "")))
    other.open(link.removeprefix(server.url))
    form = other.page.locator("form[data-form=evaluate]")
    expect(form.locator("[name=prompt]")).to_have_value("secret-in-link & more")
    expect(form.locator("[name=response]")).to_have_value(RESPONSE)
    expect(form.locator("[name=privacy]")).not_to_be_checked()
    assert asked
    assert not [url for url in asked if "secret-in-link" in url.partition("#")[0]]
    assert "secret-in-link" not in server.log.read_text()
