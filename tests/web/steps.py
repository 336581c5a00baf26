"""What a person does on the page, in a few words, and how each state of it is looked at."""

from __future__ import annotations

from itertools import product
from typing import Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Locator, Page

from tests.web.conftest import Visit, shoot

WIDTHS = (390, 1366, 1920)
# Over this no style sheet changes anything, which a test holds: axe-core would look at the same page again.
LAST_CHANGE = 1366
COLOUR_RULES = ("color-contrast", "link-in-text-block")
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

PUT = """(field, text) => {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def evaluate(page: Page, prompt: str, response: str) -> Locator:
    """Fill the first form, send it, and return the result."""
    form = page.locator("form[data-form=evaluate]")
    for name, text in (("prompt", prompt), ("response", response)):
        # Put there at once: typed, thousands of line ends go in one by one.
        form.locator(f"[name={name}]").evaluate(PUT, text)
    form.locator("[name=privacy]").check()
    form.get_by_role("button", name="Evaluate").click()
    result = page.locator("[data-panel=evaluate] .result:not(.sample)")
    result.wait_for()
    return result


def run_arena(visit: Visit, prompt: str, providers: str = "adg", *, signed: bool = True) -> Locator:
    """Choose providers by letter, send the Arena form, and return its panel."""
    panel = visit.panel("arena")
    form = panel.locator("form[data-form=arena]")
    form.locator("[name=providers]:enabled").first.wait_for()
    for box in form.locator("[name=providers]:enabled").all():
        letter = (box.get_attribute("value") or "")[-1]
        box.set_checked(letter in providers)
    form.locator("[name=prompt]").fill(prompt)
    form.locator("[name=evidence]").set_checked(signed)
    form.locator("[name=privacy]").check()
    form.get_by_role("button", name="Run").click()
    return panel


def copied(page: Page, button: str) -> str:
    """Press a copy button and return what it put on the clipboard."""
    page.evaluate("navigator.clipboard.writeText('')")
    page.get_by_role("button", name=button).first.click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()) !== ''")
    return str(page.evaluate("navigator.clipboard.readText()"))


def check(page: Page, *rules: str) -> None:
    """Run axe-core over the whole page, all its rules or some; it comes from the tests, not the page."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    asked: dict[str, object] = {"resultTypes": ["violations"]}
    if rules:
        asked["runOnly"] = rules
    found = page.evaluate(
        "(asked) => axe.run(document, asked).then((told) => told.violations)", asked
    )
    told = [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
    ]
    assert told == []


def look(page: Page, name: str) -> None:
    """Look at a state at every width, light and dark: it must fit, and axe-core find nothing where it differs."""
    for width, theme in product(WIDTHS, THEMES):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), width
        # A theme changes colours alone, and no colour changes with the width: a test holds both.
        if theme == "light" and width <= LAST_CHANGE:
            check(page)
        elif theme == "dark" and width == LAST_CHANGE:
            check(page, *COLOUR_RULES)
        shoot(page, f"{name}-{theme}-{width}")
    page.set_viewport_size({"width": 1366, "height": 900})
