// Verifies Arena evidence in the browser and shows each digest, green or red.

import { BadDocument, finest, verifyEvidence } from "../evidence.js";
import { get } from "./api.js";
import { el } from "./elements.js";
import { present } from "./form.js";

const LARGEST = 8 * 1024 * 1024;

/** Bring the panel to life; return what checks a file. */
export function startVerify(panel) {
  const drop = panel.querySelector("[data-drop]");
  const outcome = panel.querySelector(".outcome");
  const read = async (file) => {
    if (!(file instanceof File)) return;
    outcome.replaceChildren(el("p", { class: "progress", role: "status" }, "Checking…"));
    present(outcome, file.size > LARGEST
      ? refusal("This file is larger than any evidence file.")
      : await checkEvidence(new Uint8Array(await file.arrayBuffer()), file.name));
  };
  panel.querySelector("input").addEventListener("change", (event) => read(event.target.files[0]));
  drop.addEventListener("dragover", () => drop.classList.add("over"));
  for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
  return read;
}

/** Return the report on one evidence document, its text or its bytes. */
export async function checkEvidence(source, name = "this answer") {
  const keys = await get("/docs/keys.json");
  if (!keys) return refusal("The service's public keys could not be loaded. Check the connection and try again.");
  try {
    const body = JSON.parse(typeof source === "string" ? source : new TextDecoder().decode(source));
    return report(await verifyEvidence(source, keys), body, name);
  } catch (error) {
    if (error instanceof BadDocument) return refusal(error.message);
    if (error instanceof SyntaxError) return refusal("The file is not JSON.");
    if (error.name === "NotSupportedError") return refusal("This browser does not support Ed25519 signatures. Use a newer browser, or run: fairwitness verify FILE.");
    return refusal(error.message);
  }
}

function refusal(words) {
  return el("div", { class: "problem", role: "alert" }, el("h2", {}, "This file cannot be verified"), el("p", {}, words));
}

function report({ ok, unknownSigner, signature, digests }, body, name) {
  const faults = finest([...signature.checks, ...digests.checks]);
  return el("div", { class: "evidence" },
    el("h2", { class: ok ? "good" : "bad" }, conclusion(ok, unknownSigner, digests, faults)),
    el("p", {}, el("bdi", {}, name), meaning(ok, unknownSigner)),
    ok ? null : el("ul", { class: "faults" }, faults.map((check) => fault(check, body))),
    group("Signature", signature),
    group("Digests", digests),
    ok ? el("p", { class: "dim small" }, "The evaluations were not recomputed here. To recompute them: ", el("code", {}, "fairwitness verify FILE"), ".") : null);
}

function conclusion(ok, unknownSigner, digests, faults) {
  if (ok) return `Verified: signature valid, ${digests.checks.length} digests match`;
  if (unknownSigner) return "Unknown signer. The content is intact, but this key is not in your trusted keys.";
  return `Not verified: ${faults.length === 1 ? "1 check" : `${faults.length} checks`} failed`;
}

function meaning(ok, unknownSigner) {
  if (ok) return " was signed by this service and was not changed since.";
  if (unknownSigner) return " was not signed by this service. Anyone could have signed it.";
  return " is not what was signed.";
}

function fault({ part, message }, body) {
  const value = valueAt(body, part);
  return el("li", {}, el("code", {}, part), `: ${message}.`,
    value === undefined ? null : el("p", { class: "now" }, "In this file: ", el("q", { dir: "auto" }, brief(value))));
}

/** Return the value at a part's path, such as results[0].response, or undefined. */
function valueAt(body, part) {
  if (part === "body" || part.startsWith("evidence")) return undefined;
  const steps = part.match(/[A-Za-z_][A-Za-z0-9_]*|\[\d+\]/g) ?? [];
  return steps.reduce((value, step) => value?.[step.startsWith("[") ? Number(step.slice(1, -1)) : step], body);
}

function brief(value) {
  const points = Array.from(typeof value === "string" ? value : JSON.stringify(value));
  return points.length > 400 ? `${points.slice(0, 400).join("")}…` : points.join("");
}

function group(title, { ok, checks }) {
  const bad = checks.filter((check) => check.status !== "ok").length;
  return el("section", {},
    el("h3", { class: ok ? "good" : "bad" }, `${title}: ${ok ? (checks.length > 1 ? `all ${checks.length} match` : "valid") : `${bad} of ${checks.length} failed`}`),
    el("ul", { class: "checks", tabindex: "0", "aria-label": title }, checks.map((check) => el("li", { class: check.status === "ok" ? "good" : "bad" },
      el("strong", {}, check.status === "ok" ? "✓ ok " : "✗ failed "), el("code", {}, check.part),
      el("span", { class: "digest" }, check.message ?? "")))));
}
