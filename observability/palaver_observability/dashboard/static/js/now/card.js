// One running episode as a card, and as a line of the dense list.

import { h, mark, put, write } from "../dom.js";
import { NONE, brief, episodePath, known, money, oneLine, score, span, ticking } from "../format.js";
import { badge, isHuman, seatMark, shortAgent } from "../seat.js";
import { waited } from "./store.js";

const LONG_S = 60;

/** The view of a card; `boards` is null where none may be seen. */
export function cardView(card, boards, now) {
  const board = h("div", { class: "card-board" });
  const title = h("a", { class: "card-title clip", href: episodePath(card.run, card.episode) });
  const state = h("span", { class: "card-state" });
  const seats = h("ul", { class: "card-seats", "aria-label": "Seats" });
  const numbers = h("p", { class: "card-numbers" });
  const element = h("li", { class: "card", data: { key: card.key } },
    boards ? board : null, h("div", { class: "card-head" }, title, state), seats, numbers);
  const turnTo = boards?.keep(board, card);
  const told = common(card, { title, state, element, named: true });
  const lines = seatLines(seats);
  return {
    element,
    link: title,
    update(next) {
      told(next);
      lines.update(next, now());
      put(numbers, figures(next).map(([name, value]) => h("span", { title: name }, value)));
      turnTo?.(next.turn);
      this.tick();
    },
    tick() { lines.tick(this.item, now()); },
    drop() { boards?.drop(board); },
  };
}

function figures(card) {
  return [
    ["turns taken", `turn ${card.turn}`],
    ["tokens", `${brief(card.tokens)} tok`],
    known(card.cost) ? ["cost", money(card.cost)] : null,
    known(card.latency) ? ["time of the last turn", span(card.latency)] : null,
    card.handoffs ? ["handoffs", `${card.handoffs} ⇄`] : null,
    card.asides ? ["said in private", `${card.asides} private`] : null,
  ].filter(Boolean);
}

function common(card, { title, state, element, named = false }) {
  let shown = null;
  write(title, `${oneLine(card.game)} · ${oneLine(card.variant)}`);
  title.setAttribute("aria-label", `${oneLine(card.game)}, ${oneLine(card.variant)}, episode ${oneLine(card.episode)}`);
  title.title = oneLine(card.key);
  return (next) => {
    element.classList.toggle("over", next.ended !== null);
    const wanted = `${next.outcome}/${next.score}/${next.ended}`;
    if (wanted === shown) return;
    shown = wanted;
    if (next.ended === null) put(state, h("span", { class: "card-name tiny soft clip" },
      named ? oneLine(next.episode).split("-").pop() : null));
    else put(state, known(next.score) ? h("span", { class: "card-score tiny" }, score(next.score)) : null,
      badge(next.outcome ?? "ended"));
  };
}

function seatLines(place) {
  let signature = "", waits = [];
  return {
    update(card, now) {
      const names = Object.keys(card.seats);
      const wanted = JSON.stringify([card.seats, card.waiting, card.ended === null, card.last?.seat]);
      if (wanted === signature) return;
      signature = wanted;
      waits = [];
      place.className = `card-seats ${names.length > 4 ? "many" : names.length > 2 ? "several" : ""}`;
      put(place, names.map((seat) => {
        const asked = card.ended === null && card.waiting.includes(seat);
        const wait = h("span", { class: "card-wait" });
        if (asked) waits.push(wait);
        const agent = card.seats[seat];
        return h("li", { class: asked ? "asked" : "",
          title: `${oneLine(seat)}: ${oneLine(agent)}${asked ? " (asked now)" : ""}` },
          seatMark(names, seat, `${asked ? "now" : ""} ${isHuman(agent) ? "human" : ""}`),
          h("span", { class: "unseen" }, `${oneLine(seat)}: `),
          h("span", { class: "clip card-agent" }, shortAgent(agent)), wait);
      }));
      this.tick(card, now);
    },
    tick(card, now) {
      const seconds = waited(card, now);
      for (const wait of waits) {
        write(wait, ticking(seconds));
        wait.classList.toggle("long", seconds > LONG_S);
      }
    },
  };
}

/** The same as one line: the columns of the dense list. */
export const COLUMNS = ["episode", "seats", "asked", "turn", "tokens", "cost", "last", "outcome"];

export function lineView(card, now) {
  const cells = Object.fromEntries(COLUMNS.map((name) => [name, h("span", { class: `c-${name}` })]));
  const title = h("a", { class: "clip", href: episodePath(card.run, card.episode) });
  const state = cells.outcome;
  const element = h("li", { class: "line", data: { key: card.key } }, COLUMNS.map((name) => cells[name]));
  cells.episode.append(title, h("span", { class: "soft tiny clip" }, oneLine(card.key)));
  const told = common(card, { title, state, element });
  let seated = "";
  return {
    element,
    link: title,
    update(next) {
      told(next);
      const names = Object.keys(next.seats);
      const wanted = JSON.stringify([next.seats, next.waiting]);
      if (wanted !== seated) {
        seated = wanted;
        put(cells.seats, names.slice(0,
          6).map((seat) => h("span", { class: "line-seat", title: `${oneLine(seat)}: ${oneLine(next.seats[seat])}` },
          seatMark(names, seat, next.ended === null && next.waiting.includes(seat) ? "now" : ""),
            h("span", { class: "clip" }, shortAgent(next.seats[seat])))));
      }
      write(cells.turn, String(next.turn));
      write(cells.tokens, brief(next.tokens));
      write(cells.cost, money(next.cost));
      write(cells.last, known(next.latency) ? span(next.latency) : NONE);
      this.tick();
    },
    tick() {
      const seconds = waited(this.item, now());
      const asks = this.item.ended === null && this.item.waiting.length;
      write(cells.asked, asks ? `${ticking(seconds)} ${this.item.waiting.map(oneLine).join(", ")}` : "");
      cells.asked.classList.toggle("long", seconds > LONG_S);
      mark(cells.asked, "title", asks ? "whose turn it is, and for how long" : null);
    },
    drop() {},
  };
}
