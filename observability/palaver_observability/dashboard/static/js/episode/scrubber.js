// Goes through the turns: a slider with a tick for each turn in its seat's colour, and buttons.

import { h, put, s, write } from "../dom.js";
import { colourOf } from "../seat.js";

const STEP_MS = 900;

export function scrubber(story, onchoose) {
  const range = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Turn",
    oninput: () => go(Number(range.value)) });
  const ticks = s("svg", { class: "ticks", preserveAspectRatio: "none", "aria-hidden": "true" });
  const label = h("output", { class: "small" });
  const button = (sign, name, act) =>
    h("button", { type: "button", class: "icon quiet", "aria-label": name, title: name, onclick: act }, sign);
  const toggle = () => play(!timer);
  const playing = button("▶", "Play", toggle);
  let total = 0, turn = 0, timer = 0, drawn = 0;

  const element = h("div", { class: "scrubber" },
    h("div", { class: "track" }, ticks, range),
    h("div", { class: "row controls" },
      button("⇤", "To the beginning (Home)", () => go(0)), button("←", "One turn back (←)", () => go(turn - 1)), playing,
      button("→", "One turn on (→)", () => go(turn + 1)), button("⇥", "To the end (End)", () => go(total)),
        h("span", { class: "grow" }), label));

  function go(to) {
    const next = Math.min(total, Math.max(0, to));
    if (next !== turn) { set(next); onchoose(next); }
  }
  function play(on) {
    clearInterval(timer);
    timer = 0;
    if (on) {
      if (turn >= total) go(0);
      timer = setInterval(() => { if (turn >= total) play(false); else go(turn + 1); }, STEP_MS);
    }
    playing.textContent = on ? "‖" : "▶";
    playing.setAttribute("aria-label", on ? "Pause" : "Play");
  }
  function set(to) {
    turn = to;
    range.value = String(to);
    const who = to ? story.turns[to - 1]?.seat : null;
    range.setAttribute("aria-valuetext", to ? `turn ${to} of ${total}, ${who}` : "before the first turn");
    write(label, to ? `turn ${to} of ${total}` : `start, ${total} turns`);
    range.style.setProperty("--at", total ? to / total : 0);
  }
  return {
    element, go, set, play, toggle,
    get turn() { return turn; },
    grow() {
      total = story.turns.length;
      range.max = String(total);
      ticks.setAttribute("viewBox", `0 0 ${Math.max(1, total)} 1`);
      if (drawn > total) { drawn = 0; put(ticks); }
      for (; drawn < total; drawn += 1) {
        ticks.append(s("rect", { x: drawn + 0.08, y: 0, width: 0.84, height: 1,
          class: `tick ${colourOf(story.seats, story.turns[drawn].seat)}` }));
      }
      set(Math.min(turn, total));
    },
    leave() { clearInterval(timer); },
  };
}
