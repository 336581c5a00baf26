// Verifies an Arena evidence response, in a browser or in Node: its signature, and its digests against
// the body. It makes no request and does not recompute the evaluations; the command
// `fairwitness verify` does. The names of the parts are the same in both.

import { BadDocument, readStrict } from "./strict-json.js";

const PAYLOAD_TYPE = "application/vnd.in-toto+json";
const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
const PREDICATE_TYPE = "urn:fairwitness:arena-evidence:1";
const ENCODER = new TextEncoder();

export { BadDocument };

/**
 * Verify one response. `document` is its text or bytes, `keys` the parsed keys.json of the service.
 * Returns { ok, unknownSigner, statement, signature, digests }, the last two { ok, checks: [{ part, status, message }] }.
 * Numbers count by their value: a file that jq or json.dump wrote again verifies.
 * A status is "ok", "failed" or, if no key has the signer's id, "unknown_signer".
 * Throws BadDocument if the file is not an evidence response.
 */
export async function verifyEvidence(document, keys) {
  if (!globalThis.crypto?.subtle) {
    throw new Error("This browser provides cryptography only over https or on localhost.");
  }
  const body = readStrict(document);
  if (!isObject(body)) throw new BadDocument("not a JSON object");
  if (!("evidence" in body)) {
    throw new BadDocument("evidence: missing; this is not a response of arena-evidence");
  }
  const { evidence, ...rest } = body;
  const { payload, signer, faults, unknown } = await openEnvelope(evidence, await readKeys(keys));
  const status = unknown ? "unknown_signer" : "failed";
  const signature = faults.map(([part, message]) => ({ part, status, message }));
  if (signer) signature.push(fine("evidence", `signed by the key ${signer.keyid}`), ...timeFaults(signer, rest.completedAt));
  const { statement, checks: digests } = payload
    ? await checkPayload(payload, rest)
    : { checks: [failed("evidence.payload", "nothing to compare with")] };
  const sections = { signature: section(signature), digests: section(digests) };
  const ok = sections.signature.ok && sections.digests.ok;
  return { ok, unknownSigner: Boolean(unknown) && sections.digests.ok, statement, ...sections };
}

/** Return the failed checks, without those that a check of an inner part explains. */
export function finest(checks) {
  const bad = new Map();
  for (const check of checks) {
    if (check.status !== "ok" && !bad.has(check.part)) bad.set(check.part, check);
  }
  const parts = [...bad.keys()].filter((part) => part !== "body");
  const holds = (part, other) =>
    part === "body" || other.startsWith(`${part}.`) || other.startsWith(`${part}[`);
  return [...bad.values()].filter(({ part }) => !parts.some((other) => holds(part, other)));
}

const fine = (part, message) => ({ part, status: "ok", message });
const failed = (part, message) => ({ part, status: "failed", message });
const section = (checks) => ({ ok: checks.every((check) => check.status === "ok"), checks });
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const same = (one, other) => canonical(one) === canonical(other);

/** Return the RFC 8785 form: keys by UTF-16 unit, numbers and strings as ECMAScript prints them. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(",")}}`;
}

async function sha256(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return the digest of every bound part by its path: the one rule of the format. */
export async function digestsOf(body) {
  const parts = new Map([["body", body]]);
  const members = (path, value) => {
    if (!isObject(value)) return;
    for (const key of Object.keys(value)) parts.set(step(path, key), value[key]);
  };
  members("", body);
  members("request", body.request);
  if (Array.isArray(body.results)) {
    body.results.forEach((item, index) => {
      parts.set(`results[${index}]`, item);
      members(`results[${index}]`, item);
    });
  }
  const entries = [...parts].map(async ([path, value]) => [
    path,
    await sha256(ENCODER.encode(canonical(value))),
  ]);
  return new Map(await Promise.all(entries));
}

function step(path, key) {
  const plain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) && (path !== "" || key !== "body");
  if (!plain) return `${path}[${shown(key, Infinity)}]`;
  return path === "" ? key : `${path}.${key}`;
}

function shown(value, limit = 60) {
  const escape = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const text = (JSON.stringify(value) ?? "nothing").replace(/[^ -~]/g, escape);
  return text.length <= limit ? text : `${text.slice(0, limit)}...`;
}

