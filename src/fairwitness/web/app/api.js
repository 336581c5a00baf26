// Sends requests to the service and turns failures into messages with a next step.

/** What went wrong: a title, what to do, the faults one by one, and when a retry may help. */
export class Problem extends Error {
  constructor(title, advice, { details = [], retryAfter = null, requestId = null } = {}) {
    super(title);
    Object.assign(this, { title, advice, details, retryAfter, requestId });
  }
}

const ADVICE = {
  invalid_request: "Fix the problems listed below and send it again.",
  payload_too_large: "Shorten the text and send it again.",
  overloaded: "The service is busy. Try again shortly.",
  quota_exceeded: "You have used your quota for now.",
  budget_exhausted: "The service has used its budget for this period.",
  concurrency_limit: "Too many runs are in flight. Wait for one to finish, then try again.",
  duplicate_request: "The same request is running or has just finished. Wait a moment, or change the request.",
  spend_disabled: "This part of the service is switched off. Direct evaluation still works.",
  kill_switch_active: "The operator has stopped provider-backed runs. Direct evaluation still works.",
  ledger_unavailable: "The spend ledger is unavailable, so nothing is sent to a provider. Try again later.",
  providers_failed: "Every provider failed. The reasons are listed below.",
  feedback_unavailable: "The feedback could not be stored. Keep your text and try again later.",
};

/** POST a body and return {body, text, requestId}, or throw a Problem. */
export async function post(path, body, signal) {
  const answer = await send(path, body, signal);
  const requestId = answer.headers.get("X-Request-Id");
  const text = await answer.text();
  const parsed = parse(text);
  if (answer.ok && parsed) return { body: parsed, text, requestId };
  throw problemOf(answer, parsed, requestId);
}

/** POST a body and hand each event to `onEvent(name, data)` as it comes; return the request id. */
export async function stream(path, body, signal, onEvent) {
  const answer = await send(path, body, signal, "text/event-stream");
  const requestId = answer.headers.get("X-Request-Id");
  if (!answer.ok) throw problemOf(answer, parse(await answer.text()), requestId);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let kept = "";
  for (;;) {
    const { value, done } = await reader.read().catch((error) => { throw error.name === "AbortError" ? error : UNREACHABLE(); });
    if (done) return requestId;
    const parts = (kept + value).split("\n\n");
    kept = parts.pop();
    for (const part of parts) {
      const name = part.match(/^event: (.*)$/m)?.[1];
      const data = part.match(/^data: (.*)$/m)?.[1];
      if (name === "error") throw problemOf(answer, parse(data), requestId);
      if (name && data) onEvent(name, data);
    }
  }
}

const UNREACHABLE = () => new Problem(
  navigator.onLine ? "The service cannot be reached" : "You are offline",
  "Check the connection and try again. Your text is still in the form.",
);

async function send(path, body, signal, accept = "application/json") {
  try {
    return await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: accept },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    throw error.name === "AbortError" ? error : UNREACHABLE();
  }
}

function parse(text) {
  try { return JSON.parse(text); } catch { return null; }
}

function problemOf(answer, parsed, requestId) {
  const error = parsed?.error ?? { code: "", message: `The response is not valid JSON (status ${answer.status}).` };
  const seconds = Number.parseInt(answer.headers.get("Retry-After") ?? "", 10);
  return new Problem(error.message, ADVICE[error.code] ?? "Try again. If it happens again, send feedback with the request id.", {
    details: error.details ?? [],
    retryAfter: Number.isFinite(seconds) ? seconds : null,
    requestId,
  });
}

/** GET JSON, or null where there is none. */
export async function get(path) {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
