// Draws a line from the words of a response to the words of the source that the same finding quotes.

import { svg } from "./elements.js";

/** Return what draws the lines of the findings given by id; without ids it draws the first finding that has both sides. */
export function drawLines(view) {
  const reading = view.querySelector(".reading.sourced");
  if (!reading) return () => {};
  const layer = svg("svg", { class: "lines", "aria-hidden": "true" });
  reading.append(layer);
  let shown = [];
  const marks = () => [...reading.querySelectorAll("mark")];
  const idsOf = (mark) => mark.dataset.findings.split(" ");
  const draw = () => {
    const frame = reading.getBoundingClientRect();
    layer.replaceChildren(...(shown.length ? shown : first(marks(), idsOf)).flatMap((id) => {
      const own = marks().filter((mark) => idsOf(mark).includes(id));
      const from = own.find((mark) => mark.dataset.source === "response");
      if (!from) return [];
      return own.filter((mark) => mark.dataset.source !== "response").map((to) => path(from, to, frame)).filter(Boolean);
    }));
  };
  reading.addEventListener("scroll", draw, true);
  new ResizeObserver(draw).observe(reading);
  return (ids) => {
    shown = ids;
    draw();
  };
}

function first(marks, idsOf) {
  const sides = new Map();
  for (const mark of marks) for (const id of idsOf(mark)) sides.set(id, new Set([...(sides.get(id) ?? []), mark.dataset.source]));
  const found = [...sides].find(([, from]) => from.has("response") && from.size > 1);
  return found ? [found[0]] : [];
}

function path(from, to, frame) {
  const [one, other] = [place(from), place(to)];
  if (!one || !other) return null;
  // Between the lines of text, never through them: under the words, and up or down in the gap between the boxes.
  const [y1, y2] = [one.bottom + 3 - frame.top, other.bottom + 3 - frame.top];
  if (other.left < one.right) {
    const [x1, x2] = [one.left + 8 - frame.left, other.left + 8 - frame.left];
    return svg("path", { d: `M ${x1} ${y1} C ${x1} ${(y1 + y2) / 2}, ${x2} ${(y1 + y2) / 2}, ${x2} ${other.top - frame.top}` });
  }
  const gap = (from.closest(".text").getBoundingClientRect().right + to.closest(".text").getBoundingClientRect().left) / 2 - frame.left;
  return svg("path", { d: `M ${one.right - frame.left} ${y1} H ${gap} V ${y2} H ${other.left - frame.left}` });
}

/** Where a mark is, or null where it is scrolled out of its box. */
function place(mark) {
  const rects = mark.getClientRects();
  const rect = rects[rects.length - 1];
  const box = mark.closest(".text").getBoundingClientRect();
  return rect && rect.top >= box.top - 2 && rect.bottom <= box.bottom + 2 ? rect : null;
}
