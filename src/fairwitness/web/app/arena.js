// Arena: the form, its running clock, answers as they come, and a request that can be cancelled.

import { Problem, get, stream } from "./api.js";
import { keepDraft } from "./drafts.js";
import { el } from "./elements.js";
import { TO_COMPARE } from "./examples.js";
import { CONTRACT_2, asked, startTurns } from "./extras.js";
import { countLive, filler, onSubmit } from "./form.js";
import { protocols } from "./protocols.js";
import { Board } from "./board.js";
import { slotName } from "./standings.js";

const FIELDS = ["prompt", "system", "earlier", "temperature"];

/** Bring the panel to life; return what fills its form. */
export async function startArena(panel) {
  const form = panel.querySelector("form");
  const update = countLive(form, { prompt: 32_000 });
  const save = keepDraft(form, FIELDS, update);
  const showTurns = startTurns(form);
  const put = filler(form, FIELDS, update);
  const fill = (texts) => { put(texts); showTurns(); save(); };
  for (const button of panel.querySelectorAll("[data-example]")) {
    button.addEventListener("click", () => { fill(TO_COMPARE[button.dataset.example]); form.elements.prompt.focus(); });
  }
  const slots = form.querySelector("[data-providers]");
  // They are there from the start, so that nothing moves when the models' names arrive.
  const ids = [...slots.querySelectorAll("input")].map((box) => box.value);
  const published = await get("/docs/providers.json");
  const known = new Map((published?.providers ?? []).map((provider) => [provider.id, provider]));
  slots.replaceChildren(...ids.map((id) => choice(id, known.get(id), published ? "not configured" : "unknown: the service cannot be reached")));
  for (const box of [...form.querySelectorAll('[name="providers"]:enabled')].slice(0, 2)) box.checked = true;
  form.addEventListener("change", () => checkCount(form));
  checkCount(form);
  const outcome = panel.querySelector(".outcome");
  onSubmit(form, outcome, () => run(form, outcome, known, published?.deadlineSeconds ?? 60));
  return fill;
}

function choice(id, slot, otherwise) {
  const usable = Boolean(slot?.configured);
  const name = usable ? slot.model : slotName(id);
  return el("label", { class: `choice ${usable ? "" : "off"}` },
    el("input", { type: "checkbox", name: "providers", value: id, disabled: !usable }),
    el("span", {}, el("strong", {}, el("bdi", {}, name)), el("span", { class: "dim small" }, usable ? [slotName(id), sampling(slot)] : otherwise)));
}

// The embedded model's name already includes its sampling.
function sampling({ model, sampling: chosen }) {
  const told = Object.entries(chosen ?? {}).filter(([, value]) => value !== null);
  return told.length && !model.includes("temperature") ? ` · ${told.map(([key, value]) => `${key.replaceAll("_", " ")} ${value}`).join(", ")}` : "";
}

function chosen(form) {
  return [...form.querySelectorAll('input[name="providers"]:checked')].map((box) => box.value);
}

function checkCount(form) {
  const [first] = form.querySelectorAll('input[name="providers"]:enabled');
  first?.setCustomValidity(chosen(form).length < 2 ? "Choose 2 to 5 providers." : "");
}

function requestOf(form) {
  const { system, temperature } = form.elements;
  return {
    contractVersion: CONTRACT_2,
    ...asked(form),
    providers: chosen(form),
    ...(system.value.trim() ? { system: system.value } : {}),
    ...(temperature.value ? { temperature: Number(temperature.value) } : {}),
    privacyAcknowledged: true,
  };
}

async function run(form, outcome, known, deadline) {
  const abort = new AbortController();
  const cancel = form.querySelector("[data-cancel]");
  const stop = startClock(form.querySelector(".clock"), deadline);
  cancel.classList.add("possible");
  cancel.onclick = () => { form.querySelector("button.primary").focus(); abort.abort(); };
  const signed = form.elements.evidence.checked;
  const request = requestOf(form);
  const board = new Board(request, known, { signed, blind: form.elements.blind.checked, rules: (await protocols())?.[0]?.thresholds ?? null });
  outcome.replaceChildren(board.view);
  try {
    let whole;
    const requestId = await stream(`/api/v2/arena${signed ? "?evidence=true" : ""}`, request, abort.signal, (name, data) => {
      if (name === "result") board.add(JSON.parse(data));
      else if (name === "arena") whole = data;
    });
    if (!whole) throw new Problem("The answer ended early", "Try again. Answers that were shown may have been charged.", { requestId });
    return board.finish(whole, requestId);
  } finally {
    stop();
    cancel.classList.remove("possible");
  }
}

function startClock(clock, deadline) {
  const started = performance.now();
  const hand = el("progress", { max: String(deadline), value: "0", "aria-label": "Time used of the deadline" });
  const words = el("span", {});
  clock.replaceChildren(hand, words);
  const tick = () => {
    const seconds = (performance.now() - started) / 1000;
    hand.value = seconds;
    words.textContent = `${seconds.toFixed(1)} s of at most ${deadline} s`;
  };
  tick();
  const timer = setInterval(tick, 100);
  return () => {
    clearInterval(timer);
    tick();
  };
}
