// Shows one evaluation: the score, the reasons, a bar for each criterion, and the highlighted evidence.

import { el, svg } from "./elements.js";
import { linkHighlights, numbered, segments, visible } from "./spans.js";

export const VERDICTS = { pass: "Pass", fail: "Fail", needs_review: "Needs review", not_applicable: "Does not apply" };
const GRAVITY = ["fail", "needs_review", "pass"];
let serial = 0;

/** Return the whole view of an evaluation over its texts ({prompt, response}). */
export function showEvaluation(evaluation, texts, { heading = "h2", compact = false } = {}) {
  const scope = `r${++serial}`;
  const found = numbered(evaluation.findings);
  const quotesPrompt = found.some((finding) => finding.evidence.some((quote) => quote.source === "prompt"));
  const below = `h${Number(heading[1]) + 1}`;
  const view = el("article", { class: `result ${compact ? "compact" : ""}` },
    headline(evaluation, heading),
    criteria(evaluation, compact),
    el("div", { class: "reading" },
      el("div", { class: "texts" },
        quoted("Response", "response", texts, found, scope, below),
        quotesPrompt ? quoted("Prompt", "prompt", texts, found, scope, below) : null),
      findings(evaluation, found, scope, below)),
  );
  linkHighlights(view);
  return view;
}

function headline(evaluation, heading) {
  const verdict = evaluation.overallVerdict;
  return el("header", { class: `headline ${verdict}` },
    el(heading, {},
      el("span", { class: "score" }, evaluation.overallScore.toFixed(1)),
      el("span", { class: "of" }, " of 100 "),
      el("span", { class: `verdict ${verdict}` }, VERDICTS[verdict])),
    scale(evaluation.overallScore),
    el("p", { class: "why" }, inShort(evaluation)),
    ...(evaluation.reasonDetails ?? []).map(({ message }) => el("p", { class: "reasons" }, `Needs review: ${message}`)));
}

/** Say in one line what decided the score. */
function inShort({ findings: found, verdicts }) {
  if (!found.length) return "No findings.";
  const low = verdicts.filter((item) => item.score !== null && item.score < 100).sort((a, b) => a.score - b.score);
  const count = found.length === 1 ? "1 finding" : `${found.length} findings`;
  if (!low.length) return `${count}. None lowers the score.`;
  const named = low.slice(0, 3).map((item) => `${item.title} ${item.score.toFixed(0)}`).join(", ");
  return `${count}. Lowest: ${named}${low.length > 3 ? ` and ${low.length - 3} more` : ""}.`;
}

// The score on a scale with the protocol's two thresholds, which the service writes into the page.
function scale(score) {
  const { failBelow, passFrom } = document.body.dataset;
  const [low, high] = [Number(failBelow), Number(passFrom)];
  const zone = (name, from, to) => svg("rect", { class: name, x: from * 3, y: 6, width: (to - from) * 3, height: 8 });
  const label = (value) => {
    const text = svg("text", { x: value * 3, y: 27, "text-anchor": "middle" });
    text.textContent = String(value);
    return text;
  };
  return svg("svg", { class: "scale", viewBox: "-8 0 316 30", "aria-hidden": "true" },
    zone("fail", 0, low), zone("needs_review", low, high), zone("pass", high, 100),
    label(low), label(high),
    svg("rect", { class: "needle", x: score * 3 - 2, y: 1, width: 4, height: 18, rx: 2 }));
}

function criteria(evaluation, compact) {
  const rows = evaluation.verdicts.filter((item) => item.score !== null);
  // Side by side, rows must line up; alone, the worst comes first.
  if (!compact) rows.sort((a, b) => GRAVITY.indexOf(a.verdict) - GRAVITY.indexOf(b.verdict) || a.score - b.score);
  const silent = evaluation.verdicts.filter((item) => item.score === null);
  return el("div", { class: "criteria" },
    el("table", {},
      el("caption", { class: "unseen" }, "Verdict of each criterion"),
      el("thead", {}, el("tr", {}, ["Criterion", "Score", "Verdict", "Confidence", "Why"].map((name) => el("th", { scope: "col", class: name.toLowerCase() }, name)))),
      el("tbody", {}, rows.map(criterion))),
    silent.length ? el("details", { class: "silent" },
      el("summary", {}, `Does not apply: ${silent.map((item) => item.title).join(", ")}`),
      el("ul", {}, silent.map((item) => el("li", {}, `${item.title}: ${item.summary}`)))) : null);
}

function criterion(item) {
  return el("tr", { class: item.verdict, dataset: { criterion: item.criterionId } },
    el("th", { scope: "row", class: "criterion" }, item.title),
    el("td", { class: "score-cell" }, el("span", { class: "barred" }, bar(item.score, item.verdict), el("span", { class: "points" }, item.score.toFixed(0)))),
    el("td", { class: "verdict-cell" }, el("span", { class: `chip ${item.verdict}` }, VERDICTS[item.verdict]),
      item.observed ? el("span", { class: "dim small whole" }, ` ${item.observed.replaceAll("_", " ")}`) : null),
    el("td", { class: "confidence" }, el("span", { class: "barred" }, bar(item.confidence * 100, "sure"), el("span", { class: "points" }, `${Math.round(item.confidence * 100)}%`))),
    el("td", { class: "why" }, item.summary));
}

/** Draw a share of a hundred; the number always stands beside it as text. */
export function bar(value, kind) {
  return svg("svg", { class: `bar ${kind}`, viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "rail", width: 100, height: 8 }),
    svg("rect", { class: "fill", width: Math.max(value, 1), height: 8 }));
}

function quoted(title, source, texts, found, scope, heading) {
  const name = `${scope}-${source}`;
  return el("div", { class: "quoted" },
    el(heading, { id: name }, title),
    el("div", { class: "text", dir: "auto", tabindex: "0", role: "group", "aria-labelledby": name }, segments(texts[source], source, found, scope)));
}

function findings(evaluation, found, scope, heading) {
  if (!found.length) return el("div", { class: "findings" }, el(heading, {}, "Findings"), el("p", { class: "dim" }, "None."));
  const titles = Object.fromEntries(evaluation.verdicts.map((item) => [item.criterionId, item.title]));
  return el("div", { class: "findings" },
    el(heading, {}, `Findings (${found.length})`),
    el("ol", {}, found.map((finding) => el("li", {
      id: `${scope}-${finding.findingId}`, tabindex: "0", class: finding.severity, dataset: { finding: finding.findingId },
    },
    el("p", {}, el("span", { class: `chip ${finding.severity}` }, `${finding.number} · ${finding.severity}`), " ",
      el("strong", {}, `${titles[finding.criterionId] ?? finding.criterionId}:`), ` ${finding.message}`),
    quotes(finding),
    finding.suggestion ? el("p", { class: "dim small" }, "Suggestion: ", el("bdi", {}, finding.suggestion)) : null))));
}

function quotes(finding) {
  if (!finding.evidence.length) return null;
  const rest = finding.evidence.length - 4;
  return el("p", { class: "quotes" },
    finding.evidence.slice(0, 4).map((quote) => el("q", { dir: "auto" }, shorten(visible(quote.text)))),
    rest > 0 ? el("span", { class: "dim small" }, `and ${rest} more`) : null);
}

function shorten(text) {
  const points = Array.from(text);
  return points.length > 90 ? `${points.slice(0, 87).join("")}…` : text;
}
