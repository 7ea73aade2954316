// One entry of the dialogue: a turn with what the game said before it, private talk, a handoff.

import { h, put } from "../dom.js";
import { NONE, count, known, moment, money, oneLine, plural, span } from "../format.js";
import { colourOf, seatMark, shortAgent } from "../seat.js";
import { ENDS, heard, partsOf } from "./parts.js";
import { sentPlace } from "./sent.js";

/** Make the element of an entry. `tools` are {seats, run, episode, choose(turn), see(seat, turn)}. */
export function entryElement(entry, tools) {
  if (entry.kind === "handoff") return separator(entry, tools, ` hands over to `, "handoff");
  if (entry.kind === "changed") return separator(entry, tools, null, "by hand");
  if (entry.kind === "private") return privateTalk(entry, tools);
  return h("li", { class: `entry turn ${colourOf(tools.seats, entry.seat)} side-${sideOf(entry.seat, tools.seats)}`,
    data: { turn: entry.turn }, "aria-label": `Turn ${entry.turn}, ${entry.seat}` },
    prompts(entry.step, tools), saying(entry.step, tools, entry.turn));
}

/** With two seats they stand on two sides; with more, the left is for all. */
const sideOf = (seat, seats) => (seats.length === 2 && seats.indexOf(seat) === 1 ? "b" : "a");

function prompts(step, { seats }) {
  return (step.prompts ?? []).map((message) => {
    const to = heard(message.audience, seats, message.speaker);
    return h("div", { class: "prompt game-voice" },
      h("p", { class: "who" }, h("span", {}, GAME[message.speaker] ?? oneLine(message.speaker)),
        h("span", { class: "to" }, oneLine(to))),
      partsOf(message.parts, { fold: 700 }));
  });
}
const GAME = { user: "game", environment: "game", system: "game, as system prompt" };

function saying(step, tools, turn) {
  const details = h("div", { class: "details", hidden: true });
  const tokens = (step.usage?.input_tokens ?? 0) + (step.usage?.output_tokens ?? 0);
  const facts = [tokens ? `${count(tokens)} tok` : "", known(step.latency) && step.latency > 0 ? span(step.latency)
    : ""].filter(Boolean).join(" · ");
  const more = h("button", { type: "button", class: "quiet slim facts", "aria-expanded": "false",
    "aria-label": `Details of ${turn ? `turn ${turn}` : "this"}`, onclick: () => {
    details.hidden = !details.hidden;
    more.setAttribute("aria-expanded", String(!details.hidden));
    if (!details.hidden && !details.firstChild) put(details, detailsOf(step, tools, turn));
  } }, facts || "details", h("span", { class: "caret", "aria-hidden": "true" }, "▾"));
  const voice = step.voice && step.voice !== step.seat ? step.voice : step.seat;
  return h("div", { class: `bubble ${step.finish && ENDS[step.finish] ? "cut" : ""}` },
    h("div", { class: "who" },
      seatMark(tools.seats, step.seat), h("span", { class: "seat-name" }, oneLine(voice)),
      h("span", { class: "agent clip", title: oneLine(step.agent) }, shortAgent(step.agent)),
      h("span", { class: "to" }, oneLine(heard(step.said_to, tools.seats, step.seat))),
      flags(step).map(([words, kind]) => h("span", { class: `badge ${kind}` }, words)),
      h("span", { class: "grow" }), more,
      turn ? h("button", { type: "button", class: "quiet slim turn-number", title: "Show the board after this turn",
        onclick: () => tools.choose(turn) }, `#${turn}`) : null),
    partsOf(step.parts), details);
}

function flags(step) {
  return [
    ENDS[step.finish] ? [ENDS[step.finish], "error"] : null,
    step.copied_from ? [`frozen, from ${oneLine(step.copied_from)}`, "playing"] : null,
    step.cached ? ["from the cache", ""] : null,
    step.unverified ? ["usage not verified", "warn"] : null,
  ].filter(Boolean);
}

function detailsOf(step, tools, turn) {
  const usage = step.usage ?? {};
  const facts = [
    ["agent", oneLine(step.agent)], ["model", oneLine(step.model) || NONE], ["provider", oneLine(step.provider) || NONE],
    ["read", plural(usage.input_tokens ?? 0, "token") + (usage.cached_tokens ? `, ${count(usage.cached_tokens)} of them cached`
      : "")],
    ["written", plural(usage.output_tokens ?? 0, "token") + (usage.reasoning_tokens
      ? `, ${count(usage.reasoning_tokens)} of them thinking` : "")],
    ["latency", span(step.latency)], ["cost", money(step.cost)], ["finish", ENDS[step.finish] ?? step.finish ?? NONE],
    ["said", moment(step.at)], ["log entry", String(step.n)],
  ];
  const place = h("div");
  return [
    h("dl", { class: "facts-list" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    step.sent ? h("p", { class: "tiny soft" }, "sent: ", h("code", {}, step.sent)) : null,
    h("p", { class: "row" },
      h("button", { type: "button", class: "slim", onclick: () => put(place, sentPlace(tools, step.n)) }, "What was sent"),
      turn ? h("button", { type: "button", class: "slim", onclick: () => tools.see(step.seat, turn - 1) },
        `What ${oneLine(step.seat)} saw`) : null),
    place,
  ];
}

function separator(entry, tools, verb, kind) {
  return h("li", { class: `entry handoff ${colourOf(tools.seats, entry.seat)}` }, h("span", {},
    seatMark(tools.seats, entry.seat), h("strong", { class: "seat-name" }, oneLine(entry.seat)), " ",
    verb ? [h("span", {}, shortAgent(entry.before)), verb, h("span", {}, shortAgent(entry.agent))]
      : ["is given to ", h("span", {}, shortAgent(entry.agent))],
    h("span", { class: "chip" }, kind)));
}

const KINDS = { question: "asks", answer: "answers", summary: "leaves to its successor" };

function privateTalk(entry, tools) {
  const list = h("ol", { class: "private-list" });
  const words = h("span");
  const element = h("li", { class: `entry private ${colourOf(tools.seats, entry.seat)} side-${sideOf(entry.seat, tools.seats)}` },
    h("details", { ontoggle: fill }, h("summary", {}, words), list));
  let shown = 0;
  function fill() {
    const what = entry.steps.every((step) => step.aside_kind === "summary")
      ? ["summary for a successor", "summaries for successors"] : ["private message"];
    words.textContent = `${plural(entry.steps.length, ...what)} behind ${oneLine(entry.seat)}`;
    if (!element.querySelector("details").open) return;
    for (const step of entry.steps.slice(shown)) {
      list.append(h("li", {}, h("p", { class: "tiny soft" },
        `${oneLine(step.voice || step.seat)} ${KINDS[step.aside_kind] ?? "says"}`), saying(step, tools, 0)));
    }
    shown = entry.steps.length;
  }
  fill();
  element.grow = fill;
  return element;
}
