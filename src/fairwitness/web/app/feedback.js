// Private feedback about one answer, tied to its request id.

import { post } from "./api.js";
import { el } from "./elements.js";
import { countLive, onSubmit } from "./form.js";

const CATEGORIES = {
  evaluation_quality: "Evaluation quality", bug: "Bug", documentation: "Documentation", feature: "Feature request", other: "Other",
};

/** Return a closed form that opens on demand. */
export function feedbackForm(requestId) {
  const outcome = el("div", {});
  const form = el("form", { class: "form" },
    el("label", { class: "field" }, "About ", el("select", { name: "category" },
      Object.entries(CATEGORIES).map(([value, label]) => el("option", { value }, label)))),
    el("label", { class: "field" }, "Message ", el("span", { class: "count", dataset: { count: "message" } }),
      el("textarea", { name: "message", rows: "3", dir: "auto", required: true })),
    el("label", { class: "field" }, "Rating (optional) ", el("select", { name: "rating" },
      el("option", { value: "" }, "–"), [1, 2, 3, 4, 5].map((value) => el("option", { value: String(value) }, String(value))))),
    el("label", { class: "field" }, "Contact (optional, stored encrypted)", el("input", { name: "contact", maxlength: "200", autocomplete: "email" })),
    el("label", { class: "check" }, el("input", { type: "checkbox", name: "privacy", required: true }), el("span", {}, "I have the right to submit this text, and it may be stored.")),
    el("div", { class: "row" }, el("button", { type: "submit", class: "primary" }, "Send")));
  countLive(form, { message: 2000 });
  onSubmit(form, outcome, async () => {
    const { category, message, rating, contact, privacy } = form.elements;
    const body = { contractVersion: "1.0.0", category: category.value, message: message.value, privacyAcknowledged: privacy.checked };
    if (requestId) body.requestId = requestId;
    if (rating.value) body.rating = Number(rating.value);
    if (contact.value) body.contact = contact.value;
    const answer = await post("/api/feedback", body);
    form.hidden = true;
    return el("p", { class: "thanks", role: "status" }, "Thank you. Stored as ", el("code", {}, answer.body.feedbackId), ".");
  });
  return el("details", { class: "feedback" }, el("summary", {}, "Send feedback about this result"), form, outcome);
}
