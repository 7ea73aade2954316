// Seats: a colour and a letter that stay the same on every page, and who fills them.

import { h } from "./dom.js";
import { agentName, oneLine } from "./format.js";

export const COLOURS = 8;

/** Which colour a seat has: its place among the seats of its episode. */
export const colourOf = (seats, seat) => {
  const at = seats.indexOf(seat);
  return at < 0 ? "game-voice" : `s${at % COLOURS}`;
};

/** One letter, or a number: `agent_2` is 2, `solver` is S. */
export function letterOf(seats, seat) {
  const name = String(seat);
  const number = name.match(/\d+$/)?.[0];
  if (number && number.length < 3) return number;
  const first = name[0]?.toUpperCase() ?? "?";
  const twins = seats.filter((each) => each[0]?.toUpperCase() === first);
  return twins.length > 1 ? String(seats.indexOf(seat) + 1) : first;
}

export function seatMark(seats, seat, more = "") {
  return h("span", { class: `seat-mark ${colourOf(seats, seat)} ${more}`, "aria-hidden": "true" }, letterOf(seats, seat));
}

export const isHuman = (agent) => String(agent).split(/[@>]/)[0] === "human" || /(^|>)human$/.test(String(agent));

/** A relay is written `A@4>B`; a team stays one. */
export const shortAgent = (agent) => oneLine(agent).split(">").map(agentName).join(" › ");

const SIGNS = { solved: "✓", failed: "✗", aborted: "!", error: "✕", budget: "$", crashed: "✕", paused: "‖", done: "✓",
  cancelled: "✕" };

export function badge(name, words = name) {
  const known = /^[a-z]+$/.test(String(name)) ? name : "";
  const sign = SIGNS[known];
  return h("span", { class: `badge ${known}` }, sign ? h("span", { "aria-hidden": "true" }, sign) : null, oneLine(words));
}
