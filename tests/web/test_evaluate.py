"""Direct evaluation in the browser: the form, the result, its evidence, and ways to take it elsewhere."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from fairwitness.evaluator import protocol
from fairwitness.evidence.recompute import compare
from tests.conftest import RunningServer
from tests.web.conftest import Visit
from tests.web.steps import copied, evaluate

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PROMPT = "How can I reach the support team?"
RESPONSE = "You can reach them at jane.roe@gmail.com 😀 or on +44 7911 123456."


@pytest.fixture
def page(visit: Callable[..., Visit], server: RunningServer) -> Page:
    return visit(server).open()


def test_a_result_says_what_decided_it(page: Page) -> None:
    result = evaluate(page, PROMPT, RESPONSE)
    expect(result.locator(".headline h2")).to_contain_text("of 100")
    expect(result.locator(".headline .why")).to_have_text(
        "Privacy failed (36.0). On its own that does not fail the response."
    )
    row = result.locator(".issues [data-criterion=privacy]")
    expect(row.locator("svg.bar .zone")).to_have_count(3)
    spec = protocol.shipped()["privacy"]
    expect(row).to_contain_text(
        f"fails below {spec.fail_below:g}, passes from {spec.pass_from:g} · weight {spec.weight:g}"
    )
    expect(row).to_contain_text("confidence 99%")
    expect(result.locator(".headline .facts")).to_have_text("Facts are not checked.")
    expect(result.locator(".passed [data-criterion]").first).to_be_hidden()
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


def test_examples_get_the_verdict_they_are_listed_under(page: Page) -> None:
    form = page.locator("form[data-form=evaluate]")
    verdicts = []
    for button in form.locator("[data-example]").all():
        with page.expect_response("**/evaluate-response") as answer:
            button.click()
        found = answer.value.json()["evaluation"]
        promised = button.get_attribute("class")
        assert found["overallVerdict"] == promised, button.inner_text()
        expect(page.locator(".result:not(.sample) .headline")).to_contain_class(str(promised))
        verdicts.append(promised)
    assert {"pass", "fail", "needs_review"} == set(verdicts)
    # Our own text needs no promise of the reader's; a text of theirs still does.
    expect(form.locator("[name=privacy]")).not_to_be_checked()


def test_the_sample_is_there_before_any_script_and_is_what_the_evaluator_says(
    visit: Callable[..., Visit], server: RunningServer
) -> None:
    kept = json.loads(resources.files("fairwitness.web").joinpath("sample.json").read_text("utf-8"))
    page = visit(server).open()
    sample = page.locator(".sample")
    expect(sample).to_contain_text(f"{kept['evaluation']['overallScore']:.1f} of 100")
    expect(sample.locator(".text")).to_have_text(kept["response"])
    assert page.locator(".top").inner_text().count("public alpha") == 1
    sample.locator("mark").first.hover()
    expect(sample.locator("li.lit")).to_have_count(1)
    result = evaluate(page, kept["prompt"], kept["response"])
    expect(result.locator(".headline .why")).to_have_text(kept["why"])
    real = json.loads(copied(page, "Copy JSON"))["evaluation"]
    for name in ("overallScore", "overallVerdict", "verdicts"):
        nearness, difference = compare(kept["evaluation"][name], real[name], name)
        assert nearness != "different", difference
    by_id = {finding["findingId"]: finding for finding in real["findings"]}
    for finding in kept["evaluation"]["findings"]:
        nearness, difference = compare(finding, by_id[finding["findingId"]], "finding")
        assert nearness != "different", difference


def test_ctrl_enter_sends_and_a_reload_keeps_the_text_in_this_tab(
    page: Page, server: RunningServer, visit: Callable[..., Visit]
) -> None:
    form = page.locator("form[data-form=evaluate]")
    form.locator("[name=prompt]").fill(PROMPT)
    form.locator(".extras summary").click()
    form.locator("[name=context]").fill("Write to help@example.org.")
    form.locator("[name=response]").fill(RESPONSE)
    form.locator("[name=privacy]").check()
    form.locator("[name=response]").press("Control+Enter")
    page.locator(".result:not(.sample)").wait_for()
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(form.locator("[name=response]")).to_have_value(RESPONSE)
    expect(form.locator("[name=context]")).to_be_visible()
    expect(form.locator("[name=privacy]")).not_to_be_checked()
    other = visit(server).open()
    expect(other.locator("[name=response]").first).to_have_value("")
    form.get_by_role("button", name="Clear").click()
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(form.locator("[name=response]")).to_have_value("")
    assert RESPONSE not in server.log.read_text()


def test_context_and_a_conversation_are_judged_and_shown_with_their_evidence(page: Page) -> None:
    form = page.locator("form[data-form=evaluate]")
    form.locator("[name=prompt]").fill("And on Sundays?")
    form.locator("[name=response]").fill("On Sundays the museum opens at 11:00.")
    form.locator(".extras summary").click()
    form.locator("[name=context]").fill(
        "The museum opens at 10:00 from Tuesday to Sunday.\n---\nIt closes at 18:00."
    )
    for text in ("When does it open?", "At 10:00 on weekdays."):
        form.get_by_role("button", name="Add a message").click()
        form.locator(".turn textarea").last.fill(text)
    form.locator("[name=privacy]").check()
    with page.expect_response("**/api/v2/evaluate-response") as answer:
        form.get_by_role("button", name="Evaluate").click()
    sent = json.loads(answer.value.request.post_data or "")
    assert [message["role"] for message in sent["messages"]] == ["user", "assistant", "user"]
    assert [passage["text"] for passage in sent["context"]][1] == "It closes at 18:00."
    result = page.locator(".result:not(.sample)")
    expect(result.locator(".conversation .message")).to_have_count(3)
    expect(result.locator("[data-of='context[0]'] mark").first).to_be_visible()
    expect(result.locator(".lines path").first).to_be_attached()
    expect(result.locator(".facts")).to_contain_text("compared only with the text it was given")


def test_markdown_is_shown_as_such_with_its_evidence_and_as_raw_text(page: Page) -> None:
    text = (
        "# Help\n\n- **Write** to jane.roe@gmail.com\n- Or `call`\n\n"
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```py\nprint('jane.roe@gmail.com')\n```\n> 2 * 3 = **7**\n"
    )
    result = evaluate(page, PROMPT, text)
    shown = result.locator(".text").first
    expect(shown.locator("li")).to_have_count(2)
    expect(shown.locator("li strong")).to_have_text("Write")
    expect(shown.locator("pre code mark")).to_have_text("jane.roe@gmail.com")
    expect(shown.locator("td")).to_have_text(["1", "2"])
    assert "monospace" in str(
        shown.locator("pre code").evaluate("(node) => getComputedStyle(node).fontFamily")
    )
    result.get_by_role("button", name="Raw text").click()
    assert shown.evaluate("(node) => node.textContent") == text
    expect(shown.locator("mark").first).to_be_visible()


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


def test_a_link_carries_the_result_and_never_reaches_the_server(
    page: Page, server: RunningServer, visit: Callable[..., Visit]
) -> None:
    result = evaluate(page, "secret-in-link & more", RESPONSE)
    score = result.locator(".headline .score").inner_text()
    link = copied(page, "Copy link to this result")
    other = visit(server)
    asked: list[str] = []
    other.page.on("request", lambda request: asked.append(request.url + (request.post_data or "")))
    other.open(link.removeprefix(server.url))
    shown = other.page.locator(".result:not(.sample)")
    expect(shown.locator(".headline .score")).to_have_text(score)
    expect(other.page.locator(".note")).to_contain_text("It is not signed")
    form = other.page.locator("form[data-form=evaluate]")
    expect(form.locator("[name=prompt]")).to_have_value("secret-in-link & more")
    expect(form.locator("[name=response]")).to_have_value(RESPONSE)
    expect(form.locator("[name=privacy]")).not_to_be_checked()
    assert asked
    assert not [url for url in asked if "result=" in url.partition("#")[0]]
    assert not [url for url in asked if "evaluate-response" in url]
    assert "secret-in-link" not in server.log.read_text()
    other.open("/#evaluate&result=bm90aGluZw")
    expect(other.page.get_by_role("alert")).to_contain_text("not contain a complete result")
