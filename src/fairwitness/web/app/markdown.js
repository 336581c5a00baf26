// Shows Markdown as headings, lists, tables and code, built as elements: no text ever becomes markup.
// Addresses of links and pictures stay visible, nothing is loaded, and every quoted span stays marked.

import { el } from "./elements.js";

const FENCE = /^ {0,3}(`{3,}|~{3,})[^`\n]*$/;
const HEADING = /^ {0,3}#{1,6}[ \t]+/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,}) *$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,16}|\t{1,4})(?:[-*+]|(\d{1,9})[.)])[ \t]+(?=\S)/;
const DIVIDER = /^ *\|?(?: *:?-+:? *\|)+(?: *:?-+:?)? *$/;
// Bounded, so that no text can make the search slow.
const INLINE = /(`+)(?!`)([^\n]{1,500}?)(?<!`)\1(?!`)|(\*\*|__)(?=\S)([^\n]{1,500}?)(?<=\S)\3|(?<![*\w])\*(?=[^\s*])([^*\n]{1,500}?)(?<=\S)\*(?![*\w])/g;

/** Return the text's blocks as elements, or null where it has no Markdown. */
export function markdown(painter) {
  const writer = new Writer(painter);
  const blocks = writer.blocks();
  return writer.rich ? blocks : null;
}

class Writer {
  constructor(painter) {
    this.painter = painter;
    this.text = painter.text;
    this.rich = false;
    this.lines = [];
    let start = 0;
    for (const line of this.text.split("\n")) {
      this.lines.push({ start, end: start + line.length, text: line });
      start += line.length + 1;
    }
    this.at = 0;
  }

  blocks() {
    const found = [];
    while (this.at < this.lines.length) {
      const { text, start, end } = this.lines[this.at];
      if (!text.trim()) found.push(...this.skip(start, Math.min(end + 1, this.text.length)));
      else if (FENCE.test(text)) found.push(...this.code());
      else if (HEADING.test(text)) found.push(this.heading());
      else if (RULE.test(text) && this.painter.mayHide(start, end)) found.push(this.rule());
      else if (QUOTE.test(text)) found.push(this.quote());
      else if (ITEM.test(text)) found.push(this.list());
      else if (text.includes("|") && DIVIDER.test(this.lines[this.at + 1]?.text ?? "")) found.push(this.table());
      else found.push(this.paragraph());
    }
    return found;
  }

  // What is left out of the view, unless it is evidence.
  skip(start, end) {
    if (start === this.lines[this.at]?.start) this.at += 1;
    return this.painter.mayHide(start, end) ? [] : this.painter.paint(start, end);
  }

  hide(start, end) {
    return start === end || this.painter.mayHide(start, end) ? [] : this.painter.paint(start, end);
  }

  code() {
    this.rich = true;
    const open = this.lines[this.at];
    const fence = open.text.trim().match(/^(`+|~+)/)[0];
    let last = this.at + 1;
    while (last < this.lines.length && !this.lines[last].text.trim().startsWith(fence)) last += 1;
    const close = this.lines[last];
    this.at = last + 1;
    const from = Math.min(open.end + 1, this.text.length);
    const to = close ? Math.max(from, close.start - 1) : this.text.length;
    return [...this.hide(open.start, open.end),
      el("pre", {}, el("code", {}, this.painter.paint(from, to))),
      ...(close ? this.hide(close.start, close.end) : [])];
  }

  heading() {
    this.rich = true;
    const { text, start, end } = this.lines[this.at++];
    const mark = text.match(HEADING)[0].length;
    // Not a heading of the page: it must not change what the page's headings say.
    return el("p", { class: "md-heading" }, this.hide(start, start + mark), this.inline(start + mark, end));
  }

  rule() {
    this.rich = true;
    this.at += 1;
    return el("hr", {});
  }

  quote() {
    this.rich = true;
    const parts = [];
    while (this.at < this.lines.length && QUOTE.test(this.lines[this.at].text)) {
      const { text, start, end } = this.lines[this.at++];
      const mark = text.match(QUOTE)[0].length;
      parts.push(parts.length ? "\n" : null, ...this.hide(start, start + mark), ...this.inline(start + mark, end));
    }
    return el("blockquote", {}, parts);
  }

  list() {
    this.rich = true;
    const ordered = Boolean(this.lines[this.at].text.match(ITEM)[2]);
    const items = [];
    while (this.at < this.lines.length) {
      const found = this.lines[this.at].text.match(ITEM);
      if (!found || Boolean(found[2]) !== ordered) break;
      items.push(this.item(found));
    }
    return el(ordered ? "ol" : "ul", {}, items);
  }

  item([whole, indent, number]) {
    const { start, end } = this.lines[this.at++];
    const parts = [...this.hide(start, start + whole.length), ...this.inline(start + whole.length, end)];
    // Lines that go on with the item.
    while (/^\s+\S/.test(this.lines[this.at]?.text ?? "") && !this.begins(this.lines[this.at].text)) {
      const line = this.lines[this.at++];
      parts.push("\n", ...this.inline(line.start + line.text.search(/\S/), line.end));
    }
    const level = Math.min(4, Math.floor(indent.replaceAll("\t", "  ").length / 2));
    return el("li", { value: number ?? null, class: level ? `in-${level}` : null }, parts);
  }

  table() {
    this.rich = true;
    const rows = [];
    const head = this.cells("th");
    const divider = this.lines[this.at++];
    const kept = this.hide(divider.start, divider.end);
    while (this.lines[this.at]?.text.includes("|")) rows.push(el("tr", {}, this.cells("td")));
    return el("div", { class: "table", tabindex: "0", role: "group", "aria-label": "Table" }, kept, el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)));
  }

  cells(name) {
    const { text, start } = this.lines[this.at++];
    const found = [];
    for (const part of text.matchAll(/(?:\\\||[^|])+/g)) {
      if (!part[0].trim()) continue;
      const from = start + part.index + part[0].search(/\S/);
      found.push(el(name, {}, this.inline(from, from + part[0].trim().length)));
    }
    return found;
  }

  paragraph() {
    const first = this.lines[this.at].start;
    let last = this.lines[this.at++];
    while (this.at < this.lines.length && this.lines[this.at].text.trim() && !this.begins(this.lines[this.at].text)) last = this.lines[this.at++];
    return el("p", {}, this.inline(first, last.end));
  }

  begins(text) {
    return [FENCE, HEADING, RULE, QUOTE, ITEM].some((form) => form.test(text));
  }

  inline(start, end) {
    const nodes = [];
    let at = start;
    for (const found of this.text.slice(start, end).matchAll(INLINE)) {
      const from = start + found.index;
      const to = from + found[0].length;
      const mark = (found[1] ?? found[3] ?? "*").length;
      this.rich = true;
      nodes.push(...this.painter.paint(at, from), ...this.hide(from, from + mark));
      const inner = [from + mark, to - mark];
      if (found[1]) nodes.push(el("code", {}, this.painter.paint(...inner)));
      else nodes.push(el(found[3] ? "strong" : "em", {}, this.inline(...inner)));
      nodes.push(...this.hide(to - mark, to));
      at = to;
    }
    return [...nodes, ...this.painter.paint(at, end)];
  }
}
