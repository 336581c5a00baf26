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
from playwright.sync_api import Page, Route, expect

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
    slots = rows.locator("th .dim").all_inner_texts()
    assert slots == ["Provider A", "Provider D", "Provider G"]
    expect(panel.locator("h2")).to_have_text(
        re.compile(r"<img src=x onerror=alert\(1\)> leads by \d+\.\d points; 1 of 3 failed")
    )
    # The answer comes first in its card, and the score under it.
    card = panel.locator(".card").first
    # Measured at one moment, for the page may still be scrolling to its result.
    tops = card.evaluate(
        "(node) => ['.text', '.headline'].map((name) => node.querySelector(name).getBoundingClientRect().top)"
    )
    assert tops[0] < tops[1]
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
    expect(panel.locator("h2")).to_have_text("No clear difference at the top: 0.0 points")
    expect(panel.locator(".standings .chip", has_text="tie")).to_have_count(2)
    expect(panel.get_by_role("button", name="Download JSON")).to_be_visible()


def test_answers_appear_as_each_provider_finishes_and_take_the_settings(
    visit: Callable[..., Visit], stage: Stage
) -> None:
    stage.first.text, stage.second.text = LEAKY, SOUND
    here = visit(stage.server)
    here.open("/#arena")
    panel = here.panel("arena")
    panel.locator(".extras summary").click()
    panel.locator("[name=system]").fill("Answer in one sentence.")
    panel.locator("[name=temperature]").fill("0.2")
    for text in ("What is a plant?", "A living thing that grows."):
        panel.get_by_role("button", name="Add a message").click()
        panel.locator(".turn textarea").last.fill(text)
    stage.first.hold()
    try:
        with here.page.expect_request("**/api/v2/arena?evidence=true") as asked:
            run_arena(here, "How do plants drink?", "ad")
        expect(panel.locator(".card").nth(1).locator(".text")).to_have_text(SOUND)
        expect(panel.locator(".card").first).to_contain_text("Waiting")
        expect(panel.locator("h2")).to_have_text("Waiting for 1 answer…")
    finally:
        stage.first.free()
    expect(panel.locator(".card").first.locator(".text").first).to_have_text(LEAKY)
    panel.locator(".standings").wait_for()
    sent = json.loads(asked.value.post_data or "")
    assert (sent["system"], sent["temperature"]) == ("Answer in one sentence.", 0.2)
    assert [message["role"] for message in sent["messages"]] == ["user", "assistant", "user"]
    assert sent["messages"][2]["content"] == "How do plants drink?"
    assert "prompt" not in sent


def test_a_blind_run_shows_names_and_scores_only_after_the_vote(
    visit: Callable[..., Visit], stage: Stage
) -> None:
    stage.first.text, stage.second.text = LEAKY, SOUND
    here = visit(stage.server)
    page = here.open("/#arena")
    here.panel("arena").locator("[name=blind]").check()
    panel = run_arena(here, "How do plants sleep?", "ad", signed=False)
    expect(panel.locator("h2")).to_have_text("Which answer is better?")
    shown = panel.locator(".outcome").inner_text()
    assert "plain-model" not in shown
    assert "of 100" not in shown
    assert panel.locator(".outcome mark").count() == 0
    order = panel.locator(".card .text").all_inner_texts()
    assert sorted(order) == sorted([LEAKY, SOUND])
    here.shoot("arena-blind-light-1200")
    panel.get_by_role("button", name=f"Answer {order.index(LEAKY) + 1}").click()
    expect(panel.locator(".note")).to_contain_text("You chose plain-model.")
    expect(panel.locator(".card .headline")).to_have_count(2)
    with page.expect_download() as download:
        panel.get_by_role("button", name="Export votes").click()
    (vote,) = json.loads(Path(download.value.path()).read_text())
    assert vote["winner"] == "provider_a"
    assert {answer["model"] for answer in vote["shownOrder"]} >= {"plain-model"}
    assert SOUND not in json.dumps(vote)


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


def sealed_by_another(body: dict[str, Any], stranger: Signer | None = None) -> dict[str, Any]:
    """Return the same content under a signature of a key this service does not have."""
    signer = stranger or Signer(Ed25519PrivateKey.generate())
    sealed = signer.seal(base64.b64decode(body["evidence"]["payload"]))
    return {**body, "evidence": msgspec.to_builtins(sealed)}


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
    latency = json.loads(kept)["results"][0]["latencyMs"]
    drop(here.page, re.sub(r'"latencyMs":(\d+)', r'"latencyMs":\1.0', kept, count=1))
    expect(report.locator("h2")).to_contain_text("Verified: signature valid")

    # A changed value is named with what was signed and what is there now.
    drop(here.page, re.sub(r'"latencyMs":(\d+)', '"latencyMs":987654', kept, count=1))
    expect(report.locator(".faults code")).to_have_text("results[0].latencyMs")
    old, new = report.locator(".faults q").all_inner_texts()
    assert (old, new) == (str(latency), "987654")

    stranger = Signer(Ed25519PrivateKey.generate())
    drop(here.page, canonical(sealed_by_another(json.loads(kept), stranger)).decode())
    expect(report.locator("h2")).to_have_text(UNKNOWN_SIGNER)
    expect(report.locator(".faults")).to_have_count(0)
    public = stranger.public
    entry = {
        "keyid": public.keyid,
        "publicKey": base64.b64encode(public.raw).decode(),
        "validUntil": None,
        "revokedAt": None,
    }
    (tmp_path / "keys.json").write_text(json.dumps([entry]))
    here.page.set_input_files("[data-panel=verify] [name=keys]", tmp_path / "keys.json")
    expect(report.locator("h2")).to_contain_text("Verified: signature valid")
    expect(report).to_contain_text("signed by a key in keys.json")
    here.page.set_input_files("[data-panel=verify] [name=keys]", [])

    # The unchanged file again, chosen this time.
    here.page.set_input_files("[data-panel=verify] [name=file]", tmp_path / "kept.json")
    expect(report.locator("h2")).to_contain_text("Verified: signature valid")


def test_other_files_are_refused_in_words(visit: Callable[..., Visit], stage: Stage) -> None:
    page = visit(stage.server).open()
    told = page.locator("[data-panel=verify] [role=alert]")
    for content, words in {
        "not JSON at all": "The file is not JSON.",
        "{}": "evidence: missing",
        "[]": "not a JSON object",
        '{"evidence": 1, "evidence": 2}': 'the key "evidence" appears twice',
    }.items():
        drop(page, content)
        expect(told).to_contain_text("This file cannot be verified")
        expect(told).to_contain_text(words)


def test_a_file_chosen_before_the_section_has_loaded_is_verified(
    visit: Callable[..., Visit], stage: Stage, tmp_path: Path
) -> None:
    page = visit(stage.server).open()
    waiting: list[Route] = []
    page.route("**/verify.js", lambda route: waiting.append(route))
    with page.expect_request("**/verify.js"):
        page.click("[data-tab=verify]")
    (tmp_path / "a.json").write_text("{}")
    page.set_input_files("[data-panel=verify] [name=file]", tmp_path / "a.json")
    waiting[0].continue_()
    expect(page.locator("[data-panel=verify] [role=alert]")).to_contain_text("evidence: missing")
