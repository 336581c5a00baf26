// Buttons that copy or download an evaluation: as a command, code, data or a link.

import { copyButton, downloadButton, el } from "./elements.js";

const PATH = "/api/evaluate-response";

/** Return the row of buttons below a direct evaluation. */
export function takeaways(request, answer) {
  const pretty = JSON.stringify(answer.body, null, 2);
  return el("div", { class: "takeaways" },
    el("div", { class: "row" },
      copyButton("Copy as curl", () => asCurl(request)),
      copyButton("Copy as Python", () => asPython(request)),
      copyButton("Copy JSON", pretty),
      downloadButton("Download JSON", `evaluation-${answer.body.requestId}.json`, pretty),
      copyButton("Copy link to this form", () => location.origin + linkTo("evaluate", request)),
      answer.body.evaluation.findings.length ? el("a", { href: linkTo("improve", request) }, "Try to improve it") : null),
    el("p", { class: "dim small" }, `Protocol ${answer.body.protocolVersion} · evaluator ${answer.body.evaluatorVersion} · request ${answer.body.requestId}`));
}

function asCurl(request) {
  const body = JSON.stringify(request).replaceAll("'", "'\\''");
  return `curl -s ${location.origin}${PATH} -H 'Content-Type: application/json' -d '${body}'\n`;
}

// A JSON string is a Python string too; only `true` has to be spelled the other way.
function asPython({ contractVersion, prompt, response }) {
  return `import json
import urllib.request

body = {
    "contractVersion": ${JSON.stringify(contractVersion)},
    "prompt": ${JSON.stringify(prompt)},
    "response": ${JSON.stringify(response)},
    "privacyAcknowledged": True,
}
request = urllib.request.Request(
    "${location.origin}${PATH}",
    data=json.dumps(body).encode(),
    headers={"Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as answer:
    evaluation = json.load(answer)["evaluation"]
print(evaluation["overallVerdict"], evaluation["overallScore"])
`;
}

// The fragment never reaches the server: what is shared stays between the two browsers.
function linkTo(panel, { prompt, response }) {
  return `/#${panel}&${new URLSearchParams({ prompt, response })}`;
}
