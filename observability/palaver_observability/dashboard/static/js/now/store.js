// The cards of what is played, as the server tells of them. Pure: what to show of it is decided elsewhere.

import { fitsWords } from "../search.js";

export class Cards {
  constructor() {
    this.byKey = new Map();
    this.totals = null;
    this.loaded = false;
  }

  /** Take one event in: all cards, or those that changed and those that are gone. */
  apply({ all, cards, gone, totals }) {
    if (all) this.byKey.clear();
    for (const card of cards ?? []) this.byKey.set(card.key, card);
    for (const key of gone ?? []) this.byKey.delete(key);
    if (totals) this.totals = totals;
    this.loaded = true;
  }

  /** Names to choose from: games, and agents that sit somewhere. */
  names() {
    const games = new Set(), agents = new Set();
    for (const card of this.byKey.values()) {
      games.add(card.game);
      for (const agent of Object.values(card.seats)) agents.add(agent);
    }
    return { games: [...games].sort(), agents: [...agents].sort() };
  }
}

/** Seconds that a card's seats have been asked for; 0 where nobody is. */
export const waited = (card, now) => (card.ended === null && card.waiting.length && card.asked_at
  ? Math.max(0, now - card.asked_at) : 0);

const LINGERS_S = 6;
const natural = new Intl.Collator("en", { numeric: true });
const begun = (a, b) => a.started - b.started || natural.compare(a.key, b.key);
const ORDERS = {
  "": begun,
  newest: (a, b) => begun(b, a),
  waiting: (a, b, now) => waited(b, now) - waited(a, now) || begun(a, b),
  turns: (a, b) => b.turn - a.turn || begun(a, b),
  tokens: (a, b) => b.tokens - a.tokens || begun(a, b),
  cost: (a, b) => (b.cost ?? -1) - (a.cost ?? -1) || begun(a, b),
};

/** Choose and order: those that have just ended stay a moment where they were, then make room. */
export function chosen(cards, wish, now) {
  const longest = Number(wish.wait) || 0;
  const fits = (card) => {
    if (wish.game && card.game !== wish.game) return false;
    if (wish.agent && !Object.values(card.seats).includes(wish.agent)) return false;
    if (wish.state === "running" && card.ended !== null) return false;
    if (wish.state === "ended" && card.ended === null) return false;
    if (wish.state && !["running", "ended"].includes(wish.state) && card.outcome !== wish.state) return false;
    if (longest && waited(card, now) < longest) return false;
    const said = [card.key, card.game, card.variant, ...Object.values(card.seats), card.outcome ?? ""];
    return !wish.q || fitsWords(wish.q, said.join(" "));
  };
  const over = (card) => (card.ended !== null && now - card.ended > LINGERS_S ? 1 : 0);
  const order = ORDERS[wish.sort ?? ""] ?? begun;
  return [...cards].filter(fits).sort((a, b) => over(a) - over(b) || order(a, b, now));
}
