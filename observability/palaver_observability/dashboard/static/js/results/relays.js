// Relay curves: what a pairing comes to by the turn at which one agent of a seat gives way to the next.

import { h, s } from "../dom.js";
import { count, known, oneLine, score } from "../format.js";
import { shortAgent } from "../seat.js";
import { scaleOf } from "./plots.js";

const RELAY = /^(?<first>[^@]+)@(?<turn>\d+)>(?<second>[^@]+)$/;
const WIDE = 460, HIGH = 230, LEFT = 40, RIGHT = 12, TOP = 12, BOTTOM = 34;
const COLOURS = 8;

/** Whether a pairing has a relay in it: heat maps leave those to the curves. */
export const isRelay = (row) => row.agents.some((agent) => agent.includes(">"));

/** A figure, or null where no relay was played at two turns or more. */
export function relayCurves(rows, measure) {
  const curves = [...gather(rows, measure).values()].filter((each) => each.points.length > 1);
  if (!curves.length) return null;
  const estimates = curves.flatMap((each) => [...each.points.map((point) => point.estimate), ...each.ends.map((end) => end.estimate)]);
  const scale = scaleOf(estimates);
  const turns = [...new Set(curves.flatMap((each) => each.points.map((point) => point.turn)))].sort((a, b) => a - b);
  const x = (turn) => LEFT + ((turn - turns[0]) / (turns.at(-1) - turns[0] || 1)) * (WIDE - LEFT - RIGHT);
  const y = (value) => HIGH - BOTTOM - ((Math.min(scale.high, Math.max(scale.low, value)) - scale.low) / (scale.high - scale.low || 1)) * (HIGH - TOP - BOTTOM);
  const words = `${oneLine(measure)} by the turn of the handoff: ${curves.map((each) => `${each.name}: ${each.points.map((point) =>
    `${score(point.estimate.mean)} at ${point.turn}`).join(", ")}`).join("; ")}`;
  return h("figure", { class: "relays" }, h("figcaption", {}, `${oneLine(measure)} by the turn at which the second agent takes over`),
    s("svg", { width: WIDE, height: HIGH, viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": words },
      s("title", {}, words), axes(scale, turns, x, y), curves.map((each, at) => curve(each, at, x, y))),
    h("ul", { class: "legend" }, curves.map((each, at) => h("li", { class: `s${at % COLOURS}` },
      h("span", { class: "swatch" }), each.name,
      h("span", { class: "soft small" }, each.ends.map((end) => ` · ${end.name} ${score(end.estimate.mean)}`))))));
}

function gather(rows, measure) {
  const found = new Map();
  for (const row of rows) {
    const at = row.agents.findIndex((agent) => RELAY.test(agent));
    const estimate = row.scores?.[measure];
    if (at < 0 || !known(estimate?.mean)) continue;
    const { first, turn, second } = RELAY.exec(row.agents[at]).groups;
    const others = row.agents.filter((_, seat) => seat !== at);
    const key = JSON.stringify([row.variant, at, first, second, others]);
    if (!found.has(key)) {
      const alone = (agent) => {
        const whole = row.agents.map((each, seat) => (seat === at ? agent : each));
        const like = rows.find((each) => each.variant === row.variant && each.agents.join() === whole.join())?.scores?.[measure];
        return known(like?.mean) ? [{ name: `${shortAgent(agent)} throughout`, estimate: like }] : [];
      };
      const partners = others.length ? ` with ${[...new Set(others)].map(shortAgent).join(", ")}` : "";
      found.set(key, { name: `${shortAgent(first)} › ${shortAgent(second)}${partners}`, points: [], ends: [...alone(first), ...alone(second)] });
    }
    found.get(key).points.push({ turn: Number(turn), estimate });
  }
  for (const each of found.values()) each.points.sort((a, b) => a.turn - b.turn);
  return found;
}

function axes(scale, turns, x, y) {
  const middle = (scale.low + scale.high) / 2;
  return [
    [scale.low, middle, scale.high].map((value) => [
      s("line", { class: "grid", x1: LEFT, x2: WIDE - RIGHT, y1: y(value), y2: y(value) }),
      s("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, score(value)),
    ]),
    turns.map((turn) => s("text", { x: x(turn), y: HIGH - BOTTOM + 18, "text-anchor": "middle" }, count(turn))),
  ];
}

function curve({ points, ends, name }, at, x, y) {
  const line = points.map((point) => `${x(point.turn)},${y(point.estimate.mean)}`).join(" ");
  return s("g", { class: `s${at % COLOURS}` },
    ends.map(({ estimate }) => s("line", { class: "end", x1: LEFT, x2: WIDE - RIGHT, y1: y(estimate.mean), y2: y(estimate.mean) })),
    points.map(({ turn, estimate }) => (known(estimate.ci_low)
      ? s("line", { class: "interval", x1: x(turn), x2: x(turn), y1: y(estimate.ci_low), y2: y(estimate.ci_high) }) : null)),
    s("polyline", { class: "curve", points: line }),
    points.map(({ turn, estimate }) => s("circle", { class: "dot", cx: x(turn), cy: y(estimate.mean), r: 4 },
      s("title", {}, `${name}, turn ${turn}: ${score(estimate.mean)}, n ${count(estimate.n)}`))));
}
