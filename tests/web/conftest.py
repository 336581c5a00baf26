"""A browser, pages that report every complaint, and a server whose providers answer what a test says."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    expect,
    sync_playwright,
)

from perf.counting_provider import CountingProvider
from tests.conftest import RunningServer, serving
from tests.machine_parts import CHROMIUM

ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update "
    "--disable-sync --no-first-run --disable-quic"
).split()
# What a test expects may take this long on a busy machine; where it is there, nobody waits.
expect.set_options(timeout=30_000)
SHOTS = Path(__file__).parent.parent.parent / "test-output" / "screenshots"
# Pictures are for people's eyes: no test looks at them.
PICTURES = os.environ.get("PICTURES") == "1"


def shoot(page: Page, name: str, *, full: bool = True) -> None:
    """Keep a picture of the page where pictures were asked for."""
    if PICTURES:
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SHOTS / f"{name}.png", full_page=full)


# Everything that moved without being asked to, since the page was opened.
WATCH_SHIFTS = """
window.moved = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    const parts = entry.sources.map(({ node, previousRect: was, currentRect: is }) => [
      node?.outerHTML?.slice(0, 80) ?? node?.nodeName,
      `${was.x},${was.y} ${was.width}x${was.height} to ${is.x},${is.y} ${is.width}x${is.height}`,
    ]);
    window.moved.push([entry.value, `${Math.round(entry.startTime)} ms`, ...parts]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""


class Speaker(CountingProvider):
    """A provider's other end that says what the test put in `text`."""

    def __init__(self, text: str) -> None:
        super().__init__(usage={"prompt_tokens": 10, "completion_tokens": 20, "total_tokens": 30})
        self.text = text

    def answer(self) -> dict[str, Any]:
        said = super().answer()
        said["choices"][0]["message"]["content"] = self.text
        return said


@dataclass
class Stage:
    """A server with two providers that speak, and one that cannot be reached."""

    server: RunningServer
    first: Speaker
    second: Speaker


@dataclass
class Visit:
    """One page, the service it shows, and what the browser complained of."""

    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)
    # Statuses a test provokes: the browser reports each as an error of its own.
    expected: set[int] = field(default_factory=set)

    def open(self, address: str = "/") -> Page:
        self.page.goto(self.url + address)
        if not address.startswith("/docs"):
            self.page.wait_for_selector("html[data-ready]")
        return self.page

    def panel(self, name: str) -> Locator:
        """Show a section and return it."""
        self.page.click(f"[data-tab={name}]")
        found = self.page.locator(f"[data-panel={name}]")
        found.wait_for()
        return found

    def shoot(self, name: str, *, full: bool = True) -> None:
        shoot(self.page, name, full=full)

    def unexpected(self) -> list[str]:
        allowed = [f"the server responded with a status of {status} " for status in self.expected]
        return [said for said in self.complaints if not any(part in said for part in allowed)]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for these tests; closed before others run, for it keeps an event loop running."""
    assert CHROMIUM is not None
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture(scope="package")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """An Arena whose answers, prices and failures are known."""
    folder = tmp_path_factory.mktemp("stage")
    first, second = Speaker(""), Speaker("")
    slot = (
        '[providers.{}]\nkind = "openai"\nmodel = "{}"\nbase_url = "{}"\n'
        "input_usd_per_mtok = 1.0\noutput_usd_per_mtok = 2.0\n"
    )
    config = folder / "fairwitness.toml"
    config.write_text(
        slot.format("provider_a", "plain-model", first.base_url)
        + slot.format("provider_d", "<img src=x onerror=alert(1)>", second.base_url)
        + slot.format("provider_g", "nobody-home", "http://127.0.0.1:9/v1")
    )
    try:
        with serving(
            folder, CONFIG=str(config), DUPLICATE_WINDOW_S="2", PROVIDER_DEADLINE_S="20"
        ) as server:
            yield Stage(server, first, second)
    finally:
        first.close()
        second.close()


@pytest.fixture(scope="package")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that spends nothing and keeps no feedback."""
    folder = tmp_path_factory.mktemp("refusing")
    with serving(folder, SPEND_ENABLED="false", FEEDBACK_PER_DAY="0") as running:
        yield running


def profile(browser: Browser) -> BrowserContext:
    """Return a browser profile nobody has used."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(15_000)
    return context


@pytest.fixture(scope="package")
def tabs(browser: Browser) -> Iterator[BrowserContext]:
    """One profile whose window stays open: a tab in it costs a third of a profile of its own."""
    context = profile(browser)
    context.new_page()
    yield context
    context.close()


@contextmanager
def visiting(browser: Browser, tabs: BrowserContext) -> Iterator[Callable[..., Visit]]:
    """Give what opens pages on a server, each in a tab that finds nothing kept; none may complain."""
    own: list[BrowserContext] = []
    visits: list[Visit] = []

    def begin(
        server: RunningServer, *, width: int = 1200, theme: str = "light", alone: bool = False
    ) -> Visit:
        context = profile(browser) if alone else tabs
        if alone:
            own.append(context)
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 900})
        scheme: Any = theme
        page.emulate_media(color_scheme=scheme)
        if not any(found.url == server.url for found in visits):
            # What an earlier test left behind.
            origin = "/".join(server.url.split("/")[:3])
            context.new_cdp_session(page).send(
                "Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"}
            )
        page.add_init_script(WATCH_SHIFTS)
        found = Visit(page, server.url)
        page.on(
            "console",
            lambda message: (
                found.complaints.append(message.text)
                if message.type in ("error", "warning")
                else None
            ),
        )
        page.on("pageerror", lambda error: found.complaints.append(str(error)))
        page.on("dialog", lambda dialog: found.complaints.append(f"dialog: {dialog.message}"))
        visits.append(found)
        return found

    yield begin
    for found in visits:
        found.page.close()
    for context in own:
        context.close()
    assert [said for found in visits for said in found.unexpected()] == []


@pytest.fixture
def visit(browser: Browser, tabs: BrowserContext) -> Iterator[Callable[..., Visit]]:
    """Open pages: `visit(server, width=360, theme="dark")`, `alone` in a profile of their own."""
    with visiting(browser, tabs) as begin:
        yield begin
