// Shows one evaluation: the score, why, a bar for each criterion, and the evidence where it stands.

import { el, svg } from "./elements.js";

const VERDICTS = { pass: "Pass", fail: "Fail", needs_review: "Needs review", not_applicable: "Does not apply" };
const REASONS = {
  near_threshold: "the score lies between the lines",
  low_confidence: "a weighty criterion is not sure",
  language_unsupported: "this language cannot be judged well",
  judge_addressed: "the text speaks to whoever judges it",
  criterion_failed: "one criterion could not be judged",
  text_too_short: "there is too little text to judge",
};
const ORDER = ["critical", "high", "medium", "low", "info"];
let serial = 0;

/** Return the whole view of an evaluation over its texts ({prompt, response}). */
export function showEvaluation(evaluation, texts, { heading = "h2", compact = false } = {}) {
  const scope = `r${++serial}`;
  const view = el("article", { class: `result ${compact ? "compact" : ""}` },
    headline(evaluation, heading),
    criteria(evaluation),
    el("div", { class: "reading" },
      el("div", { class: "texts" },
        quoted("Response", "response", texts, evaluation, scope),
        evaluation.findings.some((finding) => finding.evidence.some((quote) => quote.source === "prompt"))
          ? quoted("Prompt", "prompt", texts, evaluation, scope) : null),
      findings(evaluation, scope)),
  );
  linkHighlights(view);
  return view;
}

function headline(evaluation, heading) {
  const verdict = evaluation.overallVerdict;
  const reasons = evaluation.reasons.map((reason) => REASONS[reason] ?? reason);
  return el("header", { class: `headline ${verdict}` },
    el(heading, {},
      el("span", { class: "score" }, evaluation.overallScore.toFixed(1)),
      el("span", { class: "of" }, " of 100 "),
      el("span", { class: `verdict ${verdict}` }, VERDICTS[verdict])),
    reasons.length ? el("p", { class: "reasons" }, `A person should look: ${reasons.join("; ")}.`) : null);
}

function criteria(evaluation) {
  return el("table", { class: "criteria" },
    el("caption", { class: "hidden" }, "Verdict of each criterion"),
    el("thead", { class: "hidden" }, el("tr", {}, ["Criterion", "Score", "Verdict", "Summary"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, evaluation.verdicts.map(criterion)));
}

function criterion(item) {
  const applies = item.score !== null;
  return el("tr", { class: item.verdict, dataset: { criterion: item.criterionId } },
    el("th", { scope: "row" }, item.title),
    el("td", { class: "measure" }, applies ? bar(item) : el("span", { class: "dim" }, "–")),
    el("td", {}, el("span", { class: `chip ${item.verdict}` }, VERDICTS[item.verdict]),
      item.observed ? el("span", { class: "dim" }, ` ${item.observed.replace("_", " ")}`) : null),
    el("td", { class: "summary" }, item.summary,
      applies ? el("span", { class: "dim" }, ` Confidence ${Math.round(item.confidence * 100)}%.`) : null));
}

function bar(item) {
  const picture = svg("svg", { class: `bar ${item.verdict}`, viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "rail", width: 100, height: 8 }),
    svg("rect", { class: "fill", width: Math.max(item.score, 1), height: 8 }));
  return el("span", { class: "barred" }, picture, el("span", { class: "points" }, item.score.toFixed(0)));
}

function quoted(title, source, texts, evaluation, scope) {
  return el("div", { class: "quoted" },
    el("h3", {}, title),
    el("div", { class: "text", dir: "auto", lang: "" }, segments(texts[source], source, evaluation.findings, scope)));
}

/** Cut a text at every edge of evidence; each piece names the findings that quote it. */
export function segments(text, source, findings, scope) {
  const points = Array.from(text);
  const marks = findings.flatMap((finding) => finding.evidence
    .filter((quote) => quote.source === source)
    .map((quote) => ({ start: quote.start, end: quote.end, finding })));
  const edges = [...new Set([0, points.length, ...marks.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b);
  const pieces = [];
  for (let index = 0; index + 1 < edges.length; index += 1) {
    const [start, end] = [edges[index], edges[index + 1]];
    const piece = points.slice(start, end).join("");
    const here = marks.filter((mark) => mark.start <= start && end <= mark.end).map((mark) => mark.finding);
    pieces.push(here.length ? marked(visible(piece), here, scope) : piece);
  }
  return pieces;
}

function marked(piece, here, scope) {
  const worst = [...here].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity))[0];
  const ids = here.map((finding) => finding.findingId);
  return el("mark", {
    class: worst.severity,
    tabindex: "0",
    dataset: { findings: ids.join(" ") },
    "aria-describedby": ids.map((id) => `${scope}-${id}`).join(" "),
  }, piece);
}

// Evidence that cannot be seen (an invisible character, a lone line end) is spelled out.
function visible(piece) {
  return /^[\s\p{Cf}\p{Cc}]+$/u.test(piece)
    ? Array.from(piece, (point) => `U+${point.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`).slice(0, 12).join(" ")
    : piece;
}

function findings(evaluation, scope) {
  if (!evaluation.findings.length) return el("div", { class: "findings" }, el("h3", {}, "Findings"), el("p", { class: "dim" }, "None."));
  const titles = Object.fromEntries(evaluation.verdicts.map((item) => [item.criterionId, item.title]));
  const sorted = [...evaluation.findings].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
  return el("div", { class: "findings" },
    el("h3", {}, "Findings"),
    el("ol", {}, sorted.map((finding) => el("li", {
      id: `${scope}-${finding.findingId}`, tabindex: "0", class: finding.severity, dataset: { finding: finding.findingId },
    },
    el("p", {}, el("span", { class: `chip ${finding.severity}` }, finding.severity), ` ${titles[finding.criterionId] ?? finding.criterionId}: ${finding.message}`),
    quotes(finding),
    finding.suggestion ? el("p", { class: "dim" }, `Suggestion: ${finding.suggestion}`) : null))));
}

function quotes(finding) {
  if (!finding.evidence.length) return null;
  return el("p", { class: "quotes" }, finding.evidence.slice(0, 4).map((quote) => el("q", { dir: "auto" }, shorten(visible(quote.text)))));
}

function shorten(text) {
  const points = Array.from(text);
  return points.length > 90 ? `${points.slice(0, 87).join("")}…` : text;
}

function linkHighlights(view) {
  const light = (ids) => {
    for (const mark of view.querySelectorAll("mark")) mark.classList.toggle("lit", mark.dataset.findings.split(" ").some((id) => ids.includes(id)));
    for (const item of view.querySelectorAll("li[data-finding]")) item.classList.toggle("lit", ids.includes(item.dataset.finding));
  };
  const idsOf = (node) => {
    const mark = node.closest?.("mark");
    if (mark) return mark.dataset.findings.split(" ");
    const item = node.closest?.("li[data-finding]");
    return item ? [item.dataset.finding] : [];
  };
  for (const kind of ["mouseover", "focusin"]) view.addEventListener(kind, (event) => light(idsOf(event.target)));
  for (const kind of ["mouseleave", "focusout"]) view.addEventListener(kind, () => light([]));
  view.addEventListener("click", (event) => {
    const [id] = idsOf(event.target);
    if (!id) return;
    const other = event.target.closest("mark")
      ? view.querySelector(`li[data-finding="${id}"]`)
      : [...view.querySelectorAll("mark")].find((mark) => mark.dataset.findings.split(" ").includes(id));
    other?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  });
}