// ---- the envelope ----

function fromBase64(text) {
  if (typeof text !== "string" || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  try {
    const binary = atob(text);
    return btoa(binary) === text ? Uint8Array.from(binary, (char) => char.charCodeAt(0)) : null;
  } catch {
    return null;
  }
}

// A run that began before a key was replaced may end a little after it.
const ROTATION_SLACK_MS = 15 * 60 * 1000;

function timeFaults({ validUntil, revokedAt }, completedAt) {
  const where = "evidence.signatures[0].keyid";
  const faults = [];
  if (revokedAt) faults.push(failed(where, `the key was revoked on ${revokedAt}: what it signed may be a forgery`));
  if (validUntil && !(Date.parse(completedAt) <= Date.parse(validUntil) + ROTATION_SLACK_MS)) {
    faults.push(failed(where, `the key signed until ${validUntil}, and this says it was made later`));
  }
  return faults;
}

const FIELD = 2n ** 255n - 19n;
const Y_OF_ORDER_8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const SMALL_ORDER = new Set([0n, 1n, FIELD - 1n, Y_OF_ORDER_8, FIELD - Y_OF_ORDER_8]);

/** Say whether a key is one of the few that any signature can be made for. */
function isSmallOrder(raw) {
  const hex = [...raw].reverse().map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return SMALL_ORDER.has((BigInt(`0x${hex}`) & (2n ** 255n - 1n)) % FIELD);
}

async function readKeys(keys) {
  if (!Array.isArray(keys)) throw new BadDocument("keys: not a list of public keys");
  return Promise.all(
    keys.map(async (entry) => {
      const raw = fromBase64(entry?.publicKey);
      if (raw?.length !== 32) throw new BadDocument("keys: an entry has no publicKey of 32 bytes");
      if (isSmallOrder(raw)) throw new BadDocument("keys: a key of small order: anybody can make signatures for it");
      const keyid = await sha256(raw);
      if (entry.keyid !== keyid) {
        throw new BadDocument("keys: a keyid is not the digest of its publicKey");
      }
      const key = await crypto.subtle.importKey("raw", raw, { name: "Ed25519" }, false, ["verify"]);
      return { keyid, key, validUntil: entry.validUntil, revokedAt: entry.revokedAt };
    }),
  );
}

async function openEnvelope(envelope, keys) {
  if (!isObject(envelope)) return { faults: [["evidence", "not a DSSE envelope"]] };
  const faults = memberFaults("evidence", envelope, ["payloadType", "payload", "signatures"]);
  if ("payloadType" in envelope && envelope.payloadType !== PAYLOAD_TYPE) {
    faults.push(["evidence.payloadType", `must be ${PAYLOAD_TYPE}`]);
  }
  const payload = fromBase64(envelope.payload);
  if (!payload && "payload" in envelope) faults.push(["evidence.payload", "not canonical base64"]);
  const { keyid, signature } = readSignature(envelope.signatures, faults);
  if (faults.length || !payload || !signature) return { payload, faults };
  const head = ENCODER.encode(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `);
  const message = Uint8Array.from([...head, ...payload]);
  let signer;
  for (const candidate of keys) {
    const holds = await crypto.subtle.verify("Ed25519", candidate.key, signature, message);
    if (holds) signer ??= candidate;
  }
  const wrong = signerFaults(keyid, signer, keys);
  const unknown = !signer && keys.every((key) => key.keyid !== keyid);
  return { payload, signer: wrong.length ? undefined : signer, faults: wrong, unknown };
}

function memberFaults(path, members, expected) {
  const missing = expected.filter((name) => !(name in members));
  const extra = Object.keys(members).filter((name) => !expected.includes(name));
  return [
    ...missing.map((name) => [`${path}.${name}`, "missing"]),
    ...extra.map((name) => [`${path}[${shown(name)}]`, "not part of a signed envelope"]),
  ];
}

function readSignature(signatures, faults) {
  const where = "evidence.signatures";
  if (!Array.isArray(signatures) || signatures.length !== 1) {
    faults.push([where, "exactly one signature is expected"]);
    return {};
  }
  const [entry] = signatures;
  if (!isObject(entry)) {
    faults.push([`${where}[0]`, "not a signature"]);
    return {};
  }
  faults.push(...memberFaults(`${where}[0]`, entry, ["keyid", "sig"]));
  const signature = fromBase64(entry.sig);
  if ("sig" in entry && signature?.length !== 64) {
    faults.push([`${where}[0].sig`, "not 64 bytes in canonical base64"]);
  }
  return { keyid: entry.keyid, signature };
}

function signerFaults(keyid, signer, keys) {
  const where = "evidence.signatures[0]";
  if (signer) {
    if (signer.keyid === keyid) return [];
    return [[`${where}.keyid`, `the signature was made by the key ${signer.keyid}`]];
  }
  if (!keys.length) return [[where, "no public key to verify it with"]];
  if (keys.every((key) => key.keyid !== keyid)) {
    return [[`${where}.keyid`, `${shown(keyid, 80)} is not in your trusted keys`]];
  }
  return [[`${where}.sig`, "does not match evidence.payload: one of the two was changed"]];
}

// ---- the statement against the body ----

async function checkPayload(payload, body) {
  let statement;
  try {
    statement = readStatement(payload);
  } catch (error) {
    if (!(error instanceof BadDocument)) throw error;
    return { checks: [failed("evidence.payload", error.message)] };
  }
  const checks = [];
  const signed = new Map(statement.subject.map((entry) => [entry.name, entry.digest.sha256]));
  if (signed.size !== statement.subject.length) {
    checks.push(failed("evidence.payload", "a part is listed twice"));
  }
  const found = await digestsOf(body);
  for (const [part, digest] of signed) {
    if (!found.has(part)) checks.push(failed(part, "signed, but missing from the body"));
    else if (found.get(part) === digest) checks.push(fine(part, digest));
    else checks.push(failed(part, "digest differs: changed after signing"));
  }
  for (const part of found.keys()) {
    if (!signed.has(part)) checks.push(failed(part, "not signed: added to the body"));
  }
  return { statement, checks: [...checks, ...repeatedFaults(statement.predicate, body)] };
}

function readStatement(payload) {
  const value = readStrict(payload);
  if (canonical(value) !== new TextDecoder().decode(payload)) {
    throw new BadDocument("not in canonical form (RFC 8785)");
  }
  const ours =
    value?._type === STATEMENT_TYPE &&
    value.predicateType === PREDICATE_TYPE &&
    value.predicate?.evidenceContractVersion === "1.0.0" &&
    Array.isArray(value.predicate.results) &&
    Array.isArray(value.subject) &&
    value.subject.length > 0 &&
    value.subject.every((entry) => typeof entry?.digest?.sha256 === "string");
  if (!ours) throw new BadDocument("not a statement of this version");
  return value;
}

function repeatedFaults(predicate, body) {
  const said = new Map([
    ["requestId", predicate.requestId],
    ["completedAt", predicate.completedAt],
    ["request.providers", predicate.providers],
    ["protocolVersion", predicate.protocol?.version],
    ["evaluatorVersion", predicate.evaluator?.version],
    ...runs(predicate.results),
  ]);
  const names = ["requestId", "completedAt", "protocolVersion", "evaluatorVersion"];
  const stands = new Map(names.filter((name) => name in body).map((name) => [name, body[name]]));
  if (isObject(body.request) && "providers" in body.request) {
    stands.set("request.providers", body.request.providers);
  }
  for (const [part, value] of runs(body.results)) stands.set(part, value);
  const faults = [];
  for (const part of new Set([...said.keys(), ...stands.keys()])) {
    if (!stands.has(part)) faults.push(failed(part, "missing from the body"));
    else if (!said.has(part)) faults.push(failed(part, "missing from the statement"));
    else if (!same(said.get(part), stands.get(part))) {
      const told = `the statement says ${shown(said.get(part))}`;
      faults.push(failed(part, `${told}, the body ${shown(stands.get(part))}`));
    }
  }
  return faults;
}

function runs(results) {
  if (!Array.isArray(results)) return [];
  return results.flatMap((item, index) =>
    isObject(item)
      ? Object.keys(item)
          .filter((key) => key !== "response" && key !== "evaluation")
          .map((key) => [step(`results[${index}]`, key), item[key]])
      : [],
  );
}
