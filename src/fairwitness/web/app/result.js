// Shows one evaluation, findings first: the score and why, the text with its evidence, what failed, what passed.

import { el, svg } from "./elements.js";
import { drawLines } from "./lines.js";
import { markdown } from "./markdown.js";
import { Painter, linkHighlights, numbered, painted, visible } from "./spans.js";

export const VERDICTS = { pass: "Pass", fail: "Fail", needs_review: "Needs review", not_applicable: "Does not apply" };
const GRAVITY = ["fail", "needs_review", "pass"];
let serial = 0;

/**
 * Return the whole view of an evaluation over its texts ({prompt, response, context, messages, reference}).
 * `rules` are the protocol's published thresholds, or null where they are not known.
 */
export function showEvaluation(evaluation, texts, rules, { heading = "h2", compact = false } = {}) {
  const scope = `r${++serial}`;
  const found = numbered(evaluation.findings);
  const below = `h${Number(heading[1]) + 1}`;
  const told = headline(evaluation, rules, texts, heading);
  const response = quoted("Response", "response", texts.response, found, scope, compact ? heading : below);
  const given = sources(texts, found, scope, below, compact);
  const view = el("article", { class: `result ${compact ? "compact" : ""}` },
    compact ? [response, told] : told,
    el("div", { class: `reading ${given.length && !compact ? "sourced" : ""}` },
      compact ? null : el("div", { class: "texts" }, response),
      given.length && !compact ? el("div", { class: "texts sources" }, given) : null,
      issues(evaluation, found, rules, scope, below, compact)),
    passes(evaluation, found, rules, scope),
    given.length && compact ? el("details", { class: "given" }, el("summary", {}, "The prompt, with evidence"), given) : null,
    silent(evaluation));
  linkHighlights(view, drawLines(view));
  return view;
}

function headline(evaluation, rules, texts, heading) {
  const verdict = evaluation.overallVerdict;
  const compared = texts.context?.length || texts.reference;
  return el("header", { class: `headline ${verdict}` },
    el(heading, {},
      el("span", { class: "score" }, evaluation.overallScore.toFixed(1)),
      el("span", { class: "of" }, " of 100 "),
      el("span", { class: `verdict ${verdict}` }, VERDICTS[verdict])),
    rules ? scale(evaluation.overallScore, rules.overall) : null,
    whyOf(evaluation, rules).map((line) => el("p", { class: "why" }, line)),
    el("p", { class: "facts" }, compared
      ? "Facts are not checked. The response was compared only with the text it was given."
      : "Facts are not checked."));
}

/** Say why the verdict came about, with the criterion and the numbers. */
export function whyOf({ overallVerdict, overallScore, verdicts, findings, reasonDetails }, rules) {
  if (overallVerdict === "needs_review") return (reasonDetails ?? []).map(({ message }) => message);
  const low = verdicts.filter((item) => item.score !== null && item.score < 100).sort((a, b) => a.score - b.score);
  const lowest = low.length ? ` Lowest: ${low.slice(0, 3).map((item) => `${item.title} ${item.score.toFixed(0)}`).join(", ")}.` : "";
  if (!rules) return [`${findings.length === 1 ? "1 finding" : `${findings.length} findings`}.${lowest}`];
  if (overallVerdict === "pass") return [`The score is at or above ${rules.overall.passFrom}, and no criterion needs review.`];
  const decisive = low.filter((item) => item.verdict === "fail" && failsAlone(item, findings, rules));
  if (decisive.length) return decisive.map((item) => `${item.title} failed (${item.score.toFixed(0)}). On its own that fails the response.`);
  return [`The score ${overallScore.toFixed(1)} is below ${rules.overall.failBelow}.${lowest}`];
}

function failsAlone({ criterionId }, findings, rules) {
  const rule = rules.criteria[criterionId];
  return rule && (rule.critical || findings.some((one) => one.criterionId === criterionId && rule.criticalWhen.includes(one.detector)));
}

