// Direct evaluation: the form, its result, and ways to take the result elsewhere.

import { post } from "./api.js";
import { copyButton, downloadButton, el } from "./elements.js";
import { feedbackForm } from "./feedback.js";
import { countLive, onSubmit } from "./form.js";
import { showEvaluation } from "./result.js";
import { EXAMPLES } from "./examples.js";

const PATH = "/api/evaluate-response";
const LIMITS = { prompt: 2000, response: 8000 };

/** Bring the panel to life; `shared` holds what a link asked to fill in. */
export function startEvaluate(panel) {
  const form = panel.querySelector("form");
  const update = countLive(form, LIMITS);
  const fill = ({ prompt, response }) => {
    form.elements.prompt.value = prompt;
    form.elements.response.value = response;
    update();
  };
  panel.querySelector(".examples").append("Try: ", ...EXAMPLES.map((example) => el("button", {
    type: "button", onclick: () => fill(example),
  }, example.name)));
  onSubmit(form, panel.querySelector(".outcome"), async () => {
    const texts = { prompt: form.elements.prompt.value, response: form.elements.response.value };
    const request = { contractVersion: "1.0.0", ...texts, privacyAcknowledged: form.elements.privacy.checked };
    const answer = await post(PATH, request);
    return el("div", {},
      showEvaluation(answer.body.evaluation, texts),
      takeaways(request, answer),
      feedbackForm(answer.requestId));
  });
  return fill;
}

function takeaways(request, answer) {
  const pretty = JSON.stringify(answer.body, null, 2);
  return el("div", { class: "row takeaways" },
    copyButton("Copy as curl", () => asCurl(request)),
    copyButton("Copy as Python", () => asPython(request)),
    copyButton("Copy JSON", pretty),
    downloadButton("Download JSON", `evaluation-${answer.body.requestId}.json`, pretty),
    copyButton("Copy link to this form", () => linkTo(request)),
    el("span", { class: "dim" }, `Protocol ${answer.body.protocolVersion} · evaluator ${answer.body.evaluatorVersion}`));
}

function asCurl(request) {
  const body = JSON.stringify(request).replaceAll("'", "'\\''");
  return `curl -s ${location.origin}${PATH} -H 'Content-Type: application/json' -d '${body}'`;
}

function asPython(request) {
  return `from fairwitness import evaluate\n\nassessment = evaluate(\n    ${JSON.stringify(request.prompt)},\n    ${JSON.stringify(request.response)},\n)\nprint(assessment.overallVerdict, assessment.overallScore)\n`;
}

// The fragment never reaches the server: what is shared stays between the two browsers.
function linkTo({ prompt, response }) {
  return `${location.origin}/#evaluate&${new URLSearchParams({ prompt, response })}`;
}
