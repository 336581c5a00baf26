// Starts the page: shows the section the address names, and fills a form a link describes.

import { startEvaluate } from "./evaluate.js";

const panels = Object.fromEntries([...document.querySelectorAll("[data-panel]")].map((panel) => [panel.dataset.panel, panel]));
const tabs = [...document.querySelectorAll("[data-tab]")];
const fillEvaluate = startEvaluate(panels.evaluate);
const later = {
  arena: async () => (await import("./arena.js")).startArena(panels.arena),
  improve: async () => (await import("./improve.js")).startImprove(panels.improve),
  verify: async () => (await import("./verify.js")).startVerify(panels.verify),
};

async function show() {
  const [name, ...rest] = location.hash.slice(1).split("&");
  const chosen = panels[name] ? name : "evaluate";
  for (const [key, panel] of Object.entries(panels)) panel.hidden = key !== chosen;
  for (const tab of tabs) {
    if (tab.dataset.tab === chosen) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  const asked = new URLSearchParams(rest.join("&"));
  if (chosen === "evaluate" && asked.has("response")) {
    fillEvaluate({ prompt: asked.get("prompt") ?? "", response: asked.get("response") });
  }
  const start = later[chosen];
  if (start) {
    delete later[chosen];
    await start();
  }
}

window.addEventListener("hashchange", show);
await show();
document.documentElement.dataset.ready = "true";