// The score on a scale with the protocol's two thresholds.
function scale(score, { failBelow: low, passFrom: high }) {
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

function isQuoted(source, found) {
  return found.some((finding) => finding.evidence.some((quote) => quote.source === source));
}

/** Return the texts beside the response: the conversation and the context where given, else those that are quoted. */
function sources(texts, found, scope, heading, onlyQuoted) {
  const show = (title, source, text) => quoted(title, source, text, found, scope, heading);
  const parts = [];
  const { messages, context = [], prompt, reference } = texts;
  if (messages) {
    const shown = messages.map((message, index) => [message, `messages[${index}]`]).filter(([, source]) => !onlyQuoted || isQuoted(source, found));
    if (shown.length) parts.push(el("div", { class: "conversation" }, shown.map(([{ role, content }, source]) => el("div", { class: `message ${role}` }, show(ROLES[role] ?? role, source, content)))));
  } else if (isQuoted("prompt", found)) parts.push(show("Prompt", "prompt", prompt));
  context.forEach(({ id, text }, index) => parts.push(show(id ? `Context: ${id}` : `Context ${index + 1}`, `context[${index}]`, text)));
  if (reference) parts.push(show("Expected answer", "reference", reference));
  return parts;
}

const ROLES = { system: "System", user: "User", assistant: "Assistant", tool: "Tool" };

function quoted(title, source, text, found, scope, heading) {
  const name = `${scope}-${source}`;
  const box = el("div", { class: "text", dir: "auto", tabindex: "0", role: "group", "aria-labelledby": name, dataset: { of: source } });
  const fill = (nodes, rendered) => {
    box.classList.toggle("rendered", rendered);
    box.replaceChildren(...nodes);
  };
  const raw = () => fill(painted(text, source, found, scope), false);
  const rich = () => {
    const painter = new Painter(text, source, found, scope);
    const blocks = markdown(painter);
    painter.finish();
    if (blocks) fill(blocks, true);
    return Boolean(blocks);
  };
  let toggle = null;
  if (rich()) {
    toggle = el("button", { type: "button", class: "view", "aria-pressed": "false", onclick: () => {
      const pressed = toggle.getAttribute("aria-pressed") !== "true";
      toggle.setAttribute("aria-pressed", String(pressed));
      if (pressed) raw(); else rich();
    } }, "Raw text");
  } else raw();
  return el("div", { class: "quoted" }, el("div", { class: "row" }, el(heading, { id: name }, title), toggle), box);
}

/** What did not pass, worst first, each criterion with its findings. */
function issues(evaluation, found, rules, scope, heading, compact) {
  const open = ranked(evaluation).filter((item) => item.verdict !== "pass");
  const title = open.length ? `Failed or needs review: ${open.length === 1 ? "1 criterion" : `${open.length} criteria`}` : "Nothing failed or needs review";
  const items = open.map((item) => criterion(item, found, rules, scope));
  // Side by side, answers and scores are compared first; what each finding says is one click away.
  if (compact && open.length) return el("details", { class: "issues" }, el("summary", {}, title), items);
  return el("div", { class: "issues" }, el(heading, {}, title), items);
}

function passes(evaluation, found, rules, scope) {
  const passed = ranked(evaluation).filter((item) => item.verdict === "pass");
  if (!passed.length) return null;
  const noted = found.filter((finding) => passed.some((item) => item.criterionId === finding.criterionId)).length;
  return el("details", { class: "passed" },
    el("summary", {}, `Passed: ${passed.length === 1 ? "1 criterion" : `${passed.length} criteria`}${noted ? `, with ${noted === 1 ? "1 finding" : `${noted} findings`}` : ""}`),
    el("div", { class: "passes" }, passed.map((item) => criterion(item, found, rules, scope))));
}

function silent({ verdicts }) {
  const items = verdicts.filter((item) => item.score === null);
  return items.length ? el("details", { class: "silent" },
    el("summary", {}, `Does not apply: ${items.length}`),
    el("ul", {}, items.map((item) => el("li", {}, `${item.title}: ${item.summary}`)))) : null;
}

function ranked({ verdicts }) {
  return verdicts.filter((item) => item.score !== null)
    .sort((a, b) => GRAVITY.indexOf(a.verdict) - GRAVITY.indexOf(b.verdict) || a.score - b.score);
}

function criterion(item, found, rules, scope) {
  const rule = rules?.criteria[item.criterionId];
  const own = found.filter((finding) => finding.criterionId === item.criterionId);
  return el("section", { class: `criterion ${item.verdict}`, dataset: { criterion: item.criterionId } },
    el("p", { class: "name" }, el("strong", {}, item.title), " ", el("span", { class: `chip ${item.verdict}` }, VERDICTS[item.verdict]),
      item.observed ? el("span", { class: "dim small" }, ` ${item.observed.replaceAll("_", " ")}`) : null),
    el("p", { class: "barred" }, bar(item.score, item.verdict, rule), el("span", { class: "points" }, item.score.toFixed(0)),
      el("span", { class: "dim small" }, rule ? `fails below ${rule.failBelow}, passes from ${rule.passFrom} · ` : null,
        `weight ${item.weight} · confidence ${Math.round(item.confidence * 100)}%`)),
    el("p", { class: "small" }, item.summary),
    own.length ? el("ol", { class: "findings" }, own.map((finding) => entry(finding, scope))) : null);
}

/** Draw a score out of a hundred with its two thresholds; the number always stands beside it as text. */
export function bar(value, kind, rule = null) {
  const zone = (name, from, to) => svg("rect", { class: `zone ${name}`, x: from, y: 2, width: Math.max(to - from, 0), height: 6 });
  return svg("svg", { class: `bar ${kind}`, viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    ...(rule ? [zone("fail", 0, rule.failBelow), zone("needs_review", rule.failBelow, rule.passFrom), zone("pass", rule.passFrom, 100)]
      : [svg("rect", { class: "rail", y: 2, width: 100, height: 6 }), svg("rect", { class: "fill", y: 2, width: Math.max(value, 1), height: 6 })]),
    ...(rule ? [svg("rect", { class: "needle", x: Math.min(Math.max(value - 1.5, 0), 97), width: 3, height: 10 })] : []));
}

function entry(finding, scope) {
  return el("li", { id: `${scope}-${finding.findingId}`, tabindex: "0", class: finding.severity, dataset: { finding: finding.findingId } },
    el("p", {}, el("span", { class: `chip ${finding.severity}` }, `${finding.number} · ${finding.severity}`), ` ${finding.message}`),
    quotes(finding),
    finding.suggestion ? el("p", { class: "dim small" }, "Suggestion: ", el("bdi", {}, finding.suggestion)) : null);
}

function quotes({ evidence }) {
  if (!evidence.length) return null;
  const rest = evidence.length - 4;
  return el("p", { class: "quotes" },
    evidence.slice(0, 4).map((quote) => el("q", { dir: "auto" }, shorten(visible(quote.text)))),
    rest > 0 ? el("span", { class: "dim small" }, `and ${rest} more`) : null);
}

function shorten(text) {
  const points = Array.from(text);
  return points.length > 90 ? `${points.slice(0, 87).join("")}…` : text;
}
