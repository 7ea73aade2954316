// Pictures of boards: only for cards on screen, one at a time for each, a few at a time for all, and never a flicker.

import { api } from "../api.js";
import { h, put } from "../dom.js";

const AT_ONCE = 4;      // a browser keeps six connections to a server, and the events need one of them
const PAUSE_MS = 500;   // twice a second for a card
const AGAIN_MS = 2_000; // after a failure; twice as long after each further one
const SETTLE_MS = 150;  // what flies past while somebody scrolls is not worth a picture
const WIDE = 2.1;       // boards in a row that are wider would be too small on a card: the first of them is shown

export function boardLoader() {
  const boards = new Map();
  const queue = new Set();
  const wide = new Set();  // games whose boards are
  let loading = 0, timer = 0;

  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const board = boards.get(target);
      if (!board) continue;
      board.onScreen = isIntersecting;
      if (isIntersecting) board.since = Math.max(board.since, performance.now() + SETTLE_MS - PAUSE_MS);
      want(board);
    }
  }, { rootMargin: "80px" });

  function want(board) {
    if (board.onScreen && board.turn !== board.shown && !board.loading) { queue.add(board); pump(); }
    else queue.delete(board);
  }

  function pump() {
    clearTimeout(timer);
    if (document.hidden) return;
    const now = performance.now();
    let soonest = Infinity;
    for (const board of queue) {
      if (loading >= AT_ONCE) return;
      const due = board.since + PAUSE_MS;
      if (due > now) soonest = Math.min(soonest, due);
      else { queue.delete(board); load(board); }
    }
    if (soonest < Infinity) timer = setTimeout(pump, soonest - now);
  }

  async function load(board) {
    const turn = board.turn;
    loading += 1;
    board.loading = true;
    board.since = performance.now();
    const picture = new Image();
    picture.alt = "";
    picture.decoding = "async";
    const first = wide.has(board.game);
    picture.src = api("board", board.run, board.episode, String(turn)) + (first ? "?panel=0" : "");
    try {
      await picture.decode();
      if (!first && picture.naturalWidth > WIDE * picture.naturalHeight) {
        wide.add(board.game);
        picture.src += "?panel=0";
        await picture.decode();
      }
      if (boards.has(board.host)) put(board.host, picture);  // it is decoded: the old one goes in the same frame
      board.host.classList.remove("without");
      board.shown = turn;
      board.failed = 0;
    } catch {
      board.since = performance.now() + AGAIN_MS * 2 ** Math.min(5, board.failed++);
      if (!board.host.querySelector("img")) {
        board.host.classList.add("without");
        put(board.host, h("span", { class: "tiny" }, "no board"));
      }
    }
    board.loading = false;
    loading -= 1;
    if (boards.has(board.host)) want(board);
    pump();
  }

  const woken = () => pump();
  document.addEventListener("visibilitychange", woken);
  return {
    /** Keep a place filled with an episode's board: call the result with the number of turns. */
    keep(host, { run, episode, game }) {
      const board = { host, run, episode, game, turn: null, shown: null, since: -Infinity, failed: 0 };
      boards.set(host, board);
      seen.observe(host);
      return (turn) => { board.turn = turn; want(board); };
    },
    drop(host) {
      const board = boards.get(host);
      if (board) queue.delete(board);
      boards.delete(host);
      seen.unobserve(host);
    },
    leave() {
      seen.disconnect();
      boards.clear();
      queue.clear();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", woken);
    },
  };
}
