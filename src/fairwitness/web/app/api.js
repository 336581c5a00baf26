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
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(
      navigator.onLine ? "The service cannot be reached" : "You are offline",
      "Check the connection and try again. Your text is still in the form.",
    );
  }
  const requestId = answer.headers.get("X-Request-Id");
  const text = await answer.text();
  let parsed = null;
  try { parsed = JSON.parse(text); } catch { /* reported below */ }
  if (answer.ok && parsed) return { body: parsed, text, requestId };
  const error = parsed?.error ?? { code: "", message: `The response is not valid JSON (status ${answer.status}).` };
  const seconds = Number.parseInt(answer.headers.get("Retry-After") ?? "", 10);
  throw new Problem(error.message, ADVICE[error.code] ?? "Try again. If it happens again, send feedback with the request id.", {
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
