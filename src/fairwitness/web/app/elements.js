// Makes elements from plain calls; text is only ever text, so no response can become markup.

/** Make an element: el("p", {class: "note"}, "text", child). Null children are left out. */
export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(node.dataset, value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** Make an SVG element the same way. */
export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

let voice;

/** Tell a screen reader something that is not shown, or is shown elsewhere. */
export function say(words) {
  if (!voice) {
    voice = el("p", { class: "unseen", role: "status" });
    (document.querySelector("main") ?? document.body).append(voice);
  }
  voice.textContent = words;
}

/** A button that copies text and says so for a moment, without changing its size. */
export function copyButton(label, text, name = null) {
  const button = el("button", { type: "button", "aria-label": name }, label);
  const show = (words) => {
    button.style.minWidth = `${button.offsetWidth}px`;
    button.textContent = words;
    say(words);
    setTimeout(() => { button.textContent = label; }, 1500);
  };
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(await (typeof text === "function" ? text() : text));
      show("Copied");
    } catch {
      show("Copy failed");
    }
  });
  return button;
}

/** Offer data as a file. */
export function downloadButton(label, name, content) {
  return el("button", { type: "button", onclick: () => download(name, content) }, label);
}

/** Save a text as a file. */
export function download(name, content, type = "application/json") {
  const address = URL.createObjectURL(new Blob([content], { type }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
