// A run's results: a table of pairings with their intervals, and a heat map where rows allow for one.

import { h, put } from "../dom.js";
import { brief, count, known, money, oneLine, score, span } from "../format.js";
import { outcomeBar } from "../progress.js";
import { shortAgent } from "../seat.js";
import { sortable } from "../table.js";
import { heatMap, scaleOf, whisker } from "./plots.js";
import { isRelay, relayCurves } from "./relays.js";

export const pairing = (agents) => agents.join(" + ");
const shortPairing = (agents) => ([...new Set(agents)].length === 1 && agents.length > 1
  ? `${shortAgent(agents[0])} ×${agents.length}` : agents.map(shortAgent).join(" + "));

/** Names of the measures, the one that the game leads with first. */
export function measures(rows, primary) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row.scores ?? {})))];
  return primary && names.includes(primary) ? [primary, ...names.filter((name) => name !== primary)] : names;
}

export function resultTables(result) {
  const rows = [...(result.rows ?? []), ...(result.overall ?? [])];
  const names = measures(rows, result.primary);
  if (!rows.length || !names.length) return h("p", { class: "soft" }, "No episode has been played to an end yet.");
  const place = h("div", { class: "stack" });
  const select = h("select", { "aria-label": "Measure", onchange: () => draw(select.value) },
    names.map((name) => h("option", { value: name }, oneLine(name))));

  function draw(measure) {
    const scale = scaleOf(rows.map((row) => row.scores[measure]));
    const table = sortable({ label: `Results: ${measure}`, columns: [
      { name: "agents", label: "Agents", value: (row) => pairing(row.agents),
        cell: (row) => h("span", { title: oneLine(pairing(row.agents)) }, shortPairing(row.agents)) },
      { name: "variant", label: "Variant", value: (row) => row.variant,
        cell: (row) => (row.variant === "overall" ? h("strong", {}, "overall") : oneLine(row.variant)) },
      { name: "mean", label: oneLine(measure), num: true, value: (row) => row.scores[measure]?.mean,
        cell: (row) => h("strong", {}, score(row.scores[measure]?.mean)) },
      { name: "interval", label: "95 % interval", value: (row) => row.scores[measure]?.ci_low,
        cell: (row) => whisker(row.scores[measure], scale) },
      { name: "n", label: "n", num: true, value: (row) => row.scores[measure]?.n ?? row.n,
        cell: (row) => count(row.scores[measure]?.n ?? row.n) },
      { name: "outcomes", label: "Outcomes", kind: "outcomes-cell",
        value: (row) => (row.outcomes?.solved ?? 0) / Math.max(1, total(row.outcomes)),
        cell: (row) => outcomeBar(row.outcomes ?? {}, total(row.outcomes)) },
      { name: "turns", label: "Turns", num: true, value: (row) => row.turns, cell: (row) => brief(row.turns) },
      { name: "tokens", label: "Tokens", num: true, value: tokens, cell: (row) => brief(tokens(row)) },
      { name: "latency", label: "Model time", num: true, value: (row) => row.latency_s,
        cell: (row) => (known(row.latency_s) && row.latency_s > 0 ? span(row.latency_s) : "–") },
      { name: "cost", label: "Cost", num: true, value: (row) => row.cost_usd, cell: (row) => money(row.cost_usd) },
    ] });
    table.show(rows);
    const plain = (result.rows ?? []).filter((row) => !isRelay(row));
    put(place, table.element, heat(plain, measure), relayCurves(result.rows ?? [], measure));
  }
  draw(names[0]);
  return h("div", { class: "stack" }, names.length > 1 ? h("label", { class: "field" }, "Measure", select) : null, place);
}

const total = (outcomes) => Object.values(outcomes ?? {}).reduce((sum, n) => sum + n, 0);
// thinking is part of what was written
const tokens = ({ tokens: { input = 0, output = 0 } = {} }) => input + output;

/** Agents against agents where two seats were filled by several; else pairings against variants. */
export function heat(rows, measure) {
  const variants = [...new Set(rows.map((row) => row.variant))];
  const pairs = rows.filter((row) => row.agents.length === 2);
  const first = [...new Set(pairs.map((row) => row.agents[0]))], second = [...new Set(pairs.map((row) => row.agents[1]))];
  if (first.length > 1 && second.length > 1) {
    const cell = (a, b) => mean(pairs.filter((row) => row.agents[0] === a
      && row.agents[1] === b).map((row) => row.scores[measure]));
    return heatMap({ caption: `${measure}: first seat (rows) with second seat (columns)`, rows: first, columns: second, cell,
      label: shortAgent });
  }
  const agents = [...new Set(rows.map((row) => pairing(row.agents)))];
  if (variants.length < 2 || agents.length < 2) return null;
  return heatMap({ caption: `${measure}: agents and variants`, rows: agents, columns: variants,
    label: (name) => (agents.includes(name) ? name.split(" + ").map(shortAgent).join(" + ") : oneLine(name)),
    cell: (who, variant) => rows.find((row) => pairing(row.agents) === who && row.variant === variant)?.scores[measure] });
}

function mean(estimates) {
  const seen = estimates.filter((each) => known(each?.mean));
  if (!seen.length) return null;
  return { mean: seen.reduce((sum, each) => sum + each.mean, 0) / seen.length, n: seen.reduce((sum, each) => sum + each.n, 0) };
}
