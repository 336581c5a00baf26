"""Every state of the page, at three widths, light and dark: it fits, and axe-core finds nothing. PICTURES=1 keeps pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.conftest import RunningServer
from tests.web.conftest import Stage, Visit
from tests.web.steps import LAST_CHANGE, copied, evaluate, look, run_arena
from tests.web.test_arena import drop, evidence_file, sealed_by_another

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LEAKY = (
    "## Contact\n\nWrite to **jane.roe@gmail.com**, or call +44 7911 123456.\u200b\n\n"
    "- That is `2 + 2` minutes: 2 + 2 = 5.\n- Ask for *Jane*.\n\n```py\nprint(2 + 2)\n```\n"
)


def test_no_style_changes_over_the_width_axe_core_last_looks_at() -> None:
    sheets = [*(files("fairwitness") / "web").iterdir()]
    sheets += [
        files("fairwitness") / "reports/page/report.css",
        files("fairwitness") / "review/page/review.css",
    ]
    text = "".join(sheet.read_text() for sheet in sheets if sheet.name.endswith(".css"))
    widths = re.findall(r"width:\s*([\d.]+)rem\)", text)
    assert len(widths) > 5
    assert max(map(float, widths)) * 16 <= LAST_CHANGE
    assert not re.findall(r"width:\s*[\d.]+(?:px|em)\)", text)


def test_evaluate(visit: Callable[..., Visit], server: RunningServer) -> None:
    here = visit(server)
    page = here.open()
    form = page.locator("form[data-form=evaluate]")
    look(page, "evaluate-first")
    form.locator(".extras summary").click()
    form.get_by_role("button", name="Add a message").click()
    look(page, "evaluate-extras")
    form.get_by_role("button", name="Clear").click()
    result = evaluate(page, "How can I reach them, and what is 2 + 2?", LEAKY)
    link = copied(page, "Copy link to this result")
    for summary in (".passed", ".silent"):
        result.locator(f"{summary} > summary").click()
    page.locator(".feedback summary").click()
    result.locator("li[data-finding]").first.hover()
    look(page, "evaluate-fail")
    for example in ("sound", "source"):
        with page.expect_response("**/evaluate-response"):
            form.locator(f"[data-example={example}]").click()
        page.locator(".result:not(.sample) .headline").wait_for()
        look(page, f"evaluate-example-{example}")
    here.open(link.removeprefix(server.url))
    page.reload()
    page.locator(".note").wait_for()
    look(page, "evaluate-link")


def test_improve(visit: Callable[..., Visit], server: RunningServer) -> None:
    here = visit(server)
    here.open()
    panel = here.panel("improve")
    look(here.page, "improve-first")
    panel.get_by_role("button", name="Personal data and a sum").click()
    panel.locator(".sides").wait_for()
    look(here.page, "improve-result")


def test_arena(visit: Callable[..., Visit], stage: Stage) -> None:
    stage.first.text, stage.second.text = LEAKY, "Water, light and air."
    here = visit(stage.server, width=1366)
    page = here.open("/#arena")
    panel = here.panel("arena")
    panel.locator("[name=providers]:enabled").first.wait_for()
    look(page, "arena-first")
    stage.first.hold()
    try:
        run_arena(here, "What do plants need?", "ad")
        panel.locator(".card .headline").wait_for()
        look(page, "arena-waiting")
    finally:
        stage.first.free()
    panel.locator(".standings").wait_for()
    run_arena(here, "What do plants need to grow?")
    expect(panel.locator(".standings tbody tr")).to_have_count(3)
    panel.locator("details.issues summary").first.click()
    panel.get_by_role("button", name="Verify in this browser").click()
    panel.locator(".evidence").wait_for()
    look(page, "arena-result")


def test_blind_arena(visit: Callable[..., Visit], stage: Stage) -> None:
    stage.first.text, stage.second.text = LEAKY, "Water, light and air."
    here = visit(stage.server, width=1366)
    page = here.open("/#arena")
    panel = here.panel("arena")
    panel.locator("[name=blind]").check()
    run_arena(here, "What do plants need to live?", "ad")
    vote = panel.get_by_role("button", name="No clear difference")
    vote.wait_for()
    look(page, "arena-blind")
    vote.click()
    panel.locator(".standings").wait_for()
    look(page, "arena-voted")


def test_verify(visit: Callable[..., Visit], stage: Stage, tmp_path: Path) -> None:
    stage.first.text, stage.second.text = LEAKY, "Water, light and air."
    here = visit(stage.server, width=1366)
    page = here.open("/#verify")
    look(page, "verify-first")
    body = evidence_file(here, tmp_path, "What do plants like?")
    report = page.locator("[data-panel=verify]")
    for said, content in {
        "Verified": json.dumps(body),
        "Unknown signer": json.dumps(sealed_by_another(body)),
        "Not verified": json.dumps({**body, "completedAt": "2020-01-01T00:00:00.000Z"}),
        "This file cannot be verified": "{}",
    }.items():
        drop(page, content)
        expect(report.locator(".outcome h2")).to_contain_text(said)
        look(page, f"verify-{said.replace(' ', '-').lower()}")


def test_problems(visit: Callable[..., Visit], refusing: RunningServer) -> None:
    here = visit(refusing)
    here.expected.add(503)
    here.open("/#arena")
    run_arena(here, "What do plants need?", "ad").locator(".problem").wait_for()
    look(here.page, "problem")


@pytest.mark.parametrize("name", ["", "/quickstart", "/guides", "/arena", "/not-there"])
def test_documents(visit: Callable[..., Visit], server: RunningServer, name: str) -> None:
    here = visit(server)
    here.expected.add(404)
    look(here.open(f"/docs{name}"), f"docs{name.replace('/', '-')}")


def test_a_request_tried_in_the_documents(
    visit: Callable[..., Visit], server: RunningServer
) -> None:
    page = visit(server).open("/docs/contract-2")
    page.get_by_role("button", name="Try it").first.click()
    expect(page.locator(".answer").first).to_contain_text("overallVerdict")
    page.get_by_label("Search").fill("key")
    page.locator(".found a").first.wait_for()
    look(page, "docs-tried")
