// Votes of blind runs: kept in this browser only, without the texts.

const KEY = "fairwitness.votes";
const MOST = 1000;

/** Return the votes kept so far, oldest first. */
export function votes() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** Keep a vote; `winner` is a provider's id, or null for no clear difference. */
export function keepVote(body, shownOrder, winner) {
  const answers = shownOrder.map((id) => {
    const { model, evaluation } = body.results.find((item) => item.providerId === id);
    return { providerId: id, model, overallScore: evaluation.overallScore, overallVerdict: evaluation.overallVerdict };
  });
  const vote = { requestId: body.requestId, completedAt: body.completedAt, protocolVersion: body.protocolVersion, shownOrder: answers, winner };
  try {
    localStorage.setItem(KEY, JSON.stringify([...votes(), vote].slice(-MOST)));
  } catch { /* storage is off: the vote is only shown */ }
}
