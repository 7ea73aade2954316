// The dialogue: grows as the episode does, follows its end unless the reader has gone elsewhere.

import { h, put, write } from "../dom.js";
import { oneLine, plural, ticking } from "../format.js";
import { seatMark, shortAgent } from "../seat.js";
import { entryElement } from "./turn.js";

const NEAR_PX = 160;

/** `tools` as for entries; `onstray` is called when the reader leaves the end, `onreturn` when it comes back to it. */
export function dialogue(story, tools, now) {
  const list = h("ol", { class: "dialogue", "aria-label": "Dialogue" });
  const waiting = h("ul", { class: "waiting", "aria-live": "polite" });
  const unread = h("button", { type: "button", class: "primary unread", hidden: true,
    onclick: () => { follow = true; end(); tools.toEnd(); } });
  const element = h("div", { class: "dialogue-place" }, list, waiting, unread);
  const elements = [];
  let follow = false, fresh = 0, ours = 0, current = null;

  const nearEnd = () => element.getBoundingClientRect().bottom - innerHeight < NEAR_PX;
  const end = () => {
    ours = performance.now();
    fresh = 0;
    unread.hidden = true;
    element.scrollIntoView({ block: "end" });
  };
  const scrolled = () => {
    if (element.hidden || !element.isConnected || performance.now() - ours < 400) return;
    if (nearEnd()) { fresh = 0; unread.hidden = true; if (!follow) { follow = true; tools.onreturn(); } }
    else if (follow) { follow = false; tools.onstray(); }
  };
  // whoever turns the wheel back means it, even where a new turn scrolls to the end at the same moment
  const turned = (event) => { if (follow && !element.hidden
    && !(event.deltaY > 0)) { ours = 0; follow = false; tools.onstray(); } };
  addEventListener("scroll", scrolled, { passive: true });
  addEventListener("wheel", turned, { passive: true });
  addEventListener("touchmove", turned, { passive: true });

  function grow(entries) {
    for (const entry of entries) {
      if (elements[entry.at]) { elements[entry.at].grow?.(); continue; }
      elements[entry.at] = entryElement(entry, tools);
      list.append(elements[entry.at]);
    }
    if (follow && !element.hidden) end();
    else if (entries.length) {
      fresh += entries.filter((each) => each.kind === "turn").length;
      unread.hidden = !fresh || element.hidden || nearEnd();
      write(unread, `${plural(fresh, "new turn")} ↓`);
    }
  }

  const waits = [];
  function await_() {
    waits.length = 0;
    put(waiting, story.ended ? [] : story.waiting.map((each) => {
      const wait = h("span", { class: "soft" });
      waits.push([wait, each.asked_at]);
      return h("li", {}, seatMark(story.seats, each.seat, "now"), h("span", {}, `${oneLine(each.seat)} is asked`),
        h("span", { class: "soft clip" }, shortAgent(each.agent)),
          h("span", { class: "dots pulse", "aria-hidden": "true" }, "…"), wait);
    }));
    tick();
  }
  function tick() {
    for (const [wait, since] of waits) write(wait, since ? ticking(now() - since) : "");
  }

  grow(story.entries);
  fresh = 0;
  unread.hidden = true;
  await_();
  return {
    element, grow, tick, waiting: await_,
    /** Mark a turn, and bring it into sight where it is asked for. */
    choose(turn, { bring = false } = {}) {
      current?.classList.remove("chosen");
      current?.removeAttribute("aria-current");
      current = elements[story.entries.find((each) => each.kind === "turn" && each.turn === turn)?.at] ?? null;
      current?.classList.add("chosen");
      current?.setAttribute("aria-current", "true");
      if (bring && turn >= story.turns.length) { end(); return; }
      if (bring) { ours = performance.now(); (current ?? list).scrollIntoView({ block: current ? "center" : "start" }); }
    },
    setFollow(value) { follow = value; if (value && !element.hidden) end(); },
    leave() {
      removeEventListener("scroll", scrolled);
      removeEventListener("wheel", turned);
      removeEventListener("touchmove", turned);
    },
  };
}
