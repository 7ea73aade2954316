// The boards after a number of turns, beside the dialogue: fetched once, the latest wish wins, no flicker.

import { api, get } from "../api.js";
import { zoom } from "../dialog.js";
import { h, put } from "../dom.js";
import { oneLine, visible } from "../format.js";
import { colourOf } from "../seat.js";

const KEPT = 60;

export function boardsPane({ run, episode, signal, seats }) {
  const kept = new Map();
  const place = h("div", { class: "boards", "aria-live": "off" }, h("p", { class: "soft small" }, "Drawing the board…"));
  const tabs = h("div", { class: "segments", role: "group", "aria-label": "Boards", hidden: true });
  const element = h("section", { class: "boards-pane", "aria-label": "Boards" }, tabs, place);
  let wanted = null, running = false, chosen = "all", shown = null;

  async function fetch_(turn) {
    if (kept.has(turn)) return kept.get(turn);
    const { panels } = await get(api("boards", run, episode, String(turn)), signal);
    const drawn = await Promise.all(panels.map(drawnPanel));
    kept.set(turn, drawn);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value);
    return drawn;
  }

  async function drawnPanel(panel) {
    if (!panel.url || !panel.width) return { ...panel, picture: null };
    const picture = new Image();
    picture.alt = visible(panel.words) || oneLine(panel.title) || "board";
    picture.src = panel.url;
    await picture.decode().catch(() => null);
    return { ...panel, picture };
  }

  async function run_() {
    running = true;
    while (wanted !== null) {
      const turn = wanted;
      wanted = null;
      try {
        const panels = await fetch_(turn);
        if (wanted === null) draw(panels);
      } catch (error) {
        if (error.name === "AbortError") break;
        if (!shown) put(place, h("p", { class: "soft small" }, `No board: ${oneLine(error.message)}`));
      }
    }
    running = false;
  }

  function draw(panels) {
    const names = panels.map((each, at) => oneLine(each.title) || `board ${at + 1}`);
    if (JSON.stringify(names) !== JSON.stringify(shown?.names ?? null)) {
      tabs.hidden = panels.length < 2;
      const choices = ["all", ...names.map((_, at) => String(at))];
      if (!choices.includes(chosen)) chosen = "all";
      put(tabs, choices.map((name) =>
        h("button", { type: "button", "aria-pressed": String(chosen === name), data: { name }, onclick: () => {
        chosen = name;
        for (const each of tabs.children) each.setAttribute("aria-pressed", String(each.dataset.name === chosen));
        draw(shown.panels);
      } }, h("span", { class: "clip" }, name === "all" ? "All" : names[Number(name)]))));
    }
    shown = { panels, names };
    const seen = panels.filter((_, at) => chosen === "all" || String(at) === chosen);
    place.classList.toggle("several", seen.length > 2);
    place.classList.toggle("pair", seen.length === 2);
    put(place, seen.length ? seen.map((panel) =>
      h("figure", { class: panel.seat ? colourOf(seats, panel.seat) : "",
      vars: { "--aspect": panel.width && panel.height ? (panel.width / panel.height).toFixed(3) : "1" } },
      panels.length > 1 || panel.title ? h("figcaption", { class: panel.seat ? "seat-name" : "" }, oneLine(panel.title)) : null,
      panel.picture
        ? h("button", { type: "button", class: "pictured", "aria-label": `Enlarge: ${oneLine(panel.title)}`,
          onclick: () => zoom(panel.url, visible(panel.words)) }, panel.picture)
        : h("pre", { class: "words" }, visible(panel.words)))) : h("p", { class: "soft small" }, "This game draws no board."));
  }

  return {
    element,
    show(turn) { wanted = turn; if (!running) run_(); },
  };
}
