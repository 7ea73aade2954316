// The page of one episode: its dialogue, boards, views and grading, live while it is played.

import { api, get } from "../api.js";
import { h, put } from "../dom.js";
import { keys } from "../keys.js";
import { noticeOf } from "../notice.js";
import { listen } from "../stream.js";
import { boardsPane } from "./boards.js";
import { dialogue } from "./dialogue.js";
import { gradingPane } from "./grading.js";
import { episodeHead } from "./head.js";
import { scrubber } from "./scrubber.js";
import { sentPlace } from "./sent.js";
import { Story } from "./story.js";
import { viewsPane } from "./views.js";

const TABS = { dialogue: "Dialogue", views: "Views", sent: "Sent", grading: "Grading" };

export function episodePage(place) {
  const { main, params, signal } = place;
  main.className = "episode-page";
  put(main, h("p", { class: "empty" }, "Reading the episode…"));
  let page = null;
  get(api("episode", params.run, params.episode), signal).then((data) => {
    page = opened(place, data);
  }, (error) => { if (error.name !== "AbortError") put(main, noticeOf(error)); });
  return { update: (query) => (page ? page.update(query) : true), leave: () => page?.leave() };
}

function opened({ main, params: { run, episode }, query, signal, hello, rewrite }, data) {
  const story = new Story(data);
  const now = () => Date.now() / 1000 + hello.skew;
  const shared = { run, episode, signal, seats: story.seats, hello };
  const wished = query.get("turn");
  let turn = wished === null || !/^\d+$/.test(wished) ? story.turns.length : Math.min(Number(wished), story.turns.length);
  let follow = wished === null && !story.ended;
  let tab = TABS[query.get("tab")] ? query.get("tab") : "dialogue";
  const asked = (query.get("seats") ?? "").split(",").filter((seat) => story.seats.includes(seat));
  const chosen = new Set(asked.length ? asked : story.seats);

  const head = episodeHead(story, shared, now);
  const boards = boardsPane(shared);
  const slider = scrubber(story, (to) => choose(to, { bring: true, byHand: true }));
  const talk = dialogue(story, {
    ...shared,
    choose: (to) => choose(to, { byHand: true }),
    see: (seat, at) => { chosen.clear(); show("views"); views.choose(seat); choose(at, { byHand: true }); },
    toEnd: () => { follow = true; choose(story.turns.length); },
    onstray: () => { follow = false; },
    onreturn: () => { if (!story.ended) { follow = true; choose(story.turns.length); } },
  }, now);
  const views = viewsPane(shared, chosen,
    () => rewrite({ seats: chosen.size === story.seats.length ? null : [...chosen].join(",") }));
  const grading = gradingPane(story.seats);
  const sent = h("div", { class: "stack" });
  const panes = { dialogue: talk.element, views: views.element, sent, grading: grading.element };
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Parts of the episode" },
    Object.entries(TABS).map(([name, words]) => h("button", {
    type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `pane-${name}`, onclick: () => show(name), onkeydown: walk,
  }, words)));
  for (const [name, pane] of Object.entries(panes)) {
    for (const [key, value] of Object.entries({ id: `pane-${name}`, role: "tabpanel",
      "aria-labelledby": `tab-${name}` })) pane.setAttribute(key, value);
  }
  const aside = h("aside", { "aria-label": "Boards and turns" }, slider.element,
    hello.can?.boards === false ? null : boards.element);
  put(main, head.element, h("div", { class: "episode-body" }, h("div", { class: "episode-main" }, tabs, Object.values(panes)),
    aside));

  function walk(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const names = Object.keys(TABS);
    show(names[(names.indexOf(tab) + by + names.length) % names.length]);
    document.getElementById(`tab-${tab}`).focus();
  }

  function show(name) {
    tab = name;
    for (const [each, pane] of Object.entries(panes)) {
      pane.hidden = each !== tab;
      const button = tabs.children[Object.keys(TABS).indexOf(each)];
      button.setAttribute("aria-selected", String(each === tab));
      button.tabIndex = each === tab ? 0 : -1;
    }
    rewrite({ tab: tab === "dialogue" ? null : tab });
    fill();
  }

  let sentFor = null;
  function fill() {
    if (tab === "views") views.show(turn);
    if (tab === "grading") grading.show(data, story.ended);
    if (tab === "sent") {
      const step = story.turns[Math.max(0, turn - 1)];
      if (!step) put(sent, h("p", { class: "soft" }, "Nobody has said anything yet."));
      else if (sentFor !== step.n) { sentFor = step.n; put(sent, h("h2", {}, `For turn ${Math.max(1, turn)}, ${step.seat}`),
        sentPlace(shared, step.n)); }
    }
  }

  function choose(to, { bring = false, byHand = false } = {}) {
    turn = Math.min(Math.max(0, to), story.turns.length);
    if (byHand) { follow = !story.ended && turn === story.turns.length && bring; talk.setFollow(follow); }
    slider.set(turn);
    boards.show(turn);
    talk.choose(turn, { bring: bring && !panes.dialogue.hidden });
    if (byHand) rewrite({ turn: follow || (story.ended && turn === story.turns.length) ? null : turn });
    fill();
  }

  function grown(entries) {
    slider.grow();
    talk.grow(entries);
    head.update();
    if (follow) choose(story.turns.length);
  }

  const step = (by) => { slider.play(false); slider.go(turn + by); };
  const away = keys("Episode", {
    ArrowLeft: [() => step(-1), "one turn back"], ArrowRight: [() => step(1), "one turn on"],
    Home: [() => choose(0, { bring: true, byHand: true }), "to the beginning"],
      End: [() => choose(story.turns.length, { bring: true, byHand: true }), "to the end"],
    j: [() => step(1), "next turn"], k: [() => step(-1), "turn before"], " ": [() => slider.toggle(), "play, or pause"],
    v: [() => show("views"), "what seats saw"], t: [() => show("dialogue"), "the dialogue"],
    w: [() => show("sent"), "what was sent"], m: [() => show("grading"), "grading"],
  });
  const tick = setInterval(() => { head.tick(); talk.tick(); }, 1000);
  const isFinal = (ended) => ended && !["error", "budget"].includes(ended.outcome);  // those are taken up again
  const end = isFinal(story.ended) ? () => {}
    : listen((last) => `${api("episode", run, episode, "stream")}?after=${Math.max(story.length, Number(last) || 0)}`, {
    step: (each) => {
      story.ended = null;
      grown(story.add(each));
    },
    waiting: ({ waiting }) => {
      if (story.ended || (!waiting.length
        && story.length === data.steps.length)) return;  // what was known at first is better than nothing
      story.waiting = waiting;
      talk.waiting();
      head.update();
    },
    ended: (ended) => {
      story.ended = ended;
      story.waiting = [];
      talk.waiting();
      head.update();
      // the gradings and the game's minutes come with the end
      get(api("episode", run, episode), signal).then((fresh) => { Object.assign(data, fresh); fill(); head.update(); },
        () => {});
      return isFinal(ended) ? listen.END : undefined;
    },
  });

  slider.grow();
  head.update();
  show(tab);
  choose(turn, { bring: wished !== null });
  talk.setFollow(follow);
  return {
    update(asked) {
      const name = asked.get("tab") ?? "dialogue";
      if (TABS[name] && name !== tab) show(name);
      const wish = asked.get("turn");
      if (wish !== null && Number(wish) !== turn) choose(Number(wish) || 0, { bring: true });
      return true;
    },
    leave() { end(); away(); clearInterval(tick); slider.leave(); talk.leave(); },
  };
}
