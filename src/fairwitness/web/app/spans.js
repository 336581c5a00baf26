// Highlights evidence: cuts a text at each quoted span and links spans with findings.

import { el } from "./elements.js";

export const ORDER = ["critical", "high", "medium", "low", "info"];

/** Return findings, most severe first, each with the number it is shown under. */
export function numbered(findings) {
  return [...findings]
    .sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity))
    .map((finding, index) => ({ ...finding, number: index + 1 }));
}

/** Shows parts of one text, in order, with its quoted spans marked. Offsets are JavaScript's; evidence counts code points. */
export class Painter {
  constructor(text, source, findings, scope) {
    Object.assign(this, { text, source, scope, last: new Map() });
    const at = offsets(text);
    this.marks = findings.flatMap((finding) => finding.evidence
      .filter((quote) => quote.source === source)
      .map((quote) => {
        const [start, end] = [at(quote.start), at(quote.end)];
        return { start, end, finding, unseen: isUnseen(text.slice(start, end)) };
      }));
    this.edges = [...new Set(this.marks.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  }

  /** Return the text from start to end as nodes. */
  paint(start, end) {
    const edges = [start, ...this.edges.filter((edge) => edge > start && edge < end), end];
    return edges.slice(1).flatMap((to, index) => this.#piece(edges[index], to));
  }

  /** Say whether a part may be left out: nothing quoted lies wholly in it. */
  mayHide(start, end) {
    return !this.marks.some((mark) => start <= mark.start && mark.end <= end);
  }

  /** Number each span at the last part of it that is shown. */
  finish() {
    const endings = new Map();
    for (const [mark, node] of this.last) endings.set(node, [...(endings.get(node) ?? []), mark.finding.number]);
    for (const [node, numbers] of endings) node.dataset.numbers = [...new Set(numbers)].sort((a, b) => a - b).join(",");
  }

  #piece(start, end) {
    if (start >= end) return [];
    const piece = this.text.slice(start, end);
    const here = this.marks.filter((mark) => mark.start <= start && end <= mark.end);
    // A space between two quotations is a space; a quotation of nothing that can be seen is spelled out.
    const said = here.some((mark) => mark.unseen) ? legible(piece) : shown(piece);
    if (!here.length) return said;
    const node = marked(said, here.map((mark) => mark.finding), this.source, this.scope);
    for (const mark of here) this.last.set(mark, node);
    return [node];
  }
}

/** Return a whole text as nodes, with its quoted spans marked and numbered. */
export function painted(text, source, findings, scope) {
  const painter = new Painter(text, source, findings, scope);
  const nodes = painter.paint(0, text.length);
  painter.finish();
  return nodes;
}

/** Return what turns a count of code points into an offset of this string. */
function offsets(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (points) => points;
  const table = [0];
  for (const point of text) table.push(table.at(-1) + point.length);
  return (points) => table[Math.min(points, table.length - 1)];
}

// Characters that turn or hide what stands around them; joiners are left out, for scripts and emoji need them.
const STEERING = /([\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff])/u;

function shown(piece) {
  return piece.split(STEERING).filter(Boolean).map((part) => (STEERING.test(part) ? el("span", { class: "steering", dataset: { code: codeOf(part) } }, part) : part));
}

/** Return a quotation to show: all of it spelled out where none can be seen, else only what steers the text. */
export function legible(piece) {
  const spelled = visible(piece);
  return spelled === piece ? shown(piece) : [spelled];
}

function codeOf(point) {
  return `U+${point.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function marked(piece, here, source, scope) {
  const worst = here.reduce((a, b) => (a.number <= b.number ? a : b));
  const ids = [...new Set(here.map((finding) => finding.findingId))];
  return el("mark", {
    class: worst.severity,
    tabindex: "0",
    dataset: { findings: ids.join(" "), source },
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
export function linkHighlights(view, onLight = () => {}) {
  const idsOf = (node) => {
    const tied = node.closest?.("mark, li[data-finding]");
    return tied ? (tied.dataset.findings ?? tied.dataset.finding).split(" ") : [];
  };
  const light = (ids) => {
    for (const node of view.querySelectorAll("mark, li[data-finding]")) {
      node.classList.toggle("lit", idsOf(node).some((id) => ids.includes(id)));
    }
    onLight(ids);
  };
  for (const kind of ["mouseover", "focusin"]) view.addEventListener(kind, (event) => light(idsOf(event.target)));
  for (const kind of ["mouseleave", "focusout"]) view.addEventListener(kind, () => light([]));
  const counterpart = (node) => {
    const [id] = idsOf(node);
    if (!id) return null;
    const others = view.querySelectorAll(node.closest("mark") ? "li[data-finding]" : "mark");
    const other = [...others].find((found) => idsOf(found).includes(id));
    const folded = other?.closest("details");
    if (folded) folded.open = true;
    return other ?? null;
  };
  view.addEventListener("click", (event) => counterpart(event.target)?.scrollIntoView({ block: "nearest" }));
  view.addEventListener("keydown", (event) => {
    const other = event.key === "Enter" ? counterpart(event.target) : null;
    if (other) { event.preventDefault(); other.focus(); }
  });
}
