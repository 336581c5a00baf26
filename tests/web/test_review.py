"""The review page in a real browser: keys, undo, notes, agreement, access, and texts that want to be more than text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from tests.batch.judging import quick_source
from tests.review.reviewing import ServedReview, results_of, serving_review
from tests.web.conftest import Visit
from tests.web.steps import LAST_CHANGE, check
from tests.web.test_hostile import MARKUP, TEXTS, stays_whole

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
MAIL = "You can write to jane.roe@gmail.com or call her on +44 7911 123456. 2 + 2 = 5."
# A protocol whose own words are markup: title and message reach the page as they are.
HOSTILE_PROTOCOL = (
    quick_source()
    + (
        f'\n[criteria.mine]\ntitle = {json.dumps(MARKUP)}\nquestion = "?"\nweight = 0.6\nfail_below = 10\n'
        'pass_from = 90\nchecks = [{ kind = "excludes", values = ["jane"], severity = "medium", '
        f"message = {json.dumps(MARKUP)} }}]\n"
    ).encode()
)


def some(count: int) -> list[dict[str, Any]]:
    return [
        {"prompt": f"How can I reach person {n}?", "response": MAIL, "model": "a"}
        for n in range(count)
    ]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ServedReview]:
    with serving_review(results_of(tmp_path, some(6)), "--reviewer", "ann") as running:
        yield running


def labels_in(folder: Path) -> list[tuple[str, str, str]]:
    lines = (folder / "results.jsonl.labels.jsonl").read_text().splitlines()
    return [(one["reviewer"], one["label"], one["note"]) for one in map(json.loads, lines)]


def said(page: Page, text: str) -> None:
    expect(page.locator("[data-said]")).to_contain_text(text)


def test_keys_label_and_every_label_is_in_the_file(
    visit: Callable[..., Visit], served: ServedReview, tmp_path: Path
) -> None:
    page = visit(served).open()
    expect(page.locator("h1")).to_be_focused()
    expect(page.locator("mark").first).to_have_text("jane.roe@gmail.com")
    press, first = page.keyboard.press, page.locator("h1").inner_text()
    press("p")
    said(page, "Pass saved.")
    press("n")
    page.keyboard.type("spf is typed, not pressed")
    press("Escape")
    press("f")
    said(page, "Fail saved.")
    press("s")
    said(page, "Skip saved.")
    expect(page.locator("[data-progress]")).to_have_text("ann: 3 labelled, 3 left")
    for _ in range(3):
        press("u")
        said(page, "Taken back.")
        page.evaluate("document.querySelector('[data-said]').textContent = ''")
    expect(page.locator("h1")).to_have_text(first)
    expect(page.locator("[data-undo]")).to_be_disabled()
    page.get_by_label("Single keys").uncheck()
    page.locator("h1").focus()
    press("p")
    expect(page.locator("[data-progress]")).to_have_text("ann: 0 labelled, 6 left")
    note = "spf is typed, not pressed"
    given = [("ann", "pass", ""), ("ann", "fail", note), ("ann", "skip", "")]
    assert labels_in(tmp_path) == given + [("ann", "undo", "")] * 3


def test_two_people_and_how_far_they_agree(
    visit: Callable[..., Visit], served: ServedReview, tmp_path: Path
) -> None:
    ann = visit(served).open()
    for key in "ppfp":
        before = ann.locator("h1").inner_text()
        ann.keyboard.press(key)
        expect(ann.locator("h1")).not_to_have_text(before)
    with serving_review(tmp_path / "results.jsonl", "--reviewer", "bob") as other:
        bob = visit(other).open()
        for key in "pffp":
            expect(bob.locator("article")).to_contain_text("One other person labelled this row.")
            before = bob.locator("h1").inner_text()
            bob.keyboard.press(key)
            expect(bob.locator("h1")).not_to_have_text(before)
        expect(bob.locator("[data-agreement]")).to_contain_text("75% of pairs")
        expect(bob.locator("[data-agreement]")).to_contain_text("alpha 0.53")
    with serving_review(tmp_path / "results.jsonl", "--reviewer", "eve") as third:
        page = visit(third).open()
        expect(page.locator("article")).to_contain_text("Reviewers disagree on this row.")


def test_the_keyboard_alone_reaches_everything(
    visit: Callable[..., Visit], served: ServedReview
) -> None:
    page = visit(served).open()
    page.get_by_label("Single keys").uncheck()
    page.evaluate("document.activeElement.blur()")
    for name in ("Pass", "Fail", "Skip", "Note"):
        for _ in range(40):
            page.keyboard.press("Tab")
            focused = page.locator(":focus")
            words = "(node) => (node.labels?.[0] ?? node).textContent.trim()"
            if focused.count() and focused.evaluate(words).startswith(name):
                break
        else:
            raise AssertionError(f"{name} cannot be reached")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    before = page.locator("h1").inner_text()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).not_to_have_text(before)


def test_axe_finds_nothing_at_any_width_in_light_and_dark(
    visit: Callable[..., Visit], served: ServedReview
) -> None:
    here = visit(served)
    page = here.open()
    page.keyboard.press("f")
    said(page, "Fail saved.")
    for name in ("row", "end"):
        for width, theme in product((390, 1366, 1920), THEMES):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=theme)
            if width <= LAST_CHANGE:
                check(page)
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            here.shoot(f"review-{name}-{width}-{theme}")
        while page.locator("article").count():
            before = page.locator("h1").inner_text()
            page.keyboard.press("s")
            expect(page.locator("h1")).not_to_have_text(before)


def test_texts_in_every_field_stay_text(visit: Callable[..., Visit], tmp_path: Path) -> None:
    rows = [
        {
            "id": f"{MARKUP}{name}",
            "prompt": text[:2000],
            "response": f"jane.roe@gmail.com {text}",
            MARKUP: text[:400],
            "nested": {MARKUP: [MARKUP]},
        }
        for name, text in TEXTS.items()
    ]
    results = results_of(tmp_path, rows, HOSTILE_PROTOCOL)
    assert json.dumps(MARKUP)[1:-1] in results.read_text()
    with serving_review(results, "--reviewer", MARKUP[:64]) as running:
        here = visit(running, width=390)
        page = here.open()
        for number in range(len(rows)):
            expect(page.locator(".findings li").first).to_be_visible()
            shown = page.locator("article").evaluate("(node) => node.textContent")
            assert shown.count(MARKUP) >= 5
            stays_whole(page)
            here.shoot(f"review-hostile-{number}")
            page.locator("[name=note]").fill(MARKUP)
            page.locator("[data-label=skip]").click()
            expect(page.locator("[data-progress]")).to_contain_text(f"{number + 1} labelled")
        stays_whole(page)
        assert labels_in(tmp_path)[-1] == (MARKUP[:64], "skip", MARKUP)


def test_a_command_that_ended_is_said_and_nothing_is_lost(
    visit: Callable[..., Visit], served: ServedReview, tmp_path: Path
) -> None:
    here = visit(served)
    page = here.open()
    page.keyboard.press("p")
    said(page, "Pass saved.")
    served.process.kill()
    served.process.wait()
    page.keyboard.press("p")
    expect(page.get_by_role("alert")).to_contain_text("every label you gave is kept")
    assert labels_in(tmp_path) == [("ann", "pass", "")]
    here.complaints.clear()  # the browser reports the refused connection itself
