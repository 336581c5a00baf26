"""What a person does on the page, in a few words."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from tests.web.conftest import Visit

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
    result = page.locator("[data-panel=evaluate] .result")
    result.wait_for()
    return result


def run_arena(visit: Visit, prompt: str, providers: str = "adg", *, signed: bool = True) -> Locator:
    """Choose providers by letter, send the Arena form, and return its panel."""
    panel = visit.panel("arena")
    panel.locator("[name=providers]:enabled").first.wait_for()
    for box in panel.locator("[name=providers]:enabled").all():
        letter = (box.get_attribute("value") or "")[-1]
        box.set_checked(letter in providers)
    panel.locator("[name=prompt]").fill(prompt)
    panel.locator("[name=evidence]").set_checked(signed)
    panel.locator("[name=privacy]").check()
    panel.get_by_role("button", name="Run").click()
    return panel


def copied(page: Page, button: str) -> str:
    """Press a copy button and return what it put on the clipboard."""
    page.evaluate("navigator.clipboard.writeText('')")
    page.get_by_role("button", name=button).first.click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()) !== ''")
    return str(page.evaluate("navigator.clipboard.readText()"))
