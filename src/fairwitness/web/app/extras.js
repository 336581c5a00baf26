// What a response was given besides its prompt: passages of context, earlier messages, an expected answer.

import { el } from "./elements.js";

export const CONTRACT_2 = "2.0.0-alpha.1";
// An evaluation takes a context and an expected answer, the Arena a system prompt and a temperature; both take a conversation.
const EXTRAS = ["context", "earlier", "reference", "system", "temperature"];
const ROLES = { user: "User", assistant: "Assistant", system: "System" };

/** Bring the boxes for earlier messages to life; return what shows the messages the form holds. */
export function startTurns(form) {
  const list = form.querySelector("[data-turns]");
  const kept = form.elements.earlier;
  const read = () => [...list.children].map((turn) => ({ role: turn.querySelector("select").value, content: turn.querySelector("textarea").value }));
  const store = () => {
    kept.value = list.children.length ? JSON.stringify(read()) : "";
    form.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const add = ({ role, content }) => {
    const turn = el("div", { class: "turn" },
      el("select", { "aria-label": "Role" }, Object.entries(ROLES).map(([value, name]) => el("option", { value, selected: value === role }, name))),
      el("button", { type: "button", onclick: () => { turn.remove(); store(); form.querySelector("[data-add]").focus(); } }, "Remove"),
      el("textarea", { rows: "2", dir: "auto", "aria-label": "Message" }, content));
    list.append(turn);
    return turn;
  };
  list.addEventListener("input", (event) => { event.stopPropagation(); store(); });
  form.querySelector("[data-add]").addEventListener("click", () => {
    const turns = read();
    add({ role: turns.at(-1)?.role === "user" ? "assistant" : "user", content: "" }).querySelector("textarea").focus();
    store();
  });
  const show = () => {
    list.replaceChildren();
    for (const turn of earlier(form)) add(turn);
    if (isUsed(form)) form.querySelector(".extras").open = true;
  };
  form.addEventListener("reset", () => { kept.value = ""; list.replaceChildren(); });
  show();
  return show;
}

/** Return the earlier messages a form holds; what is no list of messages is none. */
function earlier(form) {
  try {
    const found = JSON.parse(form.elements.earlier.value || "[]");
    return found.filter((turn) => turn.role in ROLES && typeof turn.content === "string");
  } catch {
    return [];
  }
}

/** Say whether anything besides a prompt and a response is given. */
export function isUsed(form) {
  return EXTRAS.some((name) => form.elements[name]?.value.trim());
}

/** Return what is asked, as a request has it: the prompt, or the conversation that ends with it. */
export function asked(form) {
  const prompt = form.elements.prompt.value;
  const turns = earlier(form).filter(({ content }) => content.trim());
  return turns.length ? { messages: [...turns, { role: "user", content: prompt }] } : { prompt };
}

/** Return the request a form describes: by contract 1 where it can be, else by contract 2. */
export function requestOf(form) {
  const { prompt, response, context, reference, protocol } = form.elements;
  const chosen = protocol.selectedIndex > 0 ? { protocol: protocol.value } : {};
  if (!isUsed(form) && !chosen.protocol) {
    return { contractVersion: "1.0.0", prompt: prompt.value, response: response.value, privacyAcknowledged: true };
  }
  const passages = context.value.split(/^---+[ \t]*$/m).map((text) => text.trim()).filter(Boolean);
  return {
    contractVersion: CONTRACT_2,
    ...asked(form),
    response: response.value,
    ...(passages.length ? { context: passages.map((text) => ({ text })) } : {}),
    ...(reference.value.trim() ? { reference: reference.value } : {}),
    ...chosen,
    privacyAcknowledged: true,
  };
}
