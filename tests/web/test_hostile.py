"""Texts that want to be more than text stay text, and do not break the page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import RunningServer
from tests.web.conftest import Stage, Visit
from tests.web.steps import evaluate, run_arena

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

MARKUP = "<script>window.hacked=1</script><img src=x onerror='window.hacked=1'><b>bold</b>{{7*7}}"
TEXTS = {
    "markup": MARKUP,
    "marked": f"Call +44 7911 123456 {MARKUP} or write to jane.roe@gmail.com{MARKUP}",
    "bidi": "Safe \u202egnol si siht\u202c and \u2067مرحبا\u2069 end \u202e never closed",
    "arabic": "هذا نص طويل باللغة العربية. " * 40,
    "long word": "x" * 8000,
    "combining": "a" + "\u0301" * 7999,
    "controls": "one\x00two\x01three\x7f\u2028four\ufeff",
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈" * 200,
    "lines": "\n" * 3000,
}


def stays_whole(page: Page) -> None:
    """The page is no wider than its window, and nothing ran or was loaded from a text."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.evaluate("window.hacked") is None
    assert page.locator("main script, main img, main iframe, main b").count() == 0


def test_direct_evaluation(visit: Callable[..., Visit], server: RunningServer) -> None:
    here = visit(server, width=360)
    page = here.open()
    for name, text in TEXTS.items():
        result = evaluate(page, text[:2000], text)
        shown = result.locator(".text").first
        expect(shown).to_be_visible()
        if name in ("markup", "marked", "arabic", "long word"):
            assert shown.evaluate("(node) => node.textContent") == text
        stays_whole(page)
        here.shoot(f"hostile-{name.replace(' ', '-')}-360")


def test_characters_that_turn_the_text_are_shown(
    visit: Callable[..., Visit], server: RunningServer
) -> None:
    here = visit(server)
    result = evaluate(here.open(), "Say something.", "Left \u202ethgir\u202c left, family 👩‍👧.")
    shown = result.locator(".text [data-code], .text mark")
    told = [node.get_attribute("data-code") or node.inner_text() for node in shown.all()]
    assert any("U+202E" in code for code in told)
    assert any("U+202C" in code for code in told)
    assert not any("U+200D" in code for code in told)


def test_marks_paint_only_in_their_box(visit: Callable[..., Visit], server: RunningServer) -> None:
    """Eight thousand combining marks tower far over their letter: they must not cover the score."""
    here = visit(server)
    result = evaluate(here.open(), "Say a letter.", TEXTS["combining"])
    box = result.locator(".text").first.bounding_box()
    assert box is not None
    assert box["height"] < 600
    contained = result.locator(".text").first.evaluate("(node) => getComputedStyle(node).contain")
    assert contained == "paint"


def test_providers(visit: Callable[..., Visit], stage: Stage) -> None:
    stage.first.text, stage.second.text = TEXTS["marked"], TEXTS["bidi"]
    here = visit(stage.server, width=360)
    page = here.open("/#arena")
    panel = run_arena(here, MARKUP)
    expect(panel.locator(".card .text").first).to_have_text(TEXTS["marked"])
    panel.get_by_role("button", name="Verify in this browser").click()
    expect(panel.locator(".evidence h2")).to_contain_text("Verified: signature valid")
    stays_whole(page)
    here.shoot("hostile-arena-360")


def test_a_link_is_only_text(visit: Callable[..., Visit], server: RunningServer) -> None:
    here = visit(server)
    page = here.open(
        "/#evaluate&prompt=%3Cimg%20src%3Dx%3E&response=%3Cscript%3Ealert(1)%3C/script%3E"
    )
    expect(page.locator("[name=response]").first).to_have_value("<script>alert(1)</script>")
    page.goto(f"{here.url}/#__proto__&prompt=a")
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("[data-panel=evaluate]")).to_be_visible()
    stays_whole(page)
