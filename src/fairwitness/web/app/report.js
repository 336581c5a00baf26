// Writes results as one HTML file that needs no network: an evaluation as a report, an Arena run as a page that verifies itself.

import { get } from "./api.js";
import { download, el } from "./elements.js";
import { rulesOf } from "./protocols.js";
import { aboutOf, arenaView, titled } from "./published.js";
import { VERDICTS, showEvaluation } from "./result.js";
import { outcomeOf } from "./standings.js";

/** Save one evaluation as a report to read and to pass on. */
export async function downloadEvaluation(request, body) {
  const view = el("main", {},
    el("h1", {}, "Evaluation report"),
    el("p", { class: "dim small" }, aboutOf(body, location.origin)),
    request.messages ? null : titled("prompt", request.prompt),
    showEvaluation(body.evaluation, request, await rulesOf(body)),
    el("p", { class: "rule" }, "This report is not signed. To check it, evaluate the same text again: the same evaluator gives the same result."),
    el("p", { class: "rule" }, body.interpretation));
  const title = `${body.evaluation.overallScore.toFixed(1)} ${VERDICTS[body.evaluation.overallVerdict]} · Fair Witness`;
  download(`evaluation-${body.requestId}.html`, await page(title, view), "text/html");
}

/** Save signed Arena evidence as a page to publish; `text` is the signed answer as it came. */
export async function downloadArena(text) {
  const body = JSON.parse(text);
  const made = { rules: await rulesOf(body), origin: location.origin };
  const keys = (await get("/docs/keys.json")) ?? [];
  const held = [hold("evidence", text), hold("keys", JSON.stringify(keys)), hold("made", JSON.stringify(made))];
  const view = arenaView(body, made.rules, made.origin);
  download(`arena-${body.requestId}.html`, await page(`${outcomeOf(body)} · Fair Witness`, view, held), "text/html");
}

async function page(title, view, held = []) {
  for (const button of view.querySelectorAll("button")) button.remove();
  for (const node of view.querySelectorAll("mark, li[tabindex]")) node.removeAttribute("tabindex");
  for (const link of view.querySelectorAll("a[href^='/']")) link.href = location.origin + link.getAttribute("href");
  const style = (await textOf("/assets/style.css")).trim();
  const script = held.length ? await bundle("/assets/published-page.js") : null;
  const policy = `default-src 'none'; style-src '${await digest(style)}'; script-src ${script ? `'${await digest(script)}'` : "'none'"}`;
  // Elements write themselves: every text in them is escaped by the browser.
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
${el("meta", { "http-equiv": "Content-Security-Policy", content: policy }).outerHTML}
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
${el("title", {}, title).outerHTML}
<style>${style}</style></head>
<body class="page report">
${view.outerHTML}
${held.join("\n")}
${script ? `<script type="module">${script}</script>\n` : ""}</body></html>
`;
}

// As base64: whatever a provider wrote, it cannot end the element that holds it, and the signed bytes stay as they are.
function hold(id, text) {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
  return `<script type="text/plain" id="${id}">${btoa(binary)}</script>`;
}

async function textOf(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.text();
}

async function digest(text) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `sha256-${btoa(String.fromCharCode(...hash))}`;
}

/** Return a module and all it imports as one script. */
async function bundle(entry) {
  const parts = new Map();
  const add = async (path) => {
    parts.set(path, null);
    let code = await textOf(path);
    const at = (name) => new URL(name, location.origin + path).pathname;
    for (const [, , name] of code.matchAll(IMPORT)) if (!parts.has(at(name))) await add(at(name));
    const names = [...code.matchAll(EXPORT)].flatMap(([, one, several]) => one ?? several.split(", "));
    code = code.replace(IMPORT, (_, wanted, name) => `const { ${wanted} } = modules["${at(name)}"];`)
      .replace(/^export \{[^}]*\};$/gm, "").replace(/^export /gm, "");
    // Those it needs came before it; the first one is run as it is, for it awaits.
    parts.delete(path);
    parts.set(path, path === entry ? code : `modules["${path}"] = (() => {\n${code}\nreturn { ${names.join(", ")} };\n})();`);
  };
  await add(entry);
  return ["const modules = {};", ...parts.values()].join("\n").trim();
}

const IMPORT = /^import \{ ([^}]*) \} from "([^"]*)";$/gm;
const EXPORT = /^export (?:(?:async )?(?:function|class|const) (\w+)|\{ ([^}]*) \};$)/gm;
