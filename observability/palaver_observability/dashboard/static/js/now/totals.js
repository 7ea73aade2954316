// The strip of figures above the cards.

import { h, put, write } from "../dom.js";
import { brief, count, money } from "../format.js";
import { badge } from "../seat.js";

const FIGURES = [
  ["running", "running", count], ["turns_per_min", "turns/min", brief], ["tokens_per_min", "tokens/min", brief],
  ["turns", "turns", brief], ["tokens", "tokens", brief], ["cost", "cost", money], ["ended", "ended", count],
];

export function totalsStrip() {
  const places = FIGURES.map(([name, label, format]) => {
    const value = h("dd");
    return { name, format, value, element: h("div", { class: "figure" }, value, h("dt", {}, label)) };
  });
  const outcomes = h("dd", { class: "row" });
  const element = h("dl", { class: "totals", "aria-label": "In sum" }, places.map((each) => each.element),
    h("div", { class: "figure outcomes" }, outcomes, h("dt", {}, "outcomes")));
  let shown = "";
  return {
    element,
    show(totals) {
      for (const { name, format, value } of places) write(value, format(totals[name]));
      const now = JSON.stringify(totals.outcomes ?? {});
      if (now === shown) return;
      shown = now;
      const said = Object.entries(totals.outcomes ?? {}).filter(([, n]) => n);
      put(outcomes, said.length ? said.map(([name, n]) => badge(name, `${name} ${count(n)}`))
        : h("span", { class: "soft" }, "none yet"));
    },
  };
}
