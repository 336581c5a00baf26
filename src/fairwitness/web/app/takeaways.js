// Buttons that copy or download an evaluation: as a command, code, data, a report or a link.

import { copyButton, downloadButton, el } from "./elements.js";
import { pack } from "./links.js";

const PATHS = { "1.0.0": "/api/evaluate-response" };
const addressOf = ({ contractVersion }) => location.origin + (PATHS[contractVersion] ?? "/api/v2/evaluate-response");

/** Return the row of buttons below a direct evaluation. */
export function takeaways(request, answer) {
  const { body } = answer;
  const pretty = JSON.stringify(body, null, 2);
  const plain = request.prompt && !request.context && !request.reference;
  return el("div", { class: "takeaways" },
    el("div", { class: "row" },
      el("button", { type: "button", class: "report", onclick: async () => (await import("./report.js")).downloadEvaluation(request, body) }, "Download report"),
      copyButton("Copy link to this result", async () => `${location.origin}/#evaluate&result=${await pack(request, body)}`),
      copyButton("Copy as curl", () => asCurl(request)),
      copyButton("Copy as Python", () => asPython(request)),
      copyButton("Copy JSON", pretty),
      downloadButton("Download JSON", `evaluation-${body.requestId}.json`, pretty),
      plain && body.evaluation.findings.length ? el("a", { href: `/#improve&${new URLSearchParams({ prompt: request.prompt, response: request.response })}` }, "Try to improve it") : null),
    el("p", { class: "dim small" }, `Protocol ${body.protocolVersion} · evaluator ${body.evaluatorVersion} · request ${body.requestId}`));
}

function asCurl(request) {
  const body = JSON.stringify(request).replaceAll("'", "'\\''");
  return `curl -s ${addressOf(request)} -H 'Content-Type: application/json' -d '${body}'\n`;
}

// A JSON text inside a JSON string is a Python string too, whatever it contains.
function asPython(request) {
  return `import json
import urllib.request

body = json.loads(${JSON.stringify(JSON.stringify(request))})
request = urllib.request.Request(
    "${addressOf(request)}",
    data=json.dumps(body).encode(),
    headers={"Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as answer:
    evaluation = json.load(answer)["evaluation"]
print(evaluation["overallVerdict"], evaluation["overallScore"])
`;
}
