"use strict";
// The report: every figure is counted from the rows that the filter lets through. Only what is in sight is drawn.
const data = JSON.parse(document.getElementById("data").textContent);
const HEIGHT = 44;
const NAMES = { p: "pass", f: "fail", r: "needs review", n: "not applicable", e: "not judged" };
const LOOKS = { p: "pass", f: "fail", r: "review", n: "none", e: "none" };
const at = (id) => document.getElementById(id);
const number = new Intl.NumberFormat("en");

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.filter((child) => child !== null));
  return node;
}
function drawn(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
function choose(select, entries) {
  select.replaceChildren(...entries.map(([value, text]) => make("option", { value }, text)));
}
const percent = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(1)}%` : "");

// What is looked for in a row: its id, and the evidence quoted from it where that was kept.
const searched = data.ids.map((id) => String(id).toLowerCase());
for (const [row, detail] of Object.entries(data.details)) {
  const quotes = detail.findings.flatMap((finding) => finding.evidence.map((quote) => quote.text));
  searched[row] += `\n${quotes.join("\n").toLowerCase()}`;
}
let shown = [];

// All rows in an order, sorted once: a filter then keeps it.
const orders = {};
function ordered(name) {
  if (orders[name]) return orders[name];
  const rows = data.ids.map((_, row) => row);
  const keys = name === "id" ? searched : data.scores.map((score) => (name === "best" ? -(score ?? -1) : score ?? 1001));
  if (name !== "row") rows.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
  return (orders[name] = rows);
}

function filter() {
  const text = at("search").value.trim().toLowerCase();
  const verdict = at("verdict").value;
  const criterion = at("criterion").value === "" ? null : data.criteria[at("criterion").value].verdicts;
  const outcome = at("outcome").value;
  const slice = data.slices[at("by").value];
  const value = at("value").value === "" ? null : Number(at("value").value);
  shown = [];
  for (const row of ordered(at("sort").value)) {
    if (verdict && data.verdicts[row] !== verdict) continue;
    if (criterion && (outcome ? criterion[row] !== outcome : criterion[row] === "n")) continue;
    if (slice && value !== null && slice.codes[row] !== value) continue;
    if (text && !searched[row].includes(text)) continue;
    shown.push(row);
  }
  at("count").textContent = `${number.format(shown.length)} of ${number.format(data.ids.length)} rows`;
  tell();
  at("list").scrollTop = 0;
  at("table").setAttribute("aria-rowcount", shown.length + 1);
  draw(true);
}

function tell() {
  const counts = { p: 0, f: 0, r: 0, e: 0 };
  const bins = Array.from({ length: 20 }, () => ({ p: 0, f: 0, r: 0 }));
  let sum = 0;
  for (const row of shown) {
    const verdict = data.verdicts[row];
    counts[verdict]++;
    if (verdict === "e") continue;
    sum += data.scores[row];
    bins[Math.min(19, Math.floor(data.scores[row] / 50))][verdict]++;
  }
  const judged = shown.length - counts.e;
  const tile = (name, value, small) => make("div", {}, make("dt", {}, name), make("dd", {}, value, " ", make("small", {}, small)));
  at("tiles").replaceChildren(
    tile("Mean score", judged ? (sum / judged / 10).toFixed(1) : "none", "of 100"),
    tile("Pass", number.format(counts.p), percent(counts.p, judged)),
    tile("Fail", number.format(counts.f), percent(counts.f, judged)),
    tile("Needs review", number.format(counts.r), percent(counts.r, judged)),
    tile("Not judged", number.format(counts.e), ""),
  );
  histogram(bins);
  criteria();
  slices();
}

function histogram(bins) {
  const most = Math.max(1, ...bins.map((bin) => bin.p + bin.f + bin.r));
  const picture = drawn("svg", { viewBox: "-6 0 538 190", role: "img", "aria-label": "Rows by score, in steps of 5, coloured by verdict. The same numbers are in the table below." });
  bins.forEach((bin, index) => {
    let top = 160;
    for (const verdict of ["f", "r", "p"]) {
      const height = (150 * bin[verdict]) / most;
      top -= height;
      if (height) picture.append(drawn("rect", { x: 10 + index * 25, y: top, width: 23, height, class: `bar-${LOOKS[verdict]}` }));
    }
  });
  picture.append(drawn("line", { x1: 8, x2: 512, y1: 160.5, y2: 160.5, class: "axis" }));
  for (const score of [0, 25, 50, 75, 100]) picture.append(drawn("text", { x: 10 + score * 5, y: 178, "text-anchor": "middle" }, String(score)));
  at("histogram").replaceChildren(picture);
  const rows = bins.map((bin, index) => [`${index * 5} to ${index * 5 + 5}`, bin.p, bin.f, bin.r]).filter((row) => row[1] + row[2] + row[3]);
  at("bins").replaceChildren(table(["Score", "Pass", "Fail", "Needs review"], rows));
}

function table(names, rows, first = (cell) => cell) {
  const head = make("thead", {}, make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name))));
  const cell = (value) => make("td", {}, value instanceof Node ? value : typeof value === "number" ? number.format(value) : value);
  const body = rows.map(([name, ...cells], index) => make("tr", {}, make("th", { scope: "row" }, first(name, index)), ...cells.map(cell)));
  return make("table", {}, head, make("tbody", {}, ...body));
}
function stack(counts, whole) {
  const bar = make("div", { class: "stack", "aria-hidden": "true" });
  for (const verdict of ["f", "r", "p", "n"]) {
    const part = make("span", { class: `bar-${LOOKS[verdict]}` });
    part.style.setProperty("flex", `${counts[verdict] ?? 0} 0 0`);
    bar.append(part);
  }
  return bar;
}
function button(text, act) {
  const node = make("button", { type: "button" }, text);
  node.addEventListener("click", act);
  return node;
}

function criteria() {
  const rows = data.criteria.map((criterion) => {
    const counts = { p: 0, f: 0, r: 0, n: 0 };
    for (const row of shown) if (criterion.verdicts[row] in counts) counts[criterion.verdicts[row]]++;
    return [criterion.title, counts.p, counts.f, counts.r, counts.n, stack(counts)];
  });
  const pick = (title, index) => button(title, () => {
    at("criterion").value = index;
    filter();
  });
  at("criteria").replaceChildren(table(["Criterion", "Pass", "Fail", "Needs review", "Not applicable", "Share"], rows, pick));
}

function slices() {
  const slice = data.slices[at("by").value];
  if (!slice) return;
  const found = slice.values.map((name, code) => ({ name, code, rows: 0, judged: 0, sum: 0, f: 0, r: 0 }));
  for (const row of shown) {
    const one = found[slice.codes[row]];
    if (!one) continue;
    one.rows++;
    if (data.scores[row] === null) continue;
    one.judged++;
    one.sum += data.scores[row];
    if (data.verdicts[row] in one) one[data.verdicts[row]]++;
  }
  const rows = found.filter((one) => one.rows).sort((a, b) => a.sum / a.judged - b.sum / b.judged);
  const cells = rows.map((one) => [one.name, one.rows, one.judged ? (one.sum / one.judged / 10).toFixed(1) : "", percent(one.f, one.judged), percent(one.r, one.judged)]);
  const pick = (name, index) => button(name, () => {
    at("value").value = rows[index].code;
    filter();
  });
  at("slices").replaceChildren(table([slice.name, "Rows", "Mean score", "Fail", "Needs review"], cells, pick));
}

// The rows: a tall empty box, in which only the lines in sight are.
let drawnFrom = -1;
function draw(again = false) {
  const list = at("list");
  const spacer = at("spacer");
  const first = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - 8);
  if (!again && first === drawnFrom) return;
  drawnFrom = first;
  spacer.style.setProperty("height", `${shown.length * HEIGHT}px`);
  const lines = [];
  for (let index = first; index < Math.min(shown.length, first + Math.ceil(list.clientHeight / HEIGHT) + 16); index++) lines.push(line(index));
  const focused = document.activeElement?.dataset?.row;
  spacer.replaceChildren(...lines);
  if (focused !== undefined) spacer.querySelector(`[data-row="${focused}"]`)?.focus({ preventScroll: true });
}
function line(index) {
  const row = shown[index];
  const verdict = data.verdicts[row];
  const failed = data.criteria.filter((criterion) => "fr".includes(criterion.verdicts[row])).map((criterion) => criterion.title);
  const open = button(String(data.ids[row]), () => tellRow(row));
  open.dataset.row = row;
  const node = make("div", { class: "line", role: "row", "aria-rowindex": index + 2 },
    make("span", { role: "cell" }, open),
    make("span", { role: "cell", class: LOOKS[verdict] }, NAMES[verdict]),
    make("span", { role: "cell", class: "number" }, data.scores[row] === null ? "" : (data.scores[row] / 10).toFixed(1)),
    make("span", { role: "cell" }, failed.join(", ")));
  node.style.setProperty("top", `${index * HEIGHT}px`);
  return node;
}

// Offsets count code points, so texts are taken apart into them.
function marked(text, spans) {
  const points = Array.from(text);
  const box = make("pre", { class: "text", tabindex: "0" });
  let done = 0;
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    if (span.end <= done || span.start >= points.length) continue;
    const start = Math.max(span.start, done);
    box.append(points.slice(done, start).join(""), make("mark", {}, points.slice(start, span.end).join("")));
    done = Math.min(span.end, points.length);
  }
  box.append(points.slice(done).join(""));
  return box;
}
function tellRow(row) {
  const detail = data.details[row];
  const score = data.scores[row] === null ? "" : `, ${(data.scores[row] / 10).toFixed(1)} of 100`;
  at("detail-title").textContent = `${data.ids[row]}: ${NAMES[data.verdicts[row]]}${score}`;
  const parts = [];
  if (data.errors[row]) parts.push(make("p", { class: "fail" }, data.errors[row]));
  if (detail) {
    parts.push(...detail.reasons.map((reason) => make("p", {}, reason)));
    const evidence = detail.findings.flatMap((finding) => finding.evidence);
    for (const [source, text] of Object.entries(detail.texts)) {
      const box = marked(text, evidence.filter((quote) => quote.source === source));
      box.setAttribute("aria-label", source);
      parts.push(make("h3", {}, source), box);
    }
    const items = detail.findings.map((finding) => make("li", {}, `${finding.severity}, ${finding.criterion}: ${finding.message} `, ...finding.evidence.flatMap((quote) => [make("q", {}, quote.text), " "])));
    if (items.length) parts.push(make("h3", {}, "Findings"), make("ul", { class: "findings" }, ...items));
  } else if (!data.errors[row]) {
    parts.push(make("p", { class: "dim" }, "The texts of this row are not in the report, only those of the lowest scores. They are in the results."));
  }
  const verdicts = data.criteria.map((criterion) => [criterion.title, NAMES[criterion.verdicts[row]] ?? ""]);
  if (data.verdicts[row] !== "e") parts.push(make("h3", {}, "Criteria"), make("div", { class: "scroll" }, table(["Criterion", "Verdict"], verdicts)));
  at("detail-body").replaceChildren(...parts);
  at("detail").showModal();
  at("detail").scrollTop = 0;
}

function values() {
  const slice = data.slices[at("by").value];
  choose(at("value"), [["", "any"], ...(slice ? slice.values.map((name, code) => [code, `${slice.name}: ${name}`]) : [])]);
}
function reset() {
  at("search").value = "";
  choose(at("verdict"), [["", "any"], ...["p", "f", "r", "e"].map((key) => [key, NAMES[key]])]);
  choose(at("criterion"), [["", "any"], ...data.criteria.map((criterion, index) => [index, criterion.title])]);
  choose(at("outcome"), [["", "any but not applicable"], ...["p", "f", "r", "n"].map((key) => [key, NAMES[key]])]);
  choose(at("sort"), [["worst", "lowest score"], ["best", "highest score"], ["row", "order of the input"], ["id", "id"]]);
  values();
  filter();
}
const { protocolVersion, protocolDigest, evaluatorVersion } = data.made_by;
at("made").textContent = `${number.format(data.ids.length)} rows. Protocol ${protocolVersion}, SHA-256 ${protocolDigest}, evaluator ${evaluatorVersion}.`;
at("kept").textContent = `Texts and evidence are kept for the ${number.format(Object.keys(data.details).length)} rows with the lowest scores.`;
at("legend").replaceChildren(...["p", "f", "r"].map((key) => make("li", {}, make("i", { class: `bar-${LOOKS[key]}` }), NAMES[key])));
choose(at("by"), data.slices.map((slice, index) => [index, slice.name]));
at("slices-section").hidden = at("value-label").hidden = !data.slices.length;
at("by").addEventListener("change", () => { values(); filter(); });
for (const id of ["verdict", "criterion", "outcome", "value", "sort"]) at(id).addEventListener("change", filter);
let waiting;
at("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 120); });
at("reset").addEventListener("click", reset);
at("close").addEventListener("click", () => at("detail").close());
at("list").addEventListener("scroll", () => requestAnimationFrame(() => draw()), { passive: true });
addEventListener("resize", () => draw(true));
reset();
document.documentElement.dataset.ready = "";
