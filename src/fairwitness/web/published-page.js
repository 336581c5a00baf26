// The script of a published Arena page: verifies the evidence in the page, and that the page shows what was signed.

import { el } from "./app/elements.js";
import { arenaView } from "./app/published.js";
import { verifyEvidence } from "./evidence.js";

const read = (id) => Uint8Array.from(atob(document.getElementById(id).textContent), (char) => char.charCodeAt(0));
const parsed = (id) => JSON.parse(new TextDecoder().decode(read(id)));
const evidence = read("evidence");
const banner = document.getElementById("verified");
const actions = document.getElementById("actions");

function tell(kind, words) {
  banner.className = kind;
  banner.textContent = words;
}

/** Return the text of an element as a file keeps it: line ends are one character there, and a null none. */
function textOf(node) {
  const copy = node.cloneNode(true);
  for (const own of copy.querySelectorAll("#verified, #actions, button")) own.remove();
  return copy.textContent.replace(/\r\n?/g, "\n").replace(/[\0\ufffd]/g, "");
}

/** Return the parts the page shows otherwise than they were signed: it is built again from the signed bytes and compared. */
function misprinted() {
  const { rules, origin } = parsed("made");
  const signed = arenaView(parsed("evidence"), rules, origin);
  const main = document.querySelector("main");
  const partsOf = (view) => new Map([...view.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, textOf(node)]));
  const shown = partsOf(main);
  const wrong = [...partsOf(signed)].filter(([name, text]) => shown.get(name) !== text).map(([name]) => `${name} as shown on this page`);
  const added = [...document.body.children].some((node) => node !== main && node.localName !== "script");
  return wrong.length || (textOf(main) === textOf(signed) && !added) ? wrong : ["text was added to this page"];
}

async function check(keys, whose) {
  try {
    const { ok, unknownSigner, signature, digests } = await verifyEvidence(evidence, keys);
    const wrong = misprinted();
    const failed = [...signature.checks, ...digests.checks].filter(({ status }) => status === "failed").map(({ part }) => part);
    if (ok && !wrong.length) tell("note good", `Verified with the keys ${whose}: signature valid, ${digests.checks.length} digests match, and this page shows the signed prompt, answers, scores and findings.`);
    else if (unknownSigner && !wrong.length) tell("note", `Unknown signer. The content is intact, but its key is not among the keys ${whose}.`);
    else tell("problem", `Not verified. Changed: ${[...wrong, ...failed].join(", ")}.`);
  } catch (error) {
    tell("problem", `Not verified: ${error.message}`);
  }
}

function save() {
  el("a", { href: URL.createObjectURL(new Blob([evidence], { type: "application/json" })), download: "evidence.json" }).click();
}

async function checkWith({ target: { files: [file] } }) {
  if (!file) return;
  try {
    await check(JSON.parse(await file.text()), `in ${file.name}`);
  } catch {
    tell("problem", "The key file is not JSON. It should be the signer's keys.json.");
  }
}

actions.append(
  el("button", { type: "button", onclick: save }, "Save the evidence file"),
  el("label", {}, "Verify with the signer's keys.json: ", el("input", { type: "file", accept: ".json", onchange: checkWith })),
  el("p", { class: "dim small" }, "A page cannot vouch for itself. To be sure, save the evidence file and verify it with a tool you trust: ",
    el("code", {}, "fairwitness verify FILE"), ", or the Verify page of any Fair Witness service."));
await check(parsed("keys"), "that came with this page");
