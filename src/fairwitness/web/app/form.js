// What the forms share: live counts in code points, errors before sending, one request at a time, Ctrl+Enter.

import { el, say } from "./elements.js";
import { showProblem } from "./problem.js";

/** Keep the counts beside a form's texts true; `limits` is {prompt: 2000, ...}, or a function that returns that. */
export function countLive(form, limits) {
  const update = () => {
    for (const [name, limit] of Object.entries(typeof limits === "function" ? limits() : limits)) {
      const length = Array.from(form.elements[name].value).length;
      const shown = form.querySelector(`[data-count="${name}"]`);
      shown.textContent = `${length} / ${limit}`;
      shown.classList.toggle("over", length > limit);
      form.elements[name].setCustomValidity(length > limit ? `At most ${limit} characters. This text has ${length}.` : "");
    }
  };
  form.addEventListener("input", update);
  update();
  return update;
}

/** Return what fills a form's texts and empties those that are not given. */
export function filler(form, names, update) {
  return (texts) => {
    for (const name of names) form.elements[name].value = texts[name] ?? "";
    update();
  };
}

/** Run `work` on submit, with progress in `outcome`; return what runs it without the form's own checks. */
export function onSubmit(form, outcome, work) {
  const button = form.querySelector("button.primary");
  let busy = false;
  const submit = async () => {
    if (busy) return;
    busy = true;
    // Not `disabled`: that would throw keyboard users out of the form.
    button.setAttribute("aria-disabled", "true");
    outcome.replaceChildren(el("p", { class: "progress", role: "status" }, "Working…"));
    try {
      present(outcome, await work());
    } catch (error) {
      if (error.name === "AbortError") outcome.replaceChildren(el("p", { class: "dim", role: "status" }, "Cancelled. Requests already sent to a provider may still count against your quota."));
      else present(outcome, showProblem(error, submit));
    } finally {
      busy = false;
      button.removeAttribute("aria-disabled");
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit(button);
    }
  });
  return submit;
}

/** Put an answer in its place, bring it into view, and move the reader to its heading. */
export function present(outcome, node) {
  if (node.parentElement !== outcome) outcome.replaceChildren(node);
  const heading = outcome.querySelector("h2");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  say(heading.textContent);
  const { top } = heading.getBoundingClientRect();
  if (top < 0 || top > window.innerHeight * 0.6) {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    outcome.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
  }
}
