// Verifies Arena evidence in the browser and shows each digest, green or red.

import { BadDocument, finest, verifyEvidence } from "../evidence.js";
import { get } from "./api.js";
import { el } from "./elements.js";
import { present } from "./form.js";

const LARGEST = 8 * 1024 * 1024;

// In a published Arena page, the signed bytes as base64.
const IN_PAGE = /<script type="text\/plain" id="evidence">([A-Za-z0-9+/=]+)<\/script>/;

/** Bring the panel to life; return what checks a file. */
export function startVerify(panel) {
  const drop = panel.querySelector("[data-drop]");
  const outcome = panel.querySelector(".outcome");
  const given = panel.querySelector("[name=keys]");
  let last = null;
  const read = async (file) => {
    if (!(file instanceof File)) return;
    last = file;
    outcome.replaceChildren(el("p", { class: "progress", role: "status" }, "Checking…"));
    present(outcome, file.size > LARGEST
      ? refusal("This file is larger than any evidence file.")
      : await checkEvidence(signedPart(new Uint8Array(await file.arrayBuffer())), file.name, given.files[0]));
  };
  const chosen = panel.querySelector("[name=file]");
  chosen.addEventListener("change", () => read(chosen.files[0]));
  given.addEventListener("change", () => read(last));
  drop.addEventListener("dragover", () => drop.classList.add("over"));
  for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
  // The section is shown while this script still loads: a file may have been chosen already.
  read(chosen.files[0]);
  return read;
}

function signedPart(bytes) {
  if (bytes[0] !== 60) return bytes;
  const held = new TextDecoder().decode(bytes).match(IN_PAGE);
  return held ? Uint8Array.from(atob(held[1]), (char) => char.charCodeAt(0)) : bytes;
}

/** Return the report on one evidence document, its text or its bytes; `keyFile` instead of this service's keys. */
export async function checkEvidence(source, name = "This answer", keyFile = null) {
  try {
    const keys = keyFile ? await keysIn(keyFile) : await get("/docs/keys.json");
    if (!keys) return refusal("The service's public keys could not be loaded. Check the connection and try again.");
    const body = JSON.parse(typeof source === "string" ? source : new TextDecoder().decode(source));
    return report(await verifyEvidence(source, keys), body, name, keyFile ? keyFile.name : null);
  } catch (error) {
    if (error instanceof BadDocument) return refusal(error.message);
    if (error instanceof SyntaxError) return refusal("The file is not JSON.");
    if (error.name === "NotSupportedError") return refusal("This browser does not support Ed25519 signatures. Use a newer browser, or run: fairwitness verify FILE.");
    return refusal(error.message);
  }
}

async function keysIn(file) {
  try {
    return JSON.parse(await file.text());
  } catch {
    throw new BadDocument("keys: the key file is not JSON. It should be the signer's /docs/keys.json.");
  }
}

function refusal(words) {
  return el("div", { class: "problem", role: "alert" }, el("h2", {}, "This file cannot be verified"), el("p", {}, words));
}

function report({ ok, unknownSigner, signature, digests, statement }, body, name, keyFile) {
  const faults = finest([...signature.checks, ...digests.checks]);
  return el("div", { class: "evidence" },
    el("h2", { class: ok ? "good" : unknownSigner ? "unsure" : "bad" }, conclusion(ok, unknownSigner, digests, faults)),
    el("p", {}, el("bdi", {}, name), meaning(ok, unknownSigner, keyFile)),
    ok || unknownSigner ? null : el("ul", { class: "faults" }, faults.map((check) => fault(check, body, statement))),
    summary(body),
    group("Signature", signature),
    group("Digests", digests),
    ok ? el("p", { class: "dim small" }, "The evaluations were not recomputed here. To recompute them: ", el("code", {}, "fairwitness verify FILE"), ".") : null);
}

/** Say what the digests protect. */
function summary({ request, results }) {
  const models = Array.isArray(results) ? results.map((item) => item?.model).filter((model) => typeof model === "string") : [];
  return el("p", { class: "dim small" }, "The signature covers the prompt, ",
    models.length ? ["the answers of ", el("bdi", {}, models.join(", ")), ", "] : "the answers, ",
    "their evaluations, times and costs, and the ranking. It shows who sent them and that nothing was changed, not that they are true.",
    typeof request?.prompt === "string" ? el("span", {}, " Prompt: ", el("q", { dir: "auto" }, brief(request.prompt))) : null);
}

function conclusion(ok, unknownSigner, digests, faults) {
  if (ok) return `Verified: signature valid, ${digests.checks.length} digests match`;
  if (unknownSigner) return "Unknown signer. The content is intact, but this key is not in your trusted keys.";
  return `Not verified: ${faults.length === 1 ? "1 check" : `${faults.length} checks`} failed`;
}

function meaning(ok, unknownSigner, keyFile) {
  const signer = keyFile ? `by a key in ${keyFile}` : "by this service";
  if (ok) return ` was signed ${signer} and was not changed since.`;
  if (unknownSigner) return ` was not signed ${signer}. If you know who signed it, choose their keys.json above: every Fair Witness service publishes it under /docs/keys.json.`;
  return " is not what was signed.";
}

function fault({ part, message }, body, statement) {
  const [now, signed] = [valueAt(body, part), signedAt(statement, part)];
  return el("li", {}, el("code", {}, part), `: ${message}.`,
    signed === undefined ? null : el("p", { class: "now" }, "Signed: ", el("q", { dir: "auto" }, brief(signed))),
    now === undefined ? null : el("p", { class: "now" }, "In this file: ", el("q", { dir: "auto" }, brief(now))),
    signed === undefined && now !== undefined && part.endsWith(".response") ? el("p", { class: "dim small" }, "Of an answer's text the signature keeps only the digest, so the signed text cannot be shown.") : null);
}

/** Return the value the signed statement repeats for a part, or undefined where it has only the digest. */
function signedAt(statement, part) {
  if (!statement) return undefined;
  const said = {
    ...statement.predicate,
    request: { providers: statement.predicate.providers },
    protocolVersion: statement.predicate.protocol?.version,
    evaluatorVersion: statement.predicate.evaluator?.version,
  };
  return valueAt(said, part);
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

const MARKS = { ok: ["good", "✓ ok "], failed: ["bad", "✗ failed "], unknown_signer: ["unsure", "? not trusted "] };
const ORDER = Object.keys(MARKS).reverse();

/** Return every check of one kind, folded where all is well, what is wrong first. */
function group(title, { ok, checks }) {
  const worst = ok ? "ok" : checks.some(({ status }) => status === "failed") ? "failed" : "unknown_signer";
  const bad = finest(checks).length;
  const said = { ok: checks.length > 1 ? `all ${checks.length} match` : "valid", failed: `${bad === 1 ? "1 check" : `${bad} checks`} failed`, unknown_signer: "by a key that is not in your trusted keys" };
  const sorted = [...checks].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  return el("details", { class: "group", open: !ok },
    el("summary", { class: MARKS[worst][0] }, `${title}: ${said[worst]}`),
    el("ul", { class: "checks", tabindex: "0", "aria-label": title }, sorted.map(({ status, part, message }) => el("li", { class: MARKS[status][0] },
      el("strong", {}, MARKS[status][1]), el("code", {}, part), el("span", { class: "digest" }, message ?? "")))));
}
