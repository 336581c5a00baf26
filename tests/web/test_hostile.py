"""Texts that want to be more than text stay text, and do not break the page."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import RunningServer
from tests.web.conftest import Stage, Visit
from tests.web.steps import PUT, copied, evaluate, run_arena

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

MARKUP = "<script>window.hacked=1</script><img src=x onerror='window.hacked=1'><b>bold</b>{{7*7}}"
# The same inside Markdown, where a renderer might make elements of it.
MARKDOWN = (
    f"# {MARKUP}\n\n- [go](javascript:window.hacked=1) **<b onclick='window.hacked=1'>x</b>**\n"
    "- ![pic](https://collect.example.net/p.png?d=1) <https://collect.example.net>\n\n"
    f"| {MARKUP} | b |\n| --- | --- |\n| <iframe srcdoc='<script>top.hacked=1</script>'> | `{MARKUP}` |\n\n"
    f"> {MARKUP}\n\n```html\n{MARKUP}\n```\n[ref]: javascript:window.hacked=1\n"
    "Write to jane.roe@gmail.com \u202egnol\u202c \u200b\u2063"
)
TEXTS = {
    "markup": MARKUP,
    "markdown": MARKDOWN,
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
    # Links of the page itself lead to this service; none is made of a text.
    assert page.evaluate("[...document.links].every((link) => link.origin === location.origin)")
    assert page.locator("main [onclick], main [onerror], main [style*='url']").count() == 0


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


def test_every_field_of_an_evaluation(visit: Callable[..., Visit], server: RunningServer) -> None:
    """Prompt, response, context, conversation, expected answer and feedback, all of them hostile at once."""
    here = visit(server, width=390)
    page = here.open()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    form = page.locator("form[data-form=evaluate]")
    form.locator(".extras summary").click()
    form.get_by_role("button", name="Add a message").click()
    form.locator(".turn textarea").evaluate(PUT, MARKDOWN)
    for name in ("context", "reference"):
        form.locator(f"[name={name}]").evaluate(PUT, f"{MARKDOWN}\n---\n{MARKUP} {'y' * 9000}")
    result = evaluate(page, MARKDOWN, MARKDOWN)
    expect(result.locator("[data-of='context[1]']")).to_contain_text(MARKUP)
    expect(result.locator("[data-of='messages[0]']")).to_contain_text(
        "<b onclick='window.hacked=1'>"
    )
    stays_whole(page)
    for button in result.get_by_role("button", name="Raw text").all():
        button.click()
    shown = result.locator("[data-of=response]").evaluate("(node) => node.textContent")
    assert shown.replace("U+200B U+2063", "\u200b\u2063") == MARKDOWN
    stays_whole(page)
    here.shoot("hostile-every-field-390")
    page.locator(".feedback summary").click()
    page.locator(".feedback [name=message]").evaluate(PUT, MARKUP)
    page.locator(".feedback [name=privacy]").check()
    page.locator(".feedback").get_by_role("button", name="Send").click()
    page.locator(".thanks").wait_for()
    stays_whole(page)
    assert {url.startswith(f"{server.url}/") for url in asked} == {True}


def test_a_link_that_carries_a_forged_result(
    visit: Callable[..., Visit], server: RunningServer
) -> None:
    """A link can hold anything: hostile words stay words, and what is no result is said to be none."""
    here = visit(server, width=390)
    page = here.open()
    evaluate(page, MARKUP, f"{MARKUP} jane.roe@gmail.com")
    body = json.loads(copied(page, "Copy JSON"))
    forged = body["evaluation"]
    forged["overallVerdict"] = MARKUP
    for finding in forged["findings"]:
        finding |= {
            "message": MARKUP,
            "severity": MARKUP,
            "findingId": MARKUP,
            "suggestion": MARKUP,
        }
    for item in forged["verdicts"]:
        item |= {"title": MARKUP, "summary": MARKUP, "criterionId": MARKUP}
    request = {"contractVersion": MARKUP, "prompt": MARKUP, "response": MARKDOWN}
    page = here.open(f"/#evaluate&result={packed({'request': request, 'body': body})}")
    page.reload()
    expect(page.locator(".note")).to_contain_text("It is not signed")
    stays_whole(page)
    forged["verdicts"] = [1]
    page = here.open(f"/#evaluate&result={packed({'request': request, 'body': body})}")
    expect(page.get_by_role("alert")).to_contain_text("does not contain a complete result")
    stays_whole(page)


def packed(value: object) -> str:
    """Return a value as a link carries it."""
    deflate = zlib.compressobj(wbits=-15)
    data = deflate.compress(json.dumps(value).encode()) + deflate.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def test_providers(visit: Callable[..., Visit], stage: Stage) -> None:
    stage.first.text, stage.second.text = TEXTS["marked"], MARKDOWN + TEXTS["bidi"]
    here = visit(stage.server, width=360)
    page = here.open("/#arena")
    panel = here.panel("arena")
    panel.locator(".extras summary").click()
    panel.locator("[name=system]").fill(MARKUP)
    panel.get_by_role("button", name="Add a message").click()
    panel.locator(".turn textarea").evaluate(PUT, MARKDOWN)
    panel.locator("[name=blind]").check()
    run_arena(here, MARKUP)
    panel.locator(".votes").wait_for()
    stays_whole(page)
    panel.get_by_role("button", name="No clear difference").click()
    plain = panel.locator(".card", has=page.locator("h3", has_text="plain-model"))
    expect(plain.locator(".text").first).to_have_text(TEXTS["marked"])
    for summary in panel.locator("details.issues > summary, .passed > summary").all():
        summary.click()
    stays_whole(page)
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
