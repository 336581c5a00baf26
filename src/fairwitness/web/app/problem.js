// Shows a problem in words, with a countdown where the service says when a retry may help.

import { el } from "./elements.js";

/** Return the element for a Problem; `retry` is offered once any wait is over. */
export function showProblem(problem, retry) {
  const box = el("div", { class: "problem", role: "alert" },
    el("h2", {}, problem.title ?? "Something went wrong in this page"),
    el("p", {}, problem.advice ?? "Reload the page and try again."),
    problem.details?.length ? el("ul", {}, problem.details.map((detail) => el("li", {}, detail))) : null,
  );
  if (retry) box.append(retryLine(problem.retryAfter, retry));
  if (problem.requestId) box.append(el("p", { class: "dim" }, `Request ${problem.requestId}`));
  return box;
}

function retryLine(seconds, retry) {
  const wait = el("span", { class: "wait" });
  const button = el("button", { type: "button", onclick: retry }, "Try again");
  if (seconds) {
    const end = Date.now() + seconds * 1000;
    button.disabled = true;
    const tick = () => {
      const left = Math.ceil((end - Date.now()) / 1000);
      if (left <= 0 || !wait.isConnected && Date.now() > end) {
        wait.textContent = "";
        button.disabled = false;
        return;
      }
      wait.textContent = `Possible again in ${inWords(left)}.`;
      setTimeout(tick, 250);
    };
    tick();
  }
  return el("p", { class: "row" }, button, wait);
}

function inWords(seconds) {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
