// The documents: a copy button on each block, examples for the caller's own address in three languages, and search.

import { copyButton, el } from "./elements.js";
import { startSearch } from "./search.js";

const OURS = "http://127.0.0.1:8080";
// Requests that cost nothing and store nothing may be sent from here.
const FREE = ["/api/evaluate-response", "/api/v2/evaluate-response", "/api/improvement-demo"];

for (const block of document.querySelectorAll("pre > code")) {
  block.textContent = block.textContent.replaceAll(OURS, location.origin);
  const asked = requestIn(block.textContent);
  if (asked && block.parentElement.previousElementSibling?.matches(".languages")) offer(block, asked);
  const button = copyButton("Copy", () => block.textContent, "Copy this block");
  button.classList.add("copy");
  block.parentElement.append(button);
}
startSearch(document.querySelector("[data-search]"));

/** Return the address and body of a curl command that posts JSON, or null. */
function requestIn(text) {
  const found = text.match(/^curl -s '?(\S+?)'? \\\n[\s\S]*-d '(\{[\s\S]*\})'\s*$/);
  if (!found) return null;
  try {
    return { address: found[1], body: JSON.parse(found[2]) };
  } catch {
    return null;
  }
}

/** Put the same request in other languages beside a command, and a button that sends it. */
function offer(block, { address, body }) {
  const forms = { curl: block.textContent, Python: asPython(address, body), JavaScript: asScript(address, body) };
  const buttons = Object.keys(forms).map((name) => el("button", { type: "button", "aria-pressed": String(name === "curl"), onclick: (event) => {
    block.textContent = forms[name];
    for (const button of buttons) button.setAttribute("aria-pressed", String(button === event.target));
  } }, name));
  const shown = el("pre", { hidden: true, tabindex: "0", role: "group", "aria-label": "Answer", class: "answer" });
  const path = new URL(address).pathname;
  const send = FREE.includes(path) ? el("button", { type: "button", onclick: async () => {
    shown.hidden = false;
    shown.textContent = "Sending…";
    try {
      const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
      shown.textContent = `${answer.status} ${answer.statusText}\n${JSON.stringify(await answer.json(), null, 2)}`;
    } catch {
      shown.textContent = "The service cannot be reached. Check the connection and try again.";
    }
  } }, "Try it") : null;
  const row = block.parentElement.previousElementSibling;
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", "Language of the example");
  row.append(...buttons, ...(send ? [send] : []));
  block.parentElement.after(shown);
}

function asPython(address, body) {
  const literal = JSON.stringify(body, null, 4).replace(/^( *(?:"[^"]*": )?)(true|false|null)(,?)$/gm, (_, lead, word, comma) => lead + { true: "True", false: "False", null: "None" }[word] + comma);
  return `import json\nimport urllib.request\n\nbody = ${literal}\nrequest = urllib.request.Request(\n    "${address}",\n    data=json.dumps(body).encode(),\n    headers={"Content-Type": "application/json"},\n)\nwith urllib.request.urlopen(request) as answer:\n    print(json.dumps(json.load(answer), indent=2))\n`;
}

function asScript(address, body) {
  return `const answer = await fetch("${address}", {\n  method: "POST",\n  headers: { "Content-Type": "application/json" },\n  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}),\n});\nconsole.log(answer.status, await answer.json());\n`;
}
