// Searches the documents in the browser: the index is loaded when the box is first used.

import { el } from "./elements.js";

/** Bring a search box to life. */
export function startSearch(box) {
  const input = box?.querySelector("input");
  if (!input) return;
  const list = box.querySelector("ul");
  const told = box.querySelector("[role=status]");
  let loading;
  input.addEventListener("input", async () => {
    loading ??= fetch("/docs/search.json").then((answer) => answer.json());
    const pages = await loading.catch(() => []);
    const words = input.value.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
    const found = words.length ? find(pages, words) : [];
    list.replaceChildren(...found.map(({ path, title }) => el("li", {}, el("a", { href: path }, title))));
    told.textContent = words.length ? `${found.length} found` : "";
  });
}

/** Return sections whose heading has every word, then pages whose text has. */
function find(pages, words) {
  const holds = (text) => words.every((word) => text.includes(word));
  const headings = pages.flatMap((page) => page.sections
    .filter(([, heading]) => holds(`${page.title} ${heading}`.toLowerCase()) && words.some((word) => heading.toLowerCase().includes(word)))
    .map(([anchor, heading]) => ({ path: `${page.path}#${anchor}`, title: `${page.title}: ${heading}` })));
  const titles = pages.filter((page) => holds(page.title.toLowerCase()));
  const texts = pages.filter((page) => !titles.includes(page) && holds(page.words));
  return [...titles, ...headings, ...texts].slice(0, 12);
}
