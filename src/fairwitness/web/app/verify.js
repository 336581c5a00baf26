// Checks arena evidence in the browser and shows each digest, green or red.

import { BadDocument, finest, verifyEvidence } from "../evidence.js";
import { get } from "./api.js";
import { el } from "./elements.js";

/** Bring the panel to life: choose a file, or drop one. */
export function startVerify(panel) {
  const drop = panel.querySelector("[data-drop]");
  const outcome = panel.querySelector(".outcome");
  const read = async (file) => {
    if (!file) return;
    outcome.replaceChildren(el("p", { role: "status" }, "Checking…"));
    outcome.replaceChildren(await checkEvidence(new Uint8Array(await file.arrayBuffer())));
  };
  panel.querySelector("input").addEventListener("change", (event) => read(event.target.files[0]));
  for (const kind of ["dragenter", "dragover"]) drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    read(event.dataTransfer.files[0]);
  });
}

/** Return the report on one evidence document. */
export async function checkEvidence(document) {
  const keys = await get("/docs/keys.json");
  if (!keys) return el("p", { class: "problem", role: "alert" }, "The service's public keys cannot be fetched; try again.");
  try {
    return report(await verifyEvidence(document, keys));
  } catch (error) {
    const words = error instanceof BadDocument ? `This is not a whole evidence file: ${error.message}` : error.message;
    return el("p", { class: "problem", role: "alert" }, words);
  }
}

function report({ ok, signature, digests }) {
  return el("div", { class: "evidence" },
    el("h2", { class: ok ? "good" : "bad" }, ok ? "Everything holds" : "Something was changed"),
    ok ? null : el("ul", {}, finest([...signature.checks, ...digests.checks]).map((check) => el("li", { class: "bad" }, `${check.part}: ${check.message}`))),
    group("Signature", signature),
    group("Digests against the body", digests),
    el("p", { class: "dim" }, "Recomputing the evaluations takes the evaluator itself: fairwitness verify FILE."));
}

function group(title, { ok, checks }) {
  return el("details", { open: !ok },
    el("summary", { class: ok ? "good" : "bad" }, `${title}: ${ok ? `all ${checks.length} hold` : "not all hold"}`),
    el("ul", { class: "checks" }, checks.map((check) => el("li", { class: check.status === "ok" ? "good" : "bad" },
      el("strong", {}, check.status === "ok" ? "holds " : "FAILS "), el("code", {}, check.part), ` ${check.message ?? ""}`))));
}
