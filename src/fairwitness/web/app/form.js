// What the forms share: live counts by code point, faults said before sending, one request at a time.

import { el } from "./elements.js";
import { showProblem } from "./problem.js";

/** Keep the counts beside a form's texts true; `limits` is {prompt: 2000, ...}. */
export function countLive(form, limits) {
  const update = () => {
    for (const [name, limit] of Object.entries(limits)) {
      const length = Array.from(form.elements[name].value).length;
      const shown = form.querySelector(`[data-count="${name}"]`);
      shown.textContent = `${length} / ${limit}`;
      shown.classList.toggle("over", length > limit);
      form.elements[name].setCustomValidity(length > limit ? `At most ${limit} characters; this has ${length}.` : "");
    }
  };
  form.addEventListener("input", update);
  update();
  return update;
}

/** Run `work` on submit, with progress in `outcome`; problems are shown there with a way to retry. */
export function onSubmit(form, outcome, work) {
  const submit = async () => {
    const button = form.querySelector("button.primary");
    if (button.disabled) return;
    button.disabled = true;
    outcome.replaceChildren(el("p", { class: "progress", role: "status" }, "Working…"));
    try {
      outcome.replaceChildren(await work());
    } catch (error) {
      if (error.name === "AbortError") outcome.replaceChildren(el("p", { class: "dim" }, "Cancelled."));
      else outcome.replaceChildren(showProblem(error, submit));
    } finally {
      button.disabled = false;
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
}
