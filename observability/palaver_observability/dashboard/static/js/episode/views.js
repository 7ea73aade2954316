// What every chosen seat saw, side by side; what only one of them saw is marked.

import { api, get } from "../api.js";
import { h, put } from "../dom.js";
import { oneLine } from "../format.js";
import { noticeOf } from "../notice.js";
import { colourOf, seatMark, shortAgent } from "../seat.js";
import { heard, partsOf } from "./parts.js";

const WAIT_MS = 150;

export function viewsPane({ run, episode, signal, seats }, chosen, onchosen) {
  const columns = h("div", { class: "views" });
  const boxes = seats.map((seat) => {
    const box = h("input", { type: "checkbox", checked: chosen.has(seat),
      onchange: () => { if (box.checked) chosen.add(seat); else chosen.delete(seat); onchosen(); again(); } });
    box.dataset.seat = seat;
    return h("label", { class: `check ${colourOf(seats, seat)}` }, box, seatMark(seats, seat),
      h("span", { class: "seat-name" }, oneLine(seat)));
  });
  const element = h("div", { class: "stack" },
    h("div", { class: "row views-choice" }, boxes, h("span", { class: "grow" }),
      h("span", { class: "small soft" }, h("mark", { class: "only-mark" }, "marked"), " what only this seat saw")), columns);
  let turn = 0, asked = 0, timer = 0;

  async function load() {
    const mine = ++asked;
    const wanted = seats.filter((seat) => chosen.has(seat));
    const views = await Promise.all(wanted.map((seat) =>
      get(`${api("episode", run, episode, "view")}?${new URLSearchParams({ seat, turn: String(turn) })}`,
      signal).catch((error) => ({ seat, error }))));
    if (mine !== asked || signal.aborted) return;
    const counts = new Map();
    const name = (message) => JSON.stringify([message.speaker, message.parts.map((part) => part.text ?? part.sha256)]);
    for (const view of views) for (const each of new Set((view.messages ?? []).map(name))) counts.set(each,
      (counts.get(each) ?? 0) + 1);
    columns.style.setProperty("--seats", Math.max(1, views.length));
    put(columns, views.length ? views.map((view) => column(view, seats,
      (message) => views.length > 1 && counts.get(name(message)) === 1)) : h("p", { class: "soft" }, "Choose a seat."));
  }
  const again = () => { clearTimeout(timer); timer = setTimeout(load, WAIT_MS); };
  return {
    element,
    show(next) { if (next !== turn || !asked) { turn = next; again(); } },
    choose(seat) { for (const each of element.querySelectorAll("input")) { each.checked = each.dataset.seat === seat
      || each.checked; } chosen.add(seat); onchosen(); again(); },
  };
}

function column(view, seats, isOnly) {
  const head = h("header", {}, seatMark(seats, view.seat), h("strong", { class: "seat-name" }, oneLine(view.seat)),
    view.agent ? h("span", { class: "soft small clip" }, shortAgent(view.agent)) : null);
  if (view.error) return h("section", { class: `view ${colourOf(seats, view.seat)}` }, head, noticeOf(view.error));
  return h("section", { class: `view ${colourOf(seats, view.seat)}`, "aria-label": `What ${view.seat} saw` }, head,
    h("p", { class: "tiny soft" }, view.turn === null || view.turn === undefined ? "it had not been asked yet"
      : `when it was asked for turn ${view.turn + 1}`),
    h("ol", {}, view.messages.map((message) =>
      h("li", { class: `${colourOf(seats, message.speaker)} ${isOnly(message) ? "only" : ""}` },
      h("p", { class: "who" }, h("span", { class: "seat-name" }, oneLine(message.speaker)),
        h("span", { class: "to" }, message.audience ? oneLine(heard(message.audience, seats, message.speaker)) : ""),
        isOnly(message) ? h("span", { class: "unseen" }, "(only this seat saw it)") : null),
      partsOf(message.parts, { fold: 700 })))));
}
