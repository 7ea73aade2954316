// How far a run is: a bar of its outcomes, and what it has spent of its budget.

import { h } from "./dom.js";
import { brief, count, known, money, plural } from "./format.js";
import { badge } from "./seat.js";

const ORDER = ["solved", "failed", "aborted", "crashed", "error", "budget"];

export function outcomeBar(outcomes, total, playing = 0) {
  const parts = [...ORDER.filter((name) => outcomes[name]).map((name) => [name, outcomes[name]]),
    ...(playing ? [["playing", playing]] : [])];
  const words = parts.map(([name, n]) => `${n} ${name}`).join(", ") || "nothing yet";
  return h("div", { class: "bar", role: "img", "aria-label": `Of ${total || "all"}: ${words}`, title: words },
    parts.map(([name, n]) => h("span", { class: name, vars: { "--share": String(Math.min(1, n / Math.max(1, total))) } })));
}

export const outcomeBadges = (outcomes) => ORDER.filter((name) => outcomes[name]).map((name) =>
  badge(name, `${name} ${count(outcomes[name])}`));

/** Spent of a budget, where there is one; else what has been spent. */
export function spending(run) {
  return [
    spent("tokens", run.tokens, run.budget_tokens, brief),
    spent("cost", run.cost, run.budget_usd, money),
  ];
}

function spent(name, used, budget, format) {
  if (!known(budget)) return h("div", {}, h("dt", {}, name), h("dd", {}, format(used)));
  const share = Math.min(1, (used ?? 0) / budget);
  return h("div", {}, h("dt", {}, name), h("dd", {}, `${format(used)} of ${format(budget)}`,
    h("div", { class: "bar thin", role: "img", "aria-label": `${Math.round(share * 100)} % of the budget` },
      h("span", { class: share > 0.9 ? "error" : share > 0.75 ? "warn" : "", vars: { "--share": String(share) } }))));
}

export function progressWords(run) {
  const done = `${count(run.ended)} of ${run.total ? count(run.total) : "?"}`;
  return run.playing ? `${done}, ${plural(run.playing, "episode")} playing` : done;
}
