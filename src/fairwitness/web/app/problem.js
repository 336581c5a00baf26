// Shows a problem, with a countdown if the service says when to retry.

import { el } from "./elements.js";

/** Return the element for a Problem; `retry` is offered once any wait is over. */
export function showProblem(problem, retry) {
  return el("div", { class: "problem" },
    el("div", { role: "alert" },
      el("h2", {}, problem.title ?? "Something went wrong in this page"),
      el("p", {}, problem.advice ?? "Reload the page and try again."),
      problem.details?.length ? el("ul", {}, problem.details.map((detail) => el("li", {}, detail))) : null),
    retry ? retryLine(problem.retryAfter, retry) : null,
    problem.requestId ? el("p", { class: "dim small" }, "Request ", el("code", {}, problem.requestId)) : null);
}

// Outside the alert, so that a screen reader does not announce every second.
function retryLine(seconds, retry) {
  const wait = el("span", { class: "wait" });
  const button = el("button", { type: "button", onclick: retry }, "Try again");
  const line = el("p", { class: "row" }, button, wait);
  if (seconds) countDown(Date.now() + seconds * 1000, button, wait, line);
  return line;
}

function countDown(end, button, wait, line) {
  button.disabled = true;
  let shown = false;
  const tick = () => {
    shown ||= line.isConnected;
    if (shown && !line.isConnected) return;
    const left = Math.ceil((end - Date.now()) / 1000);
    if (left <= 0) {
      button.disabled = false;
      wait.replaceChildren(el("span", { role: "status" }, "You can try again now."));
      return;
    }
    wait.textContent = `You can try again in ${inWords(left)}.`;
    setTimeout(tick, 250);
  };
  tick();
}

function inWords(seconds) {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
