// Highlights evidence: cuts a text at each quoted span and links spans with findings.

import { el } from "./elements.js";

export const ORDER = ["critical", "high", "medium", "low", "info"];

/** Return findings, most severe first, each with the number it is shown under. */
export function numbered(findings) {
  return [...findings]
    .sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity))
    .map((finding, index) => ({ ...finding, number: index + 1 }));
}

/** Cut a text at every edge of evidence; each piece names the findings that quote it. */
export function segments(text, source, findings, scope) {
  const points = Array.from(text);
  const marks = findings.flatMap((finding) => finding.evidence
    .filter((quote) => quote.source === source)
    .map((quote) => ({ start: quote.start, end: quote.end, finding, unseen: isUnseen(points.slice(quote.start, quote.end).join("")) })));
  const edges = [...new Set([0, points.length, ...marks.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b);
  const pieces = [];
  for (let index = 0; index + 1 < edges.length; index += 1) {
    const [start, end] = [edges[index], edges[index + 1]];
    const piece = points.slice(start, end).join("");
    const here = marks.filter((mark) => mark.start <= start && end <= mark.end);
    const ending = here.filter((mark) => mark.end === end).map((mark) => mark.finding.number);
    // A space between two quotations is a space; a quotation of nothing that can be seen is spelled out.
    const said = here.some((mark) => mark.unseen) ? legible(piece) : shown(piece);
    pieces.push(...(here.length ? [marked(said, here.map((mark) => mark.finding), ending, scope)] : said));
  }
  return pieces;
}

// Characters that turn or hide what stands around them; joiners are left out, for scripts and emoji need them.
const STEERING = /([\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff])/u;

function shown(piece) {
  return piece.split(STEERING).map((part) => (STEERING.test(part) ? el("span", { class: "steering", dataset: { code: codeOf(part) } }, part) : part));
}

/** Return a quotation to show: all of it spelled out where none can be seen, else only what steers the text. */
export function legible(piece) {
  const spelled = visible(piece);
  return spelled === piece ? shown(piece) : spelled;
}

function codeOf(point) {
  return `U+${point.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function marked(piece, here, ending, scope) {
  const worst = here.reduce((a, b) => (a.number <= b.number ? a : b));
  const ids = [...new Set(here.map((finding) => finding.findingId))];
  return el("mark", {
    class: worst.severity,
    tabindex: "0",
    dataset: { findings: ids.join(" "), ...(ending.length ? { numbers: [...new Set(ending)].join(",") } : {}) },
    "aria-describedby": ids.map((id) => `${scope}-${id}`).join(" "),
  }, piece);
}

function isUnseen(piece) {
  return /^[\s\p{Cf}\p{Cc}]+$/u.test(piece);
}

/** Spell out evidence that cannot be seen: invisible characters, a lone line end. */
export function visible(piece) {
  if (!isUnseen(piece)) return piece;
  const points = Array.from(piece, codeOf);
  return points.slice(0, 12).join(" ") + (points.length > 12 ? ` and ${points.length - 12} more` : "");
}

/** Light a finding's spans while it is pointed at or focused, and back; Enter or a click goes there. */
export function linkHighlights(view) {
  const idsOf = (node) => {
    const tied = node.closest?.("mark, li[data-finding]");
    return tied ? (tied.dataset.findings ?? tied.dataset.finding).split(" ") : [];
  };
  const light = (ids) => {
    for (const node of view.querySelectorAll("mark, li[data-finding]")) {
      node.classList.toggle("lit", idsOf(node).some((id) => ids.includes(id)));
    }
  };
  for (const kind of ["mouseover", "focusin"]) view.addEventListener(kind, (event) => light(idsOf(event.target)));
  for (const kind of ["mouseleave", "focusout"]) view.addEventListener(kind, () => light([]));
  const counterpart = (node) => {
    const [id] = idsOf(node);
    if (!id) return null;
    const others = view.querySelectorAll(node.closest("mark") ? "li[data-finding]" : "mark");
    return [...others].find((other) => idsOf(other).includes(id)) ?? null;
  };
  view.addEventListener("click", (event) => counterpart(event.target)?.scrollIntoView({ block: "nearest" }));
  view.addEventListener("keydown", (event) => {
    const other = event.key === "Enter" ? counterpart(event.target) : null;
    if (other) { event.preventDefault(); other.focus(); }
  });
}
