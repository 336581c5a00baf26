// Makes elements from plain calls; text is only ever text, so no response can become markup.

/** Make an element: el("p", {class: "note"}, "text", child). Null children are left out. */
export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  set(node, attributes);
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

function set(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(node.dataset, value);
    else node.setAttribute(key, value === true ? "" : value);
  }
}

/** A button that copies text and says so for a moment. */
export function copyButton(label, text) {
  const button = el("button", { type: "button" }, label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "function" ? text() : text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copying is blocked here";
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return button;
}

/** Offer data as a file. */
export function downloadButton(label, name, content) {
  return el("button", {
    type: "button",
    onclick: () => {
      const address = URL.createObjectURL(new Blob([content], { type: "application/json" }));
      el("a", { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    },
  }, label);
}
