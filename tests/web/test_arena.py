"""The Arena in the browser: standings, failures, ties, the clock, and evidence that is checked there."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Page, expect

from fairwitness.evidence import Signer
from fairwitness.evidence.canonical import canonical
from fairwitness.evidence.verification_report import UNKNOWN_SIGNER
from tests.web.conftest import Stage, Visit
from tests.web.steps import run_arena

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SOUND = "Plants make sugar from water and carbon dioxide, using the energy of light."
LEAKY = "Write to jane.roe@gmail.com, or call +44 7911 123456."


def test_standings_keep_the_order_and_show_the_failure_in_its_place(
    visit: Callable[..., Visit], stage: Stage
) -> None:
    stage.first.text, stage.second.text = LEAKY, SOUND
    here = visit(stage.server, width=1600)
    here.open("/#arena")
    panel = run_arena(here, "How do plants make food?")
    rows = panel.locator(".standings tbody tr")
    expect(rows).to_have_count(3)
    assert [row.split()[1] for row in rows.all_inner_texts()] == ["A", "D", "G"]
    expect(panel.locator("h2")).to_have_text("Provider D scores highest; 1 of 3 failed")
    expect(rows.nth(0)).to_contain_text("$0.000050")
    expect(rows.nth(2)).to_contain_text("Failed")
    expect(panel.locator(".card").nth(2)).to_contain_text("No response")
    expect(panel.locator(".card").nth(1)).to_contain_text("<img src=x onerror=alert(1)>")
    here.shoot("arena-failure-light-1600")


def test_a_tie_is_called_a_tie(visit: Callable[..., Visit], stage: Stage) -> None:
    stage.first.text = stage.second.text = SOUND
    here = visit(stage.server)
    here.open("/#arena")
    panel = run_arena(here, "How do plants eat?", "ad", signed=False)
    expect(panel.locator("h2")).to_have_text("A tie for first: Provider A and Provider D")
    expect(panel.locator(".standings .chip", has_text="tie")).to_have_count(2)
    expect(panel.get_by_role("button", name="Download JSON")).to_be_visible()


def test_fewer_than_two_is_said_before_sending(visit: Callable[..., Visit], stage: Stage) -> None:
    here = visit(stage.server)
    here.open("/#arena")
    panel = run_arena(here, "How do plants eat?", "a")
    box = panel.locator("[name=providers]:enabled").first
    assert box.evaluate("(box) => box.validationMessage") == "Choose 2 to 5 providers."
    expect(panel.locator("[name=providers]:disabled")).to_have_count(2)
    expect(panel.locator(".choice.off").first).to_contain_text("not configured")


def test_the_clock_runs_and_the_run_can_be_cancelled(
    visit: Callable[..., Visit], stage: Stage
) -> None:
    here = visit(stage.server)
    here.open("/#arena")
    stage.first.hold()
    try:
        panel = run_arena(here, "How do plants grow?", "ad")
        expect(panel.locator(".clock")).to_have_text(re.compile(r"[1-9]\.\d s of at most 20 s"))
        expect(panel.locator("progress")).to_have_attribute("max", "20")
        here.shoot("arena-running-light-1200")
        panel.get_by_role("button", name="Cancel").click()
        expect(panel.locator(".outcome")).to_contain_text("Cancelled")
        expect(panel.locator("[data-cancel]")).to_be_hidden()
    finally:
        stage.first.free()


def evidence_file(here: Visit, folder: Path, prompt: str) -> dict[str, Any]:
    panel = run_arena(here, prompt, "ad")
    with here.page.expect_download() as download:
        panel.get_by_role("button", name="Download evidence").click()
    download.value.save_as(folder / "kept.json")
    found: dict[str, Any] = json.loads((folder / "kept.json").read_text())
    return found


def drop(page: Page, content: str) -> None:
    """Drop a file on the page, as a mouse would."""
    page.evaluate(
        """(content) => {
            const data = new DataTransfer();
            data.items.add(new File([content], "dropped.json", { type: "application/json" }));
            for (const kind of ["dragover", "drop"]) {
                document.body.dispatchEvent(
                    new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
            }
        }""",
        content,
    )


def test_evidence_is_verified_in_the_browser_and_tampering_is_shown(
    visit: Callable[..., Visit], stage: Stage, tmp_path: Path
) -> None:
    stage.first.text, stage.second.text = LEAKY, SOUND
    here = visit(stage.server, width=1600, theme="dark")
    here.open("/#arena")
    body = evidence_file(here, tmp_path, "How do plants breathe?")
    here.page.get_by_role("button", name="Verify in this browser").click()
    report = here.page.locator("[data-panel=arena] .evidence")
    expect(report.locator("h2")).to_contain_text("Verified: signature valid")
    assert report.locator(".checks .good").count() > 20
    expect(report.locator(".checks .bad")).to_have_count(0)

    body["results"][0]["response"] = "She is <b>safe</b>."
    drop(here.page, canonical(body).decode())
    report = here.page.locator("[data-panel=verify] .evidence")
    expect(report.locator("h2")).to_contain_text("Not verified")
    expect(report.locator(".faults li")).to_have_count(1)
    expect(report.locator(".faults")).to_contain_text("results[0].response")
    expect(report.locator(".faults q")).to_have_text("She is <b>safe</b>.")
    expect(report.locator(".checks .bad code", has_text="results[0].response")).to_have_count(1)
    expect(report.locator(".checks .good code", has_text="results[1].response")).to_have_count(1)
    here.shoot("verify-tampered-dark-1600")

    kept = (tmp_path / "kept.json").read_text(encoding="utf-8")
    drop(here.page, re.sub(r'"latencyMs":(\d+)', r'"latencyMs":\1.0', kept, count=1))
    expect(report.locator(".faults li")).to_have_count(1)
    expect(report.locator(".faults code")).to_have_text("results[0].latencyMs")

    stranger = Signer(Ed25519PrivateKey.generate())
    again = json.loads(kept)
    sealed = stranger.seal(base64.b64decode(again["evidence"]["payload"]))
    drop(here.page, canonical({**again, "evidence": msgspec.to_builtins(sealed)}).decode())
    expect(report.locator("h2")).to_have_text(UNKNOWN_SIGNER)

    # The unchanged file again, chosen this time.
    here.page.set_input_files("[data-panel=verify] input", tmp_path / "kept.json")
    expect(report.locator("h2")).to_contain_text("Verified: signature valid")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("not JSON at all", "The file is not JSON."),
        ("{}", "evidence: missing"),
        ('{"evidence": 1, "evidence": 2}', "evidence"),
        ("[]", "not a JSON object"),
    ],
)
def test_other_files_are_refused_in_words(
    visit: Callable[..., Visit], stage: Stage, content: str, words: str
) -> None:
    here = visit(stage.server)
    page = here.open()
    drop(page, content)
    told = page.locator("[data-panel=verify] [role=alert]")
    expect(told).to_contain_text("This file cannot be verified")
    expect(told).to_contain_text(words)
