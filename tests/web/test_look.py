"""How it looks and loads: both themes at three widths, small, local, and nothing jumps."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Response, expect

from tests.conftest import RunningServer
from tests.web.conftest import Stage, Visit
from tests.web.steps import copied, evaluate, run_arena

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LARGEST_FIRST_LOAD = 150_000
LEAKY = "Write to jane.roe@gmail.com, or call +44 7911 123456. That is 2 + 2 = 5."


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 800, 1600])
def test_every_section_at_every_width(
    visit: Callable[..., Visit], stage: Stage, theme: str, width: int
) -> None:
    stage.first.text, stage.second.text = LEAKY, "Water, light and air."
    here = visit(stage.server, width=width, theme=theme)
    page = here.open()

    def keep(name: str, *, full: bool = True) -> None:
        fits(page)
        here.shoot(f"{name}-{theme}-{width}", full=full)

    keep("empty")
    evaluate(page, "How can I reach them, and what is 2 + 2?", LEAKY)
    keep("result")
    panel = run_arena(here, f"What do plants need, {theme} at {width}?")
    panel.locator(".standings").wait_for()
    keep("arena")
    here.panel("verify")
    keep("verify")
    here.open("/docs/api")
    keep("docs", full=False)
    assert page.evaluate("getComputedStyle(document.body).colorScheme") == "light dark"


def test_the_first_load_is_small_and_local(
    visit: Callable[..., Visit], server: RunningServer
) -> None:
    here = visit(server)
    answers: list[Response] = []
    here.page.on("response", lambda answer: answers.append(answer))
    here.open()
    here.page.wait_for_load_state("networkidle")
    assert {answer.url.startswith(f"{server.url}/") for answer in answers} == {True}
    weight = sum(
        sizes["responseBodySize"] + sizes["responseHeadersSize"]
        for sizes in (answer.request.sizes() for answer in answers)
    )
    assert 20_000 < weight < LARGEST_FIRST_LOAD
    policy = answers[0].headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


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
