// The page of what is played now: cards, or a dense list, of every running episode.

import { eachFrame, h, put, write } from "../dom.js";
import { count } from "../format.js";
import { keys } from "../keys.js";
import { empty } from "../notice.js";
import { listen } from "../stream.js";
import { boardLoader } from "./boards.js";
import { COLUMNS, cardView, lineView } from "./card.js";
import { WISHES, filterBar } from "./filters.js";
import { Cards, chosen } from "./store.js";
import { totalsStrip } from "./totals.js";
import { windowed } from "./windowed.js";

const SHAPES = { cards: { height: 276, least: 252, gap: 14 }, bare: { height: 122, least: 252, gap: 14 },
  list: { height: 40, least: 0, gap: 0 } };
const HEADS = { episode: "Episode", seats: "Seats", asked: "Asked", turn: "Turn", tokens: "Tokens", cost: "Cost",
  last: "Last turn", outcome: "Outcome" };

export function nowPage({ main, query, hello, go, rewrite }) {
  const cards = new Cards();
  const now = () => Date.now() / 1000 + hello.skew;
  const totals = totalsStrip();
  const list = h("ul", { class: "cards", "aria-label": "Episodes" });
  const place = h("div", { class: "cards-place" }, list);
  const hint = h("div");
  const heads = h("div", { class: "line line-heads", "aria-hidden": "true" },
    COLUMNS.map((name) => h("span", { class: `c-${name}` }, HEADS[name])));
  const bar = filterBar(query, (wish) => { rewrite(wish); if (wish.view !== view) reshape(); refresh(); });
  const boards = hello.can?.boards ? boardLoader() : null;
  let shown = null, view = null, items = [], at = -1;

  put(main, h("h1", { class: "unseen" }, "Playing now"), totals.element, bar.element, heads, hint, place);

  function reshape() {
    view = bar.wish.view;
    shown?.leave();
    const dense = view === "list";
    heads.hidden = !dense;
    list.className = dense ? "cards dense" : "cards";
    list.replaceChildren();
    shown = windowed(list, {
      ...(dense ? SHAPES.list : boards ? SHAPES.cards : SHAPES.bare),
      key: (card) => card.key,
      make: (card) => (dense ? lineView(card, now) : cardView(card, boards, now)),
    });
    list.style.setProperty("--card-height", `${(boards ? SHAPES.cards : SHAPES.bare).height}px`);
  }

  function draw() {
    items = chosen(cards.byKey.values(), bar.wish, now());
    bar.offer(cards.names());
    shown.show(items);
    if (cards.totals) totals.show(cards.totals);
    write(bar.found, cards.loaded ? `${count(items.length)} of ${count(cards.byKey.size)}` : "");
    tellEmpty();
  }

  function tellEmpty() {
    const state = !cards.loaded ? "loading" : items.length ? "" : cards.byKey.size ? "filtered" : hello.source;
    if (hint.dataset.state === state) return;
    hint.dataset.state = state;
    put(hint, state === "loading" ? h("p", { class: "empty" }, "Looking for what is played…")
      : state === "filtered" ? empty("Nothing fits", "Episodes are played, but none that you look for.")
      : state === "" ? null : teach(hello.source));
    if (state === "filtered") hint.firstChild.append(h("button", { type: "button", onclick: () => go("/") }, "Show all"));
  }

  const refresh = eachFrame(draw);
  const step = (by) => {
    if (!items.length) return;
    const held = document.activeElement?.closest?.("[data-key]")?.dataset.key;
    const from = held ? items.findIndex((card) => card.key === held) : at;
    at = Math.min(items.length - 1, Math.max(0, from + by));
    shown.reach(at)?.link.focus({ preventScroll: true });
  };
  const away = keys("Now", {
    j: [() => step(1), "next episode"],
    k: [() => step(-1), "episode before"],
    ArrowDown: [() => (document.activeElement?.closest("[data-key]") ? step(shown.columns()) : false), ""],
    ArrowUp: [() => (document.activeElement?.closest("[data-key]") ? step(-shown.columns()) : false), ""],
    Enter: [() => { if (at >= 0 && items[at]) shown.views().get(items[at].key)?.link.click(); }, "open it"],
    d: [() => { [...bar.element.querySelectorAll(".segments button")].find((each) =>
      each.getAttribute("aria-pressed") === "false")?.click(); }, "cards or list"],
  });
  const tick = setInterval(() => {
    if (document.hidden) return;
    for (const each of shown.views().values()) each.tick();
    refresh();
  }, 1000);
  const end = listen("/api/stream?topics=cards", { cards: (event) => { cards.apply(event); refresh(); } });
  reshape();
  draw();
  return {
    update: (next) => WISHES.every((name) => (next.get(name) ?? "") === bar.wish[name]),
    leave() { end(); clearInterval(tick); away(); refresh.cancel(); shown.leave(); boards?.leave(); },
  };
}

function teach(source) {
  if (source === "folder") {
    const shown = empty("Nothing is played in these folders now",
      "What has been played is under runs and results. A run that another process writes appears here by itself.",
      ["palaver run maze --agents scripted -n 20 --out runs/first"]);
    shown.append(h("a", { class: "button primary", href: "/runs" }, "To the runs"));
    return shown;
  }
  if (source === "run") return empty("Nothing is played now", "The run has not begun, or has ended: its results stay here.");
  return empty("Nothing is played on this bus",
    "Start a game master and an agent, and hand them a run. It appears here by itself.",
    ["palaver serve gamemaster --broker redis://…", "palaver serve agent --agent scripted --broker redis://…",
      "palaver submit maze --agents scripted -n 50 --broker redis://…"]);
}
