// An Arena result: the standings, each response with its evaluation, and the evidence.

import { downloadButton, el } from "./elements.js";
import { feedbackForm } from "./feedback.js";
import { VERDICTS, bar, showEvaluation } from "./result.js";
import { checkEvidence } from "./verify.js";

/** Return a provider's name as people read it. */
export function nameOf(id) {
  return `Provider ${id.split("_").at(-1).toUpperCase()}`;
}

/** Return the view of an Arena answer. */
export function showArena({ body, text, requestId }, prompt, signed) {
  const checked = el("div", {});
  const verify = async () => checked.replaceChildren(await checkEvidence(text));
  return el("div", {},
    el("h2", {}, outcome(body.summary)),
    standings(body),
    el("div", { class: "row takeaways" },
      downloadButton(signed ? "Download evidence" : "Download JSON", `arena-${body.requestId}.json`, text),
      signed ? el("button", { type: "button", onclick: verify }, "Verify in this browser") : null),
    checked,
    el("div", { class: "arena" }, body.results.map((item) => card(item, prompt))),
    feedbackForm(requestId));
}

function outcome({ completed, failed, ranking }) {
  const first = ranking.filter((place) => place.rank === 1).map((place) => nameOf(place.providerId));
  const best = first.length > 1 ? `A tie for first: ${new Intl.ListFormat("en-GB").format(first)}` : `${first[0]} scores highest`;
  return `${completed > 1 ? best : `Only ${first[0]} answered`}${failed ? `; ${failed} of ${completed + failed} failed` : ""}`;
}

function standings(body) {
  const places = new Map(body.summary.ranking.map((place) => [place.providerId, place]));
  const columns = ["Provider", "Rank", "Score", "Verdict", "Findings", "Time", "Cost"];
  return el("div", { class: "table", tabindex: "0", role: "group", "aria-label": "Standings" },
    el("table", { class: "standings" },
      el("caption", { class: "unseen" }, "Standings, in the requested order"),
      el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, body.results.map((item) => row(item, places.get(item.providerId))))));
}

function row(item, place) {
  const name = el("th", { scope: "row" }, nameOf(item.providerId));
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

function card(item, prompt) {
  const title = el("h3", {}, nameOf(item.providerId));
  const model = el("p", { class: "dim small" }, el("bdi", {}, item.model ?? ""));
  if (item.status === "failed") {
    return el("section", { class: "card failed" }, title, model,
      el("div", { class: "problem" },
        el("p", {}, `No response: ${item.error.message}`),
        el("p", { class: "dim small" }, el("code", {}, item.error.code))));
  }
  const cut = item.truncated ? ", cut to 8000 characters" : "";
  return el("section", { class: "card" }, title, model,
    showEvaluation(item.evaluation, { prompt, response: item.response }, { heading: "h4", compact: true }),
    el("p", { class: "dim small" }, `${(item.latencyMs / 1000).toFixed(1)} s · cost ${costOf(item.usage)} · ${ENDED[item.finishReason] ?? `ended: ${item.finishReason}`}${cut}`));
}
