// The board of an Arena run: a card for each answer as it comes, a vote where it is blind, then names and scores.

import { downloadButton, el } from "./elements.js";
import { feedbackForm } from "./feedback.js";
import { showEvaluation } from "./result.js";
import { Painter } from "./spans.js";
import { markdown } from "./markdown.js";
import { failure, footnote, nameOf, outcomeOf, standings } from "./standings.js";
import { keepVote, votes } from "./votes.js";

/** Shows one run. Cards stand in the requested order, or in a drawn order where it is blind. */
export class Board {
  constructor(request, known, { signed, blind, rules }) {
    Object.assign(this, { request, signed, rules, blind, items: new Map(), models: (id) => known.get(id)?.model });
    this.order = blind ? shuffled(request.providers) : request.providers;
    this.heading = el("h2", {}, `Waiting for ${request.providers.length} answers…`);
    this.cards = new Map(this.order.map((id, index) => [id, el("section", { class: "card" },
      el("h3", {}, this.title(id, index)), el("p", { class: "progress" }, "Waiting…"))]));
    // A blind run keeps the place of its buttons, so that the answers do not move when they come.
    this.above = el("div", { class: blind ? "above" : null });
    this.below = el("div", {});
    this.view = el("div", { class: "board" }, this.heading, this.above, el("div", { class: "arena" }, [...this.cards.values()]), this.below);
  }

  title(id, index) {
    return this.blind ? `Answer ${index + 1}` : el("bdi", {}, this.models(id) ?? nameOf({ providerId: id }));
  }

  /** Show one provider's result as soon as it is there. */
  add(item) {
    this.items.set(item.providerId, item);
    this.show(item);
    const left = this.request.providers.length - this.items.size;
    if (left) this.heading.textContent = `Waiting for ${left === 1 ? "1 answer" : `${left} answers`}…`;
  }

  show(item) {
    const card = this.cards.get(item.providerId);
    const title = this.blind ? `Answer ${this.order.indexOf(item.providerId) + 1}` : el("bdi", {}, nameOf(item));
    card.classList.toggle("failed", item.status === "failed");
    if (item.status === "failed") card.replaceChildren(el("h3", {}, title), failure(item));
    else if (this.blind) card.replaceChildren(el("h3", {}, title), plain(item.response));
    else {
      card.replaceChildren(el("h3", {}, title),
        showEvaluation(item.evaluation, { ...this.request, response: item.response }, this.rules, { heading: "h4", compact: true }),
        footnote(item));
    }
  }

  /** Show the whole: at once, or after the vote. */
  finish(text, requestId) {
    this.body = JSON.parse(text);
    for (const item of this.body.results) if (!this.items.has(item.providerId)) this.add(item);
    const reveal = () => {
      this.blind = false;
      for (const item of this.body.results) this.show(item);
      this.heading.textContent = outcomeOf(this.body);
      const checked = el("div", {});
      this.above.replaceChildren();
      this.below.replaceChildren(standings(this.body), this.takeaways(text, checked), checked, feedbackForm(requestId));
    };
    const answered = this.order.filter((id) => this.items.get(id).status !== "failed");
    if (this.blind && answered.length > 1) this.ask(answered, reveal);
    else reveal();
    return this.view;
  }

  ask(answered, reveal) {
    this.heading.textContent = "Which answer is better?";
    const vote = (winner) => {
      keepVote(this.body, answered, winner);
      reveal();
      this.above.prepend(el("p", { class: "note", role: "status" },
        winner ? `You chose ${nameOf(this.items.get(winner))}. ` : "You saw no clear difference. ", ...exported()));
      this.heading.tabIndex = -1;
      this.heading.focus({ preventScroll: true });
    };
    this.above.replaceChildren(el("div", { class: "row votes", role: "group", "aria-label": "Your vote" },
      answered.map((id) => el("button", { type: "button", onclick: () => vote(id) }, `Answer ${this.order.indexOf(id) + 1}`)),
      el("button", { type: "button", onclick: () => vote(null) }, "No clear difference")));
  }

  takeaways(text, checked) {
    const verify = async () => {
      checked.replaceChildren(await (await import("./verify.js")).checkEvidence(text));
      checked.scrollIntoView({ block: "nearest" });
    };
    return el("div", { class: "row takeaways" },
      this.signed ? el("button", { type: "button", class: "report", onclick: async () => (await import("./report.js")).downloadArena(text) }, "Download page to publish") : null,
      downloadButton(this.signed ? "Download evidence" : "Download JSON", `arena-${this.body.requestId}.json`, text),
      this.signed ? el("button", { type: "button", onclick: verify }, "Verify in this browser") : null);
  }
}

function plain(text) {
  const painter = new Painter(text, "response", [], "blind");
  const blocks = markdown(painter);
  return el("div", { class: `text ${blocks ? "rendered" : ""}`, dir: "auto", tabindex: "0", role: "group", "aria-label": "Response" }, blocks ?? painter.paint(0, text.length));
}

function exported() {
  const kept = votes();
  return [`${kept.length === 1 ? "1 vote is" : `${kept.length} votes are`} kept in this browser only. `,
    downloadButton("Export votes", "arena-votes.json", JSON.stringify(kept, null, 2))];
}

function shuffled(items) {
  const drawn = [...items];
  const numbers = crypto.getRandomValues(new Uint32Array(drawn.length));
  return drawn.map((item, index) => [numbers[index], item]).sort(([a], [b]) => a - b).map(([, item]) => item);
}
