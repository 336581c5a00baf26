// The improvement demonstration: before and after, and each kept step as a change to walk through.

import { post } from "./api.js";
import { keepDraft } from "./drafts.js";
import { copyButton, downloadButton, el } from "./elements.js";
import { TO_IMPROVE } from "./examples.js";
import { feedbackForm } from "./feedback.js";
import { countLive, filler, onSubmit } from "./form.js";
import { rulesOf } from "./protocols.js";
import { showEvaluation } from "./result.js";
import { legible, visible } from "./spans.js";

const FIELDS = ["prompt", "response"];

/** Bring the panel to life; return what fills its form. */
export function startImprove(panel) {
  const form = panel.querySelector("form");
  const update = countLive(form, { prompt: 2000, response: 4000 });
  const save = keepDraft(form, FIELDS, update);
  const put = filler(form, FIELDS, update);
  const fill = (texts) => { put(texts); save(); };
  const run = onSubmit(form, panel.querySelector(".outcome"), async () => {
    const texts = { prompt: form.elements.prompt.value, response: form.elements.response.value };
    const answer = await post("/api/improvement-demo", { contractVersion: "1.0.0", ...texts, privacyAcknowledged: true });
    return showImprovement(answer, texts, await rulesOf(answer.body));
  });
  for (const button of panel.querySelectorAll("[data-example]")) {
    button.addEventListener("click", () => {
      fill(TO_IMPROVE[button.dataset.example]);
      run();
    });
  }
  return fill;
}

function showImprovement(answer, texts, rules) {
  const { body } = answer;
  const side = (title, evaluation, response) => el("section", { class: "card" }, el("h3", {}, title),
    showEvaluation(evaluation, { ...texts, response }, rules, { heading: "h4", compact: true }));
  return el("div", {},
    el("h2", {}, body.improved
      ? `Score rose ${body.before.overallScore.toFixed(1)} → ${body.after.overallScore.toFixed(1)} in ${body.steps.length === 1 ? "1 step" : `${body.steps.length} steps`}`
      : "No edit raised the score"),
    body.steps.length ? walk(body.steps, texts.response) : null,
    left(body),
    el("div", { class: "sides" }, side("Before", body.before, texts.response), side("After", body.after, body.revisedResponse)),
    el("div", { class: "row takeaways" },
      copyButton("Copy revised response", body.revisedResponse),
      copyButton("Copy diff", body.diff),
      downloadButton("Download JSON", `improvement-${body.requestId}.json`, JSON.stringify(body, null, 2))),
    feedbackForm(answer.requestId));
}

function walk(steps, original) {
  const states = [original];
  for (const step of steps) {
    const points = Array.from(states.at(-1));
    states.push([...points.slice(0, step.start), step.replacement, ...points.slice(step.end)].join(""));
  }
  let at = 0;
  const shown = el("div", { "aria-live": "polite" });
  const back = el("button", { type: "button", onclick: () => move(-1) }, "Previous step");
  const next = el("button", { type: "button", onclick: () => move(1) }, "Next step");
  const move = (by) => {
    at = Math.min(Math.max(at + by, 0), steps.length - 1);
    // Not `disabled`: the last press would take the focus away.
    back.setAttribute("aria-disabled", String(at === 0));
    next.setAttribute("aria-disabled", String(at === steps.length - 1));
    shown.replaceChildren(one(steps[at], states[at], at, steps.length));
  };
  move(0);
  return el("section", { class: "walk card", "aria-label": "Steps" },
    steps.length > 1 ? el("div", { class: "row" }, back, next) : null, shown);
}

function one(step, text, index, count) {
  const points = Array.from(text);
  // People read whole words: 35 became 30, not 5 became 0.
  const [first, last] = [wordStart(points, step.start), wordEnd(points, step.end)];
  const [removed, added] = [points.slice(first, last).join(""), [...points.slice(first, step.start), step.replacement, ...points.slice(step.end, last)].join("")];
  const [from, to] = [Math.max(0, first - 400), last + 400];
  return el("div", {},
    el("h3", {}, `Step ${index + 1} of ${count}: ${step.message}`),
    el("p", { class: "dim" }, `Edit: ${step.operator}, for ${step.criterionId.replaceAll("_", " ")}. Score `, el("strong", {}, `${step.scoreBefore.toFixed(1)} → ${step.scoreAfter.toFixed(1)}`), step.note ? `. ${step.note}` : ""),
    el("div", { class: "text", dir: "auto", tabindex: "0", role: "group", "aria-label": `Step ${index + 1} as a change` },
      from > 0 ? "…" : "", points.slice(from, first).join(""),
      removed ? el("del", {}, el("span", { class: "unseen" }, "removed: "), visible(removed)) : null,
      added ? el("ins", {}, el("span", { class: "unseen" }, "added: "), added) : null,
      points.slice(last, to).join(""), to < points.length ? "…" : ""));
}

const isWord = (point) => point !== undefined && /[\p{L}\p{N}]/u.test(point);

function wordStart(points, at) {
  let start = at;
  while (isWord(points[start - 1]) && isWord(points[start])) start -= 1;
  return start;
}

function wordEnd(points, at) {
  let end = at;
  while (isWord(points[end - 1]) && isWord(points[end])) end += 1;
  return end;
}

function quotation(edit) {
  const points = Array.from(edit.removed || edit.replacement);
  const piece = points.length > 80 ? `${points.slice(0, 80).join("")}…` : points.join("");
  return el("q", { dir: "auto", title: `characters ${edit.start} to ${edit.end}` }, legible(piece));
}

function left(body) {
  const lines = [
    ...body.rejected.map((edit) => [`Tried: ${edit.operator} for ${edit.criterionId.replaceAll("_", " ")} at `, quotation(edit), `. Rejected: ${edit.reason}`]),
    ...body.unresolved.map((finding) => [`${finding.message} ${finding.reason}`]),
  ];
  if (!lines.length) return null;
  return el("details", {}, el("summary", {}, `Rejected edits and unresolved findings: ${lines.length}`), el("ul", {}, lines.map((line) => el("li", {}, ...line))));
}
