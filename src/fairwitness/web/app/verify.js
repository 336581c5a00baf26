// Checks arena evidence in the browser and shows each digest, green or red.

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
      ? refusal("This file is far larger than any evidence file.")
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
  if (!keys) return refusal("The service's public keys cannot be fetched. Check the connection and try again.");
  try {
    const body = JSON.parse(typeof source === "string" ? source : new TextDecoder().decode(source));
    return report(await verifyEvidence(source, keys), body, name);
  } catch (error) {
    if (error instanceof BadDocument) return refusal(error.message);
    if (error instanceof SyntaxError) return refusal("It is not JSON.");
    if (error.name === "NotSupportedError") return refusal("This browser cannot check Ed25519 signatures. A newer one can, and so can: fairwitness verify FILE.");
    return refusal(error.message);
  }
}

function refusal(words) {
  return el("div", { class: "problem", role: "alert" }, el("h2", {}, "This cannot be checked"), el("p", {}, words));
}

function report({ ok, signature, digests }, body, name) {
  const faults = finest([...signature.checks, ...digests.checks]);
  return el("div", { class: "evidence" },
    el("h2", { class: ok ? "good" : "bad" }, ok ? "Everything holds" : "Something was changed"),
    el("p", {}, ok ? "The signature is the service's own, and every part of " : "What was signed is not what stands in ", el("bdi", {}, name), ok ? " is as it was signed." : "."),
    ok ? null : el("ul", { class: "faults" }, faults.map((check) => fault(check, body))),
    group("Signature", signature),
    group("Digests", digests),
    ok ? el("p", { class: "dim small" }, "This proves who signed and that nothing changed since. To judge the responses again from the start: ", el("code", {}, "fairwitness verify FILE"), ".") : null);
}

function fault({ part, message }, body) {
  const value = valueAt(body, part);
  return el("li", {}, el("code", {}, part), `: ${message}.`,
    value === undefined ? null : el("p", { class: "now" }, "In this file: ", el("q", { dir: "auto" }, brief(value))));
}

/** Return what stands at a part's path, such as results[0].response; undefined where nothing does. */
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
    el("h3", { class: ok ? "good" : "bad" }, `${title}: ${ok ? (checks.length > 1 ? `all ${checks.length} hold` : "holds") : `${bad} of ${checks.length} do not hold`}`),
    el("ul", { class: "checks", tabindex: "0", "aria-label": title }, checks.map((check) => el("li", { class: check.status === "ok" ? "good" : "bad" },
      el("strong", {}, check.status === "ok" ? "✓ holds " : "✗ fails "), el("code", {}, check.part),
      el("span", { class: "digest" }, check.message ?? "")))));
}
