// What is looked for among the cards. It stands in the address, so that a look can be sent to somebody.

import { h } from "../dom.js";
import { oneLine } from "../format.js";

const STATES = [["", "all"], ["running", "running"], ["ended", "just ended"], ["solved", "solved"], ["failed", "failed"],
  ["aborted", "aborted"], ["error", "error"], ["budget", "budget"]];
const WAITS = [["", "any wait"], ["10", "waits 10 s or more"], ["30", "waits 30 s or more"], ["60", "waits 1 min or more"],
  ["300", "waits 5 min or more"], ["1800", "waits 30 min or more"]];
const SORTS = [["", "in order"], ["newest", "newest first"], ["waiting", "longest wait first"], ["turns", "most turns first"],
  ["tokens", "most tokens first"], ["cost", "dearest first"]];
export const WISHES = ["q", "game", "agent", "state", "wait", "sort", "view"];

export function filterBar(query, onchange) {
  const wish = Object.fromEntries(WISHES.map((name) => [name, query.get(name) ?? ""]));
  const change = (name, value) => { wish[name] = value; onchange(wish); };
  const choice = (name, label, options) => {
    const select = h("select", { "aria-label": label, onchange: () => change(name, select.value) });
    fill(select, options, wish[name]);
    return select;
  };
  const text = h("input", { type: "search", placeholder: "Filter",
    "aria-label": "Filter by words: game, variant, agent, run, episode", value: wish.q, data: { filter: "" },
    oninput: () => change("q", text.value) });
  const game = choice("game", "Game", [["", "every game"]]);
  const agent = choice("agent", "Agent", [["", "every agent"]]);
  const found = h("span", { class: "small soft", role: "status" });
  const views = h("div", { class: "segments", role: "group", "aria-label": "Density" },
    [["", "Cards"], ["list", "List"]].map(([value, label]) => {
    const button = h("button", { type: "button", "aria-pressed": String(wish.view === value), onclick: () => {
      for (const each of views.children) each.setAttribute("aria-pressed", String(each === button));
      change("view", value);
    } }, label);
    return button;
  }));
  const element = h("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() },
    text, game, agent, choice("state", "State", STATES), choice("wait", "Waiting", WAITS), choice("sort", "Order", SORTS),
      found, views);
  let known = "";
  return {
    element, wish, found,
    /** Offer the games and agents that there are; what was chosen stays on offer. */
    offer({ games, agents }) {
      const now = JSON.stringify([games, agents]);
      if (now === known || document.activeElement === game || document.activeElement === agent) return;
      known = now;
      fill(game, [["", "every game"], ...with_(games, wish.game)], wish.game);
      fill(agent, [["", "every agent"], ...with_(agents, wish.agent)], wish.agent);
    },
  };
}

const with_ = (names, chosen) => (chosen && !names.includes(chosen) ? [...names, chosen] : names).map((name) => [name, name]);

function fill(select, options, chosen) {
  select.replaceChildren(...options.map(([value, label]) =>
    h("option", { value, selected: value === chosen }, oneLine(label))));
  select.value = chosen;
}
