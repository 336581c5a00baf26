// Starts the page: shows the section the address names, fills a form a link describes, takes dropped files.

import { startEvaluate } from "./evaluate.js";
import { showProblem } from "./problem.js";

const panels = Object.fromEntries([...document.querySelectorAll("[data-panel]")].map((panel) => [panel.dataset.panel, panel]));
const tabs = [...document.querySelectorAll("[data-tab]")];
const started = { evaluate: Promise.resolve(startEvaluate(panels.evaluate)) };
const loaders = {
  arena: async () => (await import("./arena.js")).startArena(panels.arena),
  improve: async () => (await import("./improve.js")).startImprove(panels.improve),
  verify: async () => (await import("./verify.js")).startVerify(panels.verify),
};

/** Show one section, starting it on its first visit; return what feeds it. */
async function open(name) {
  for (const [key, panel] of Object.entries(panels)) panel.hidden = key !== name;
  for (const tab of tabs) {
    if (tab.dataset.tab === name) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  try {
    return await (started[name] ??= loaders[name]());
  } catch {
    delete started[name];
    panels[name].querySelector(".outcome").replaceChildren(showProblem({
      title: "This part of the page could not be loaded", advice: "Check the connection, then try again.",
    }, () => open(name)));
    return null;
  }
}

async function show() {
  const [name, ...rest] = location.hash.slice(1).split("&");
  const feed = await open(Object.hasOwn(panels, name) ? name : "evaluate");
  const asked = new URLSearchParams(rest.join("&"));
  if (name !== "verify" && (asked.has("prompt") || asked.has("result"))) feed?.(Object.fromEntries(asked));
}

const carriesFile = (event) => event.dataTransfer?.types.includes("Files");
window.addEventListener("dragover", (event) => {
  if (carriesFile(event)) event.preventDefault();
});
window.addEventListener("drop", async (event) => {
  if (!carriesFile(event)) return;
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  history.replaceState(null, "", "#verify");
  (await open("verify"))?.(file);
});
window.addEventListener("hashchange", show);
await show();
document.documentElement.dataset.ready = "true";
