"""Files to pass on: the report of an evaluation, and an Arena page that verifies itself, both without a network."""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.conftest import RunningServer
from tests.web.conftest import Stage, Visit, visiting
from tests.web.steps import evaluate, look, run_arena

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>"
SOUND = "Plants make sugar from water and carbon dioxide, using the energy of light."
LEAKY = "Write to jane.roe@gmail.com, or call +44 7911 123456."


def saved(here: Visit, button: str, file: Path) -> Path:
    """Press a button that saves a file, and return where it was saved."""
    with here.page.expect_download() as download:
        here.page.get_by_role("button", name=button).click()
    download.value.save_as(file)
    return file


def opened(here: Visit, file: Path) -> Page:
    """Open a file in a page of its own, offline; it must say nothing and ask for nothing but itself."""
    page = here.page.context.new_page()
    page.context.set_offline(True)
    noise: list[str] = []
    page.on("console", lambda message: noise.append(message.text))
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.on("request", lambda request: noise.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_load_state("networkidle")
    assert noise == [file.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.evaluate("window.hacked") is None
    page.context.set_offline(False)
    return page


@pytest.fixture(scope="module")
def once_published(
    browser: Browser,
    tabs: BrowserContext,
    stage: Stage,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Visit, Path]]:
    """An Arena page as a journalist would publish it, with hostile text in the prompt and in an answer."""
    file = tmp_path_factory.mktemp("published") / "published.html"
    stage.first.text = f"# Help\r\n\r\n- {LEAKY} {HOSTILE} \u202e \x00 {'x' * 3000}"
    stage.second.text = SOUND
    with visiting(browser, tabs) as visit:
        here = visit(stage.server, alone=True)
        here.open("/#arena")
        run_arena(here, f"How do plants sing? {HOSTILE}", "ad")
        yield here, saved(here, "Download page to publish", file)


@pytest.fixture
def published(once_published: tuple[Visit, Path], tmp_path: Path) -> tuple[Visit, Path]:
    """A copy of that page to change, and the visit it was saved in."""
    here, file = once_published
    return here, Path(shutil.copy(file, tmp_path))


def test_a_published_page_verifies_without_a_server(published: tuple[Visit, Path]) -> None:
    here, file = published
    page = opened(here, file)
    banner = page.locator("#verified")
    expect(banner).to_contain_text("Verified with the keys that came with this page")
    expect(page.locator("main")).to_contain_text("A page cannot vouch for itself")
    expect(page.locator(".card")).to_have_count(2)
    expect(page.locator(".card").nth(1)).to_contain_text(SOUND)
    look(page, "published")
    # Another signer's keys: the content is intact, and the reader is told that it is not theirs.
    (file.parent / "keys.json").write_text("[]")
    page.set_input_files("input[type=file]", file.parent / "keys.json")
    expect(banner).to_contain_text("Unknown signer. The content is intact")
    # The page is evidence too: Verify reads the signed bytes out of it.
    here.panel("verify")
    here.page.set_input_files("[data-panel=verify] [name=file]", file)
    expect(here.page.locator("[data-panel=verify] h2")).to_contain_text("Verified")


@pytest.mark.parametrize(
    ("find", "put", "said"),
    [
        (SOUND, "Plants eat soil.", "Changed: results[1] as shown on this page"),
        (r"(<span class=\"score\">)\d+\.\d", r"\g<1>99.9", "results[0] as shown on this page"),
        ("leads by [0-9.]+ points", "leads by 1.0 points", "headline as shown on this page"),
        ("</main>", "<p>Certified.</p></main>", "text was added to this page"),
        ("</main>", "</main><p>Certified.</p>", "text was added to this page"),
    ],
)
def test_a_page_that_shows_something_else_says_so(
    published: tuple[Visit, Path], find: str, put: str, said: str
) -> None:
    here, file = published
    text = file.read_text(encoding="utf-8")
    head, body = text[: text.index("<main")], text[text.index("<main") :]
    edited, count = re.subn(find, put, body, count=1)
    assert count == 1
    file.write_text(head + edited, encoding="utf-8", newline="")
    page = opened(here, file)
    expect(page.locator("#verified.problem")).to_contain_text(said)
    page.close()


def test_changed_evidence_in_a_page_is_named(published: tuple[Visit, Path]) -> None:
    here, file = published
    text = file.read_text(encoding="utf-8")
    held = re.search(r'id="evidence">([^<]+)<', text)
    assert held is not None
    body = json.loads(base64.b64decode(held[1]))
    body["results"][1]["response"] = "Plants eat soil."
    forged = base64.b64encode(json.dumps(body).encode()).decode()
    # A careful forger changes what is shown as well.
    text = text.replace(held[1], forged).replace(SOUND, "Plants eat soil.")
    file.write_text(text, encoding="utf-8", newline="")
    banner = opened(here, file).locator("#verified.problem")
    expect(banner).to_contain_text("Not verified. Changed: ")
    expect(banner).to_contain_text("results[1].response")


def test_a_report_opens_without_a_network_and_shows_the_result(
    visit: Callable[..., Visit], server: RunningServer, tmp_path: Path
) -> None:
    here = visit(server, alone=True)
    text = f"## Contact\n\n{LEAKY} {HOSTILE}\n\n| a | b |\n| --- | --- |\n| 1 | `2` |\n"
    result = evaluate(here.open(), f"How can I reach them? {HOSTILE}", text)
    score = result.locator(".score").inner_text()
    page = opened(here, saved(here, "Download report", tmp_path / "report.html"))
    expect(page.locator(".score")).to_have_text(score)
    expect(page.locator("mark").first).to_be_visible()
    expect(page.locator("main")).to_contain_text("This report is not signed.")
    expect(page.locator("main")).to_contain_text(f"How can I reach them? {HOSTILE}")
    assert page.locator("button, script").count() == 0
    assert page.locator("mark").all_inner_texts() == result.locator("mark").all_inner_texts()
    look(page, "report-of-one")
