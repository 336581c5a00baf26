// What a published Arena page shows: built once when it is saved, and again from the signed bytes when it is opened.

import { el } from "./elements.js";
import { showEvaluation } from "./result.js";
import { failure, footnote, nameOf, outcomeOf, standings } from "./standings.js";

/** Return the page's main part; `rules` are the protocol's thresholds, `origin` the service that made it. */
export function arenaView(body, rules, origin) {
  const { request, results } = body;
  const asked = request.messages ?? [{ role: "prompt", content: request.prompt }];
  return el("main", {},
    el("h1", { dataset: { part: "headline" } }, outcomeOf(body)),
    el("p", { class: "dim small", dataset: { part: "date and versions" } }, aboutOf(body, origin)),
    el("p", { class: "note", id: "verified", role: "status" }, "Signed evidence is part of this page. This browser has not verified it: scripts are off."),
    el("div", { class: "row", id: "actions" }),
    el("div", { dataset: { part: "prompt" } }, asked.map(({ role, content }) => titled(role, content)),
      request.system ? titled("system prompt", request.system) : null),
    el("div", { class: "arena" }, results.map((item, index) => el("section", { class: "card", dataset: { part: `results[${index}]` } },
      el("h2", {}, el("bdi", {}, nameOf(item))),
      item.status === "failed" ? failure(item)
        : [showEvaluation(item.evaluation, { ...request, response: item.response }, rules, { heading: "h3", compact: true }), footnote(item)]))),
    el("div", { dataset: { part: "summary" } }, standings(body)),
    el("p", { class: "rule" }, body.interpretation));
}

/** Return when and by what a result was made. */
export function aboutOf({ completedAt, protocolVersion, evaluatorVersion, requestId }, origin) {
  return `${completedAt} · protocol ${protocolVersion} · evaluator ${evaluatorVersion} · request ${requestId} · made by ${origin}`;
}

/** Return a text under its name. */
export function titled(name, text) {
  return el("div", {}, el("h2", {}, name[0].toUpperCase() + name.slice(1)), el("div", { class: "text", dir: "auto" }, text));
}
