// Arena: one prompt across providers, side by side in the order asked, with evidence to keep and check.

import { get, post } from "./api.js";
import { downloadButton, el } from "./elements.js";
import { feedbackForm } from "./feedback.js";
import { countLive, onSubmit } from "./form.js";
import { showEvaluation } from "./result.js";
import { checkEvidence } from "./verify.js";

const ARENA = ["provider_a", "provider_d", "provider_g", "provider_e", "provider_f"];

/** Bring the panel to life. */
export async function startArena(panel) {
  const form = panel.querySelector("form");
  countLive(form, { prompt: 2000 });
  const published = await get("/docs/providers.json");
  const deadline = published?.deadlineSeconds ?? 60;
  form.querySelector("[data-providers]").replaceChildren(...choices(published?.providers ?? []));
  form.addEventListener("change", () => checkCount(form));
  checkCount(form);
  onSubmit(form, panel.querySelector(".outcome"), () => run(form, deadline));
}

function choices(providers) {
  const known = new Map(providers.map((provider) => [provider.id, provider]));
  return ARENA.map((id, index) => {
    const slot = known.get(id);
    const usable = Boolean(slot?.configured);
    return el("label", { class: `choice ${usable ? "" : "off"}` },
      el("input", { type: "checkbox", name: "providers", value: id, disabled: !usable, checked: usable && index < 2 }),
      el("span", {}, el("strong", {}, id.replace("_", " ")),
        el("span", { class: "dim" }, usable ? ` ${slot.model}${slot.sampling ? ` · ${describe(slot.sampling)}` : ""}` : " not configured")));
  });
}

function describe(sampling) {
  return typeof sampling === "string" ? sampling : Object.entries(sampling).map(([key, value]) => `${key} ${value}`).join(", ");
}

function chosen(form) {
  return [...form.querySelectorAll('input[name="providers"]:checked')].map((box) => box.value);
}

function checkCount(form) {
  const boxes = form.querySelectorAll('input[name="providers"]');
  const count = chosen(form).length;
  boxes[0]?.setCustomValidity(count < 2 || count > 5 ? "Choose 2 to 5 providers." : "");
}

async function run(form, deadline) {
  const abort = new AbortController();
  const cancel = form.querySelector("[data-cancel]");
  const clock = form.querySelector(".clock");
  const started = performance.now();
  const tick = () => { clock.textContent = `${((performance.now() - started) / 1000).toFixed(1)} s of at most ${deadline} s`; };
  const timer = setInterval(tick, 100);
  tick();
  cancel.hidden = false;
  cancel.onclick = () => abort.abort();
  const signed = form.elements.evidence.checked;
  const prompt = form.elements.prompt.value;
  try {
    const answer = await post(signed ? "/api/arena-evidence" : "/api/arena", {
      contractVersion: "1.0.0", prompt, providers: chosen(form), privacyAcknowledged: form.elements.privacy.checked,
    }, abort.signal);
    return showArena(answer, prompt, signed);
  } finally {
    clearInterval(timer);
    clock.textContent = `${((performance.now() - started) / 1000).toFixed(1)} s`;
    cancel.hidden = true;
  }
}

function showArena(answer, prompt, signed) {
  const { body, text } = answer;
  const outcome = el("div", { "aria-live": "polite" });
  return el("div", {},
    ranking(body.summary),
    el("div", { class: "arena" }, body.results.map((item) => card(item, prompt))),
    el("div", { class: "row takeaways" },
      downloadButton(signed ? "Download evidence" : "Download JSON", `arena-${body.requestId}.json`, text),
      signed ? el("button", { type: "button", onclick: async () => outcome.replaceChildren(await checkEvidence(text)) }, "Verify in this browser") : null),
    outcome,
    feedbackForm(answer.requestId));
}

function ranking(summary) {
  const places = new Map();
  for (const place of summary.ranking) places.set(place.rank, [...(places.get(place.rank) ?? []), place]);
  return el("div", { class: "ranking" },
    el("h2", {}, `${summary.completed} completed${summary.failed ? `, ${summary.failed} failed` : ""}`),
    el("ol", {}, [...places].map(([rank, group]) => el("li", { value: String(rank) },
      group.map((place) => `${place.providerId.replace("_", " ")} (${place.overallScore.toFixed(1)})`).join(" and "),
      group.length > 1 ? el("span", { class: "chip" }, "tie") : null))));
}

function card(item, prompt) {
  const title = item.providerId.replace("_", " ");
  if (item.status === "failed") {
    return el("section", { class: "card failed" }, el("h3", {}, title), el("p", { class: "dim" }, item.model ?? ""),
      el("p", { class: "problem" }, `Failed: ${item.error.code.replaceAll("_", " ")}. ${item.error.message}`));
  }
  const { usage } = item;
  const cost = usage.costUsd === null ? "cost unknown" : usage.costUsd === 0 ? "no cost" : `$${usage.costUsd.toFixed(6)}`;
  return el("section", { class: "card" }, el("h3", {}, title),
    el("p", { class: "dim" }, `${item.model} · ${(item.latencyMs / 1000).toFixed(1)} s · ${cost} · ended by ${item.finishReason}${item.truncated ? " · cut to 8000 characters" : ""}`),
    showEvaluation(item.evaluation, { prompt, response: item.response }, { heading: "h4", compact: true }));
}
