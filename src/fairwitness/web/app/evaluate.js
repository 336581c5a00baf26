// Direct evaluation: the form, its examples, and its result.

import { post } from "./api.js";
import { el } from "./elements.js";
import { EXAMPLES } from "./examples.js";
import { feedbackForm } from "./feedback.js";
import { countLive, filler, onSubmit } from "./form.js";
import { showEvaluation } from "./result.js";
import { takeaways } from "./takeaways.js";

/** Bring the panel to life; return what fills its form. */
export function startEvaluate(panel) {
  const form = panel.querySelector("form");
  const fill = filler(form, countLive(form, { prompt: 2000, response: 8000 }));
  for (const button of panel.querySelectorAll("[data-example]")) {
    button.addEventListener("click", () => fill(EXAMPLES[button.dataset.example]));
  }
  onSubmit(form, panel.querySelector(".outcome"), async () => {
    const texts = { prompt: form.elements.prompt.value, response: form.elements.response.value };
    const request = { contractVersion: "1.0.0", ...texts, privacyAcknowledged: form.elements.privacy.checked };
    const answer = await post("/api/evaluate-response", request);
    return el("div", {},
      showEvaluation(answer.body.evaluation, texts),
      takeaways(request, answer),
      feedbackForm(answer.requestId));
  });
  return fill;
}
