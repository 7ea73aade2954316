// Tables that can be sorted by their heads, and stay quick when they are long.

import { h, put } from "./dom.js";

const AT_FIRST = 200;
const natural = new Intl.Collator("en", { numeric: true });

/**
 * `columns` are {name, label, num?, value(row), cell?(row), head?}: `value` sorts, `cell` is shown (else the value).
 * Returns {element, show(rows)}.
 */
export function sortable({ label, columns, sort = null }) {
  let rows = [], limit = AT_FIRST, [by, down] = sort ?? [null, false];
  const body = h("tbody");
  const more = h("button", { type: "button", class: "quiet slim", hidden: true, onclick: () => { limit = Infinity; draw(); } });
  const heads = columns.map((column) => h("th", { scope: "col", class: column.num ? "num" : "" },
    column.value ? h("button", { type: "button", class: "sort",
      onclick: () => { down = by === column.name ? !down : Boolean(column.num); by = column.name; draw(); } }, column.label)
      : h("span", { class: "unseen" }, column.label)));
  const element = h("div", { class: "stack" }, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    h("table", {}, h("thead", {}, h("tr", {}, heads)), body)), more);

  function draw() {
    columns.forEach((column, at) => {
      if (column.name === by) heads[at].setAttribute("aria-sort", down ? "descending" : "ascending");
      else heads[at].removeAttribute("aria-sort");
    });
    const column = columns.find((each) => each.name === by);
    const ordered = column ? [...rows].sort((a, b) => compare(column.value(a), column.value(b), down)) : rows;
    put(body, ordered.slice(0, limit).map((row) => h("tr", {}, columns.map((each, at) => {
      const cell = each.cell ? each.cell(row) : each.value(row);
      return at === 0 ? h("th", { scope: "row" }, cell) : h("td", { class: each.num ? "num" : each.kind ?? "" }, cell);
    }))));
    more.hidden = rows.length <= limit;
    more.textContent = `Show all ${rows.length}`;
  }
  return { element, show(next) { rows = next; draw(); } };
}

/** What is not known comes last, whichever way it is sorted. */
function compare(a, b, down) {
  const none = (value) => value === null || value === undefined || value === "";
  if (none(a) || none(b)) return none(a) - none(b);
  const order = typeof a === "number" && typeof b === "number" ? a - b : natural.compare(String(a), String(b));
  return down ? -order : order;
}
