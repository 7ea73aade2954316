// Drawings of results: a dot with its interval, and a heat map. Built of elements, coloured by the style sheet.

import { h, s } from "../dom.js";
import { count, known, oneLine, score } from "../format.js";

const WIDE = 168;
const PAD = 7;

/**
 * The scale that holds all estimates. Intervals reach beyond what a share can be: where means lie in 0 to 1, so does
 * the scale.
 */
export function scaleOf(estimates) {
  const means = estimates.map((each) => each?.mean).filter(known);
  const ends = estimates.flatMap((each) => [each?.mean, each?.ci_low, each?.ci_high]).filter(known);
  const low = Math.min(...means) < 0 ? Math.min(...ends) : 0;
  const high = Math.max(...means) <= 1 ? 1 : Math.max(...means) === 100 ? 100 : Math.max(1, ...ends);
  return { low, high, at: (value) =>
    PAD + ((Math.min(high, Math.max(low, value)) - low) / (high - low || 1)) * (WIDE - 2 * PAD) };
}

/** A mean and its 95 % interval. */
export function whisker(estimate, scale) {
  if (!known(estimate?.mean)) return h("span", { class: "soft" }, "–");
  const words = known(estimate.ci_low)
    ? `${score(estimate.mean)}, 95 % interval ${score(estimate.ci_low)} to ${score(estimate.ci_high)}, n ${count(estimate.n)}`
    : `${score(estimate.mean)}, n ${count(estimate.n)}`;
  return s("svg", { class: "whisker", width: WIDE, height: 22, viewBox: `0 0 ${WIDE} 22`, role: "img", "aria-label": words },
    s("title", {}, words),
    s("line", { class: "axis", x1: scale.at(scale.low), x2: scale.at(scale.high), y1: 11, y2: 11 }),
    [scale.low, (scale.low + scale.high) / 2, scale.high].map((value) =>
      s("line", { class: "axis", x1: scale.at(value), x2: scale.at(value), y1: 8, y2: 14 })),
    known(estimate.ci_low) ? s("line", { class: "interval", x1: scale.at(estimate.ci_low), x2: scale.at(estimate.ci_high),
      y1: 11, y2: 11 }) : null,
    s("circle", { class: "dot", cx: scale.at(estimate.mean), cy: 11, r: 4.5 }));
}

/** A table whose cells are shaded by their value. `cell(row, column)` gives an estimate or nothing. */
export function heatMap({ caption, rows, columns, cell, label = (name) => name }) {
  const values = rows.flatMap((row) => columns.map((column) => cell(row, column)?.mean)).filter(known);
  if (values.length < 2) return null;
  const low = Math.min(...values), high = Math.max(...values);
  const from = low >= 0 && high <= 1 ? 0 : low, to = low >= 0 && high <= 1 ? 1 : high;
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", { class: "heat" }, h("caption", {}, caption),
    h("thead", {}, h("tr", {}, h("td"),
      columns.map((column) => h("th", { scope: "col", title: oneLine(column) }, label(column))))),
    h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row", title: oneLine(row) }, label(row)),
      columns.map((column) => {
      const estimate = cell(row, column);
      if (!known(estimate?.mean)) return h("td", { class: "none" }, "–");
      const share = to > from ? (estimate.mean - from) / (to - from) : 0.5;
      return h("td", { class: share > 0.55 ? "dense" : "", vars: { "--heat": `${Math.round(6 + share * 84)}%` },
        title: `n ${estimate.n}` }, score(estimate.mean));
    }))))));
}
