// Arena: the form, its running clock, and a request that can be cancelled.

import { get, post } from "./api.js";
import { el } from "./elements.js";
import { countLive, filler, onSubmit } from "./form.js";
import { nameOf, showArena } from "./standings.js";

const ARENA = ["provider_a", "provider_d", "provider_g", "provider_e", "provider_f"];

/** Bring the panel to life; return what fills its form. */
export async function startArena(panel) {
  const form = panel.querySelector("form");
  const fill = filler(form, countLive(form, { prompt: 2000 }));
  const slots = form.querySelector("[data-providers]");
  slots.replaceChildren(...ARENA.map((id) => choice(id, null, "loading…")));
  const published = await get("/docs/providers.json");
  const known = new Map((published?.providers ?? []).map((provider) => [provider.id, provider]));
  slots.replaceChildren(...ARENA.map((id) => choice(id, known.get(id), published ? "not configured" : "unknown: the service cannot be reached")));
  for (const box of [...form.querySelectorAll('[name="providers"]:enabled')].slice(0, 2)) box.checked = true;
  form.addEventListener("change", () => checkCount(form));
  checkCount(form);
  onSubmit(form, panel.querySelector(".outcome"), () => run(form, published?.deadlineSeconds ?? 60));
  return fill;
}

function choice(id, slot, otherwise) {
  const usable = Boolean(slot?.configured);
  return el("label", { class: `choice ${usable ? "" : "off"}` },
    el("input", { type: "checkbox", name: "providers", value: id, disabled: !usable }),
    el("span", {}, el("strong", {}, nameOf(id)), el("span", { class: "dim small" }, el("bdi", {}, usable ? describe(slot) : otherwise))));
}

// The embedded model's name already includes its sampling.
function describe({ model, sampling }) {
  const told = Object.entries(sampling ?? {}).filter(([, value]) => value !== null);
  if (!told.length || model.includes("temperature")) return model;
  return `${model} · ${told.map(([key, value]) => `${key.replaceAll("_", " ")} ${value}`).join(", ")}`;
}

function chosen(form) {
  return [...form.querySelectorAll('input[name="providers"]:checked')].map((box) => box.value);
}

function checkCount(form) {
  const [first] = form.querySelectorAll('input[name="providers"]:enabled');
  first?.setCustomValidity(chosen(form).length < 2 ? "Choose 2 to 5 providers." : "");
}

async function run(form, deadline) {
  const abort = new AbortController();
  const cancel = form.querySelector("[data-cancel]");
  const stop = startClock(form.querySelector(".clock"), deadline);
  cancel.classList.add("possible");
  cancel.onclick = () => { form.querySelector("button.primary").focus(); abort.abort(); };
  const signed = form.elements.evidence.checked;
  const request = { contractVersion: "1.0.0", prompt: form.elements.prompt.value, providers: chosen(form), privacyAcknowledged: form.elements.privacy.checked };
  try {
    const answer = await post(signed ? "/api/arena-evidence" : "/api/arena", request, abort.signal);
    return showArena(answer, request.prompt, signed);
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
