// The review page: shows one row at a time and sends what a person decides. Text is only ever text.

import { el } from "./elements.js";
import { legible, linkHighlights, numbered, painted } from "./spans.js";

const find = (selector) => document.querySelector(selector);
const form = find("[data-decide]");
const note = form.elements.note;
const VERDICTS = { pass: "Pass", fail: "Fail", needs_review: "Needs review", not_applicable: "Not applicable", skip: "Skip" };
let current = null;
let busy = false;

async function ask(path, body) {
  const request = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, request);
  const found = await response.json();
  if (!response.ok) throw new Error(found.error);
  return found;
}

async function act(path, body, said) {
  if (busy) return;
  busy = true;
  try {
    const found = await ask(path, body);
    find("[data-problem]").replaceChildren();
    show(found);
    if (said) find("[data-said]").textContent = `${said} ${current ? `Next: row ${current.item.row}.` : "Nothing is left."}`;
  } catch (error) {
    find("[data-problem]").replaceChildren(el("div", { class: "problem" },
      el("h2", {}, "Not saved"),
      el("p", {}, error.message === "Failed to fetch" ? "The command that serves this page has ended. Start it again: every label you gave is kept." : error.message)));
  } finally {
    busy = false;
  }
}

function show({ state, shown }) {
  current = shown;
  find("[data-progress]").textContent = `${state.reviewer}: ${state.labelled} labelled, ${state.left} left`;
  find("#question").textContent = shown ? (state.target === "overall" ? "Is this response acceptable?" : questionOf(shown, state.target)) : "";
  find("[data-item]").replaceChildren(shown ? itemOf(shown) : endOf(state));
  form.hidden = !shown && state.labelled === 0;
  for (const button of form.querySelectorAll("[data-label]")) button.disabled = !shown;
  find("[data-undo]", form).disabled = state.labelled === 0;
  note.value = shown?.mine?.note ?? "";
  showAgreement(state);
  find("h1").focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

function questionOf({ item }, target) {
  const found = item.evaluation.verdicts.find(({ criterionId }) => criterionId === target);
  return `Does it pass ${found?.title ?? target}?`;
}

function endOf(state) {
  return el("div", {},
    el("h1", { tabindex: "-1" }, "Nothing is left to review"),
    el("p", {}, state.rows ? "You labelled every row of this queue." : "No row of these results needs review. To see all of them, start with --all."),
    el("p", {}, "Your labels are in ", el("code", {}, state.labels), "."));
}

function itemOf({ item, alike, others, disagreed, mine }) {
  const { evaluation } = item;
  const findings = numbered(evaluation.findings);
  const view = el("article", { class: "outcome" },
    el("h1", { tabindex: "-1" }, `Row ${item.row}`, String(item.id) === String(item.row) ? null : el("span", { class: "dim" }, ` ${item.id}`)),
    el("div", { class: `headline ${evaluation.overallVerdict}` },
      el("p", {}, el("span", { class: "score" }, String(evaluation.overallScore)), el("span", { class: `verdict ${evaluation.overallVerdict}` }, VERDICTS[evaluation.overallVerdict])),
      evaluation.reasonDetails.length ? el("ul", { class: "why" }, evaluation.reasonDetails.map(({ message }) => el("li", {}, message))) : null),
    facts(alike, others, disagreed, mine),
    ownColumns(item.columns),
    el("div", { class: "reading" },
      el("div", { class: "sources" }, item.parts.flatMap(({ source, title, text }) => [
        el("h2", {}, title),
        el("div", { class: "text", tabindex: "0", role: "group", "aria-label": title, dir: "auto" }, painted(text, source, findings, "row")),
      ])),
      el("div", { class: "findings" },
        el("h2", {}, "Findings"),
        findings.length ? el("ol", {}, findings.map(findingOf)) : el("p", { class: "dim" }, "No findings."),
        criteria(evaluation.verdicts))));
  linkHighlights(view);
  return view;
}

function facts(alike, others, disagreed, mine) {
  const said = [];
  if (disagreed) said.push("Reviewers disagree on this row.");
  else if (others) said.push(others === 1 ? "One other person labelled this row." : `${others} other people labelled this row.`);
  if (alike > 1) said.push(`${alike} rows have these texts; your label counts for all of them.`);
  if (mine) said.push(`Your label: ${VERDICTS[mine.label]}.`);
  return said.length ? el("p", {}, said.join(" ")) : null;
}

function ownColumns(columns) {
  const names = Object.keys(columns);
  return names.length ? el("dl", { class: "own small" }, names.map((name) => el("div", {}, el("dt", {}, name), el("dd", {}, columns[name])))) : null;
}

function findingOf(finding) {
  return el("li", { class: finding.severity, id: `row-${finding.findingId}`, tabindex: "0", dataset: { finding: finding.findingId } },
    el("p", {}, `${finding.number}. `, el("span", { class: `chip ${finding.severity}` }, finding.severity), ` ${finding.message}`),
    el("div", { class: "quotes" }, finding.evidence.slice(0, 5).map((quote) => el("q", {}, legible(quote.text)))));
}

function criteria(verdicts) {
  const counted = verdicts.filter(({ verdict }) => verdict === "fail" || verdict === "needs_review");
  if (!counted.length) return null;
  return el("div", {},
    el("h2", {}, "Criteria that did not pass"),
    el("ul", { class: "unmet" }, counted.map(({ title, verdict, score, confidence, summary }) => el("li", {},
      el("span", { class: `chip ${verdict}` }, VERDICTS[verdict]), ` ${title} ${score}, confidence ${confidence}: ${summary}`))));
}

function showAgreement(state) {
  const table = el("table", {},
    el("thead", {}, el("tr", {}, ["Reviewer", "Pass", "Fail", "Skip"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, state.reviewers.map(({ name, passed, failed, skipped }) => el("tr", {},
      el("th", { scope: "row" }, name), [passed, failed, skipped].map((count) => el("td", {}, String(count)))))));
  const said = state.compared
    ? `${state.compared} rows have verdicts of two or more people: they agree in ${(100 * state.share).toFixed(0)}% of pairs; Krippendorff's alpha ${state.alpha === null ? "is not defined, because everyone gave the same verdict" : state.alpha.toFixed(2)}.`
    : "No row has verdicts of two people yet, so agreement is not known.";
  find(".agreement").hidden = !state.reviewers.length;
  find("[data-agreement]").replaceChildren(table, el("p", {}, said));
  find("[data-order]").textContent = state.order;
}

function decide(label) {
  if (current) act("label", { texts: current.item.texts, label, note: note.value }, `${VERDICTS[label]} saved.`);
}

const KEYS = { p: () => decide("pass"), f: () => decide("fail"), s: () => decide("skip"), u: undo, n: () => note.focus() };

function undo() {
  act("undo", {}, "Taken back.");
}

for (const button of form.querySelectorAll("[data-label]")) button.addEventListener("click", () => decide(button.dataset.label));
find("[data-undo]").addEventListener("click", undo);
form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target === note) note.blur();
  if (event.target.matches?.("textarea, input") || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const action = form.elements.keys.checked ? KEYS[event.key.toLowerCase()] : undefined;
  if (action) { event.preventDefault(); action(); }
});

await act("next");
document.documentElement.dataset.ready = "";
