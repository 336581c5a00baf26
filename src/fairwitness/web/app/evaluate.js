// Direct evaluation: the form, its examples, the sample that is there from the start, and results.

import { post } from "./api.js";
import { keepDraft } from "./drafts.js";
import { el } from "./elements.js";
import { EXAMPLES } from "./examples.js";
import { isUsed, requestOf, startTurns } from "./extras.js";
import { feedbackForm } from "./feedback.js";
import { countLive, filler, onSubmit, present } from "./form.js";
import { protocols, rulesOf } from "./protocols.js";
import { showEvaluation } from "./result.js";
import { linkHighlights } from "./spans.js";
import { takeaways } from "./takeaways.js";

const FIELDS = ["prompt", "response", "context", "earlier", "reference"];
const PATHS = { "1.0.0": "/api/evaluate-response" };

/** Bring the panel to life; return what fills its form, or shows the result a link carries. */
export function startEvaluate(panel) {
  const form = panel.querySelector("form");
  const outcome = panel.querySelector(".outcome");
  const update = countLive(form, () => (isUsed(form) ? { prompt: 32_000, response: 32_000 } : { prompt: 2000, response: 8000 }));
  const save = keepDraft(form, FIELDS, update);
  const showTurns = startTurns(form);
  const put = filler(form, FIELDS, update);
  const fill = (texts) => { put(texts); showTurns(); save(); };
  const run = onSubmit(form, outcome, async () => {
    const request = requestOf(form);
    return showAnswer(request, await post(PATHS[request.contractVersion] ?? "/api/v2/evaluate-response", request));
  });
  for (const button of panel.querySelectorAll("[data-example]")) {
    button.addEventListener("click", () => {
      fill(EXAMPLES[button.dataset.example]);
      run();
    });
  }
  linkHighlights(panel.querySelector(".sample"));
  offerProtocols(form);
  return (asked) => (asked.result ? showLinked(asked.result, { form, outcome, fill, run }) : fill(asked));
}

async function showAnswer(request, answer) {
  const rules = await rulesOf(answer.body);
  return el("div", {},
    showEvaluation(answer.body.evaluation, request, rules),
    takeaways(request, answer),
    answer.linked ? null : feedbackForm(answer.requestId));
}

/** Show the result a link carries; it proves nothing, so the reader can have it computed again. */
async function showLinked(packed, { form, outcome, fill, run }) {
  const { unpack } = await import("./links.js");
  try {
    const { request, body } = await unpack(packed);
    const context = (request.context ?? []).map(({ text }) => text).join("\n---\n");
    const earlier = request.messages ? JSON.stringify(request.messages.slice(0, -1)) : "";
    fill({ ...request, prompt: request.prompt ?? request.messages.at(-1).content, context, earlier });
    const note = el("p", { class: "note" }, "This result came with the link. It is not signed, so anyone could have written it. ",
      el("button", { type: "button", onclick: () => (form.reportValidity() ? run() : null) }, "Evaluate it again here"));
    const view = await showAnswer(request, { body, text: JSON.stringify(body), linked: true });
    view.prepend(note);
    present(outcome, view);
  } catch {
    outcome.replaceChildren(el("p", { class: "problem", role: "alert" }, "The link does not contain a complete result. Ask for it again, or evaluate the text yourself."));
  }
}

async function offerProtocols(form) {
  const names = ((await protocols()) ?? []).map(({ name }) => name);
  form.elements.protocol.replaceChildren(...names.map((name) => el("option", {}, name)));
  form.elements.protocol.closest("label").hidden = names.length < 2;
}
