// Puts a result into a link's fragment, compressed. A fragment never reaches a server.

const MAX_TEXT = 4_000_000;

async function through(stream, bytes) {
  const writer = stream.writable.getWriter();
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const parts = [];
  let size = 0;
  for (const reader = stream.readable.getReader(); ;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    // A few bytes can be made to unpack into gigabytes.
    if (size > MAX_TEXT) throw new Error("larger than any result");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Return a request and its answer as text for a link. */
export async function pack(request, body) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify({ request, body })));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Return the request and the answer a link holds; throw where it does not hold them whole. */
export async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
  const found = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await through(new DecompressionStream("deflate-raw"), bytes)));
  const { overallScore, verdicts, findings } = found.body.evaluation;
  const drawable = ({ verdict, score }) => verdict === "not_applicable" || Number.isFinite(score);
  if (!Number.isFinite(overallScore) || !verdicts.every(drawable) || !Array.isArray(findings)) throw new Error("not a result");
  return found;
}
