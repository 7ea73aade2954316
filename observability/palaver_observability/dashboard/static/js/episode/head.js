// The head of an episode's page: what is played, who sits where and since when, what it came to.

import { h, put } from "../dom.js";
import { brief, known, moment, money, oneLine, path, plural, score, span, ticking } from "../format.js";
import { badge, colourOf, isHuman, seatMark, shortAgent } from "../seat.js";
import { seatControls } from "./control.js";

export function episodeHead(story, { run, episode, hello }, now) {
  const { data } = story;
  const state = h("span", { class: "row" });
  const facts = h("p", { class: "row small soft head-facts" });
  const seats = h("ul", { class: "head-seats", "aria-label": "Seats" });
  const error = h("div");
  const set_up = h("details", { class: "set-up" }, h("summary", {}, "Set-up"), setUp(data));
  const element = h("header", { class: "episode-head" },
    h("p", { class: "crumbs" }, h("a", { href: "/" }, "now"), " / ", h("a", { href: path("runs", run) }, oneLine(run)), " / ",
      oneLine(episode)),
    h("div", { class: "row" }, h("h1", {}, `${oneLine(data.game)} · ${oneLine(data.variant)}`), state), facts, seats, error,
      set_up);
  const links = new Map();
  let seated = "";

  function tick() {
    const live = element.querySelector("[data-since]");
    if (live) live.textContent = ticking(now() - Number(live.dataset.since));
  }
  function update() {
    const { ended } = story;
    const main = ended?.scores?.[data.primary];
    put(state, ended ? badge(ended.outcome) : badge("playing", "playing"),
      known(main) ? h("span", { class: "small" }, `${oneLine(data.primary)} `, h("strong", {}, score(main))) : null);
    const sums = story.sums();
    const began = data.card?.started;
    put(facts, [
      plural(story.turns.length, "turn"), sums.asides ? plural(sums.asides, "private message") : null,
      sums.input + sums.output
        ? `${brief(sums.input + sums.output)} tokens (${brief(sums.input)} read, ${brief(sums.output)} written)` : null,
      sums.priced && story.turns.length ? money(sums.cost) : null, sums.latency ? `${span(sums.latency)} of models` : null,
      ended ? (began > 0 && ended.at > began ? `took ${span(ended.at - began)}` : null)
        : (began > 0 ? ["for ", h("span", { data: { since: began } })] : null),
      began > 0 ? moment(began) : null,
    ].filter(Boolean).map((each) => h("span", {}, each)));
    put(error, ended?.error ? h("div", { class: "notice error" }, h("strong", {}, "Ended by an error: "), oneLine(ended.error))
      : null);
    const wanted = JSON.stringify([story.seats.map((seat) => story.agentOf(seat)), story.waiting, Boolean(ended),
      story.entries.filter((each) => each.kind === "handoff").length]);
    if (wanted !== seated) {
      seated = wanted;
      put(seats, data.seats.map(({ seat, fillers }) => seatLine(seat, fillers)));
    }
    tick();
  }
  return { element, tick, update };

  function seatLine(seat, fillers) {
    const agent = story.agentOf(seat);
    const asked = !story.ended && story.waiting.some((each) => each.seat === seat);
    const past = history(seat, fillers);
    return h("li", { class: `${colourOf(story.seats, seat)} ${asked ? "asked" : ""}` },
      seatMark(story.seats, seat, `${asked ? "now" : ""} ${isHuman(agent) ? "human" : ""}`),
      h("span", { class: "seat-who" }, h("span", { class: "seat-name" }, oneLine(seat)),
        h("span", { class: "clip", title: oneLine(agent) }, shortAgent(agent)),
        past ? h("span", { class: "tiny soft" }, past) : null),
      asked ? h("span", { class: "unseen" }, "is asked now") : null,
      hello.can?.seats && !story.ended
        ? seatControls({ run, episode, seat, agent, links, redraw: () => { seated = ""; update(); } }) : null);
  }

  /** Who has sat there until when: only where somebody has been relieved, or will be. */
  function history(seat, fillers) {
    if (!fillers || fillers.length < 2) return "";
    const since = ({ from_turn, when }) => (known(from_turn) ? `from turn ${from_turn + 1}` : `when ${oneLine(when ?? "due")}`);
    return fillers.map((each) => `${shortAgent(each.agent)} ${since(each)}`).join(", ");
  }
}

function setUp(data) {
  const rows = [
    ["instance", oneLine(data.instance_id)], ["seed", String(data.seed)], ["protocol", oneLine(data.protocol)],
      ["handoffs show", oneLine(data.handoff)],
    ...Object.entries(data.labels ?? {}).map(([name, values]) => [oneLine(name), oneLine([values].flat().join(", "))]),
    ...Object.entries(data.options ?? {}).map(([name, value]) =>
      [oneLine(name), oneLine(typeof value === "string" ? value : JSON.stringify(value))]),
    ...Object.entries(data.sampling ?? {}).filter(([, value]) => value !== null).map(([name, value]) =>
      [oneLine(name), oneLine(typeof value === "string" ? value : JSON.stringify(value))]),
  ];
  return h("dl", { class: "facts-list" }, rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}
