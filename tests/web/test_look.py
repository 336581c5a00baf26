"""How it loads: small, local, and nothing jumps; and what the documents offer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Response, expect

from tests.conftest import RunningServer
from tests.web.conftest import Stage, Visit
from tests.web.steps import copied, evaluate, run_arena

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

# Everything together, as it travels.
LARGEST_LOAD = 120_000
LEAKY = "Write to jane.roe@gmail.com, or call +44 7911 123456. That is 2 + 2 = 5."


def test_everything_the_page_loads_is_small_and_local(
    visit: Callable[..., Visit], server: RunningServer
) -> None:
    here = visit(server, alone=True)  # nothing may come from a cache
    answers: list[Response] = []
    here.page.on("response", lambda answer: answers.append(answer))
    here.open()
    here.page.wait_for_load_state("networkidle")
    first_load = weight(answers)
    assert 20_000 < first_load < LARGEST_LOAD
    policy = answers[0].headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    # Every section and what is loaded on demand, a report among it.
    for name in ("arena", "improve", "verify", "evaluate"):
        here.panel(name)
        here.page.wait_for_load_state("networkidle")
    evaluate(here.page, "How can I reach them?", LEAKY)
    with here.page.expect_download():
        here.page.get_by_role("button", name="Download report").click()
    loaded = {answer.url.removeprefix(server.url) for answer in answers}
    assert {"/assets/app/verify.js", "/assets/app/report.js", "/assets/evidence.js"} <= loaded
    assert {answer.url.startswith(f"{server.url}/") for answer in answers} == {True}
    assert first_load < weight(answers) < LARGEST_LOAD


def weight(answers: list[Response]) -> int:
    sizes = [answer.request.sizes() for answer in answers]
    return sum(each["responseBodySize"] + each["responseHeadersSize"] for each in sizes)


@pytest.mark.parametrize("width", [360, 1600])
def test_nothing_jumps(visit: Callable[..., Visit], stage: Stage, width: int) -> None:
    stage.first.text, stage.second.text = LEAKY, "Water, light and air."
    here = visit(stage.server, width=width)
    page = here.open()
    evaluate(page, "How can I reach them?", LEAKY)
    stage.first.hold()
    try:
        panel = run_arena(here, f"What do plants need at {width}?")
        page.wait_for_timeout(900)  # past the half second in which shifts count as asked for
    finally:
        stage.first.free()
    panel.locator(".standings").wait_for()
    page.wait_for_timeout(100)
    assert page.evaluate("window.moved") == []
    here.open("/docs/quickstart")
    page.wait_for_timeout(100)
    assert page.evaluate("window.moved") == []


@pytest.mark.parametrize("address", ["/", "/#arena", "/docs/quickstart"])
def test_nothing_jumps_where_the_device_is_slow(
    visit: Callable[..., Visit], stage: Stage, address: str
) -> None:
    here = visit(stage.server, width=1600)
    here.page.context.new_cdp_session(here.page).send(
        "Emulation.setCPUThrottlingRate", {"rate": 15}
    )
    page = here.open(address)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.moved") == []
    # Half a page is not shown: what comes after it would move it.
    assert page.evaluate("document.querySelector('script[type=module]').blocking.value") == "render"


def test_documents_have_contents_anchors_and_copy_buttons(
    visit: Callable[..., Visit], server: RunningServer
) -> None:
    here = visit(server, width=1600)
    page = here.open("/docs/quickstart")
    expect(page.locator(".menu [aria-current=page]")).to_have_text("Quickstart")
    block = page.locator("pre").first
    assert copied(page, "Copy this block") == block.locator("code").inner_text()
    page = here.open("/docs/api")
    page.locator(".contents a", has_text="Errors").click()
    expect(page).to_have_url(f"{server.url}/docs/api#errors")
    expect(page.locator("h2#errors")).to_be_in_viewport()
    links = page.locator("a[href^='#']").evaluate_all("(all) => all.map((link) => link.hash)")
    assert len(links) > 5
    missing = [name for name in links if not page.locator(f"[id='{name[1:]}']").count()]
    assert missing == []


def test_the_documents_answer_questions_and_mistyped_addresses(
    visit: Callable[..., Visit], server: RunningServer
) -> None:
    here = visit(server, width=1366)
    page = here.open("/docs/api")
    example = page.locator("pre").first
    expect(example).to_contain_text(f"curl -s {server.url}/api/evaluate-response")
    page.get_by_role("button", name="Python").first.click()
    expect(example).to_contain_text('"privacyAcknowledged": True')
    page.get_by_role("button", name="JavaScript").first.click()
    expect(example).to_contain_text(f'await fetch("{server.url}/api/evaluate-response"')
    page.get_by_role("button", name="Try it").first.click()
    expect(page.locator(".answer").first).to_contain_text('"overallVerdict": "fail"')
    page.get_by_label("Search").fill("rotate key")
    expect(page.locator(".found a[href='/docs/evidence']")).to_be_visible()
    entries = page.locator(".menu > ul a").evaluate_all("(all) => all.map((a) => a.href)")
    assert len(entries) == len(set(entries)) > 20
    here.expected.add(404)
    page = here.open("/docs/qickstart")
    expect(page.locator("h1")).to_contain_text("There is no such page")
    plain = page.request.get(f"{server.url}/docs/qickstart", headers={"Accept": "*/*"})
    assert (plain.status, plain.json()["error"]["code"]) == (404, "not_found")
