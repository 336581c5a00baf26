// The comparison below an Arena's answers: scores, verdicts, time and cost, and a headline that claims no more than was measured.

import { el } from "./elements.js";
import { VERDICTS, bar } from "./result.js";

// From this distance on people preferred the higher score in two of three pairs or more: /docs/arena has the figures.
export const CLEAR_DIFFERENCE = 20;

/** Return a slot's name as people read it. */
export function slotName(id) {
  return `Provider ${id.split("_").at(-1).toUpperCase()}`;
}

/** Return the name of what answered: its model, or its slot where that is not known. */
export function nameOf({ model, providerId }) {
  return model || slotName(providerId);
}

/** Say what the scores show, and no more. */
export function outcomeOf({ results, summary: { completed, failed } }) {
  const ranked = results.filter((item) => item.status !== "failed").sort((a, b) => b.evaluation.overallScore - a.evaluation.overallScore);
  const lost = failed ? `; ${failed} of ${completed + failed} failed` : "";
  const [best, next] = ranked;
  if (!next) return `Only ${nameOf(best)} answered${lost}`;
  const gap = best.evaluation.overallScore - next.evaluation.overallScore;
  if (gap < CLEAR_DIFFERENCE) return `No clear difference at the top: ${gap.toFixed(1)} points${lost}`;
  return `${nameOf(best)} leads by ${gap.toFixed(1)} points${lost}`;
}

/** Return the table of results, in the requested order. */
export function standings(body) {
  const places = new Map(body.summary.ranking.map((place) => [place.providerId, place]));
  const columns = ["Model", "Rank", "Score", "Verdict", "Findings", "Time", "Cost"];
  return el("div", {},
    el("div", { class: "table", tabindex: "0", role: "group", "aria-label": "Standings" },
      el("table", { class: "standings" },
        el("caption", { class: "unseen" }, "Standings, in the requested order"),
        el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, body.results.map((item) => row(item, places.get(item.providerId)))))),
    el("p", { class: "dim small" }, "A score is not a preference. ", el("a", { href: "/docs/arena" }, "How often people agree with a difference of this size")));
}

function row(item, place) {
  const name = el("th", { scope: "row" }, el("bdi", {}, nameOf(item)), " ", el("span", { class: "dim small" }, slotName(item.providerId)));
  if (item.status === "failed") {
    return el("tr", { class: "failed" }, name, el("td", { colspan: "6" }, el("span", { class: "chip fail" }, "Failed"), ` ${item.error.message}`));
  }
  const { overallScore, overallVerdict, findings } = item.evaluation;
  return el("tr", {}, name,
    el("td", {}, String(place.rank), place.tied ? el("span", { class: "chip" }, "tie") : null),
    el("td", {}, el("span", { class: "barred" }, bar(overallScore, overallVerdict), el("span", { class: "points" }, overallScore.toFixed(1)))),
    el("td", {}, el("span", { class: `chip ${overallVerdict}` }, VERDICTS[overallVerdict])),
    el("td", {}, String(findings.length)),
    el("td", {}, `${(item.latencyMs / 1000).toFixed(1)} s`),
    el("td", {}, costOf(item.usage)));
}

function costOf({ costUsd }) {
  if (costUsd === null || costUsd === undefined) return "unknown";
  return costUsd === 0 ? "none" : `$${costUsd.toFixed(6)}`;
}

const ENDED = { length: "stopped at its length limit", stop: "finished" };

/** Return the line below an answer: how long it took, what it cost, how it ended. */
export function footnote(item) {
  const cut = item.truncated ? ", cut to 8000 characters" : "";
  return el("p", { class: "dim small" }, `${slotName(item.providerId)} · ${(item.latencyMs / 1000).toFixed(1)} s · cost ${costOf(item.usage)} · ${ENDED[item.finishReason] ?? `ended: ${item.finishReason}`}${cut}`);
}

/** Return what stands in the place of an answer that did not come. */
export function failure({ error }) {
  return el("div", { class: "problem" },
    el("p", {}, `No response: ${error.message}`),
    el("p", { class: "dim small" }, el("code", {}, error.code)));
}
