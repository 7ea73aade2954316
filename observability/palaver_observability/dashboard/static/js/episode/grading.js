// How the episode was judged: scores, every grader's reading, the game's own minutes.

import { h, put } from "../dom.js";
import { count, money, oneLine, plural, score, visible } from "../format.js";
import { badge, colourOf } from "../seat.js";

export function gradingPane(seats) {
  const element = h("div", { class: "stack" });
  return {
    element,
    show(data, ended) {
      put(element, scores(data, ended), segments(ended), gradings(data.gradings ?? []), notes(data.notes ?? [], seats));
    },
  };
}

function scores(data, ended) {
  if (!ended) return h("p", { class: "soft" }, "The episode is being played: its scores come with its end.");
  const entries = Object.entries(ended.scores ?? {}).sort(([a], [b]) => (b === data.primary) - (a === data.primary));
  return h("section", { class: "panel" }, h("h2", {}, "Scores"),
    entries.length ? h("dl", { class: "facts-list" }, entries.map(([name, value]) =>
      h("div", { class: name === data.primary ? "primary" : "" }, h("dt", {}, oneLine(name)), h("dd", {}, score(value)))))
      : h("p", { class: "soft" }, "There are none."),
    data.why ? h("p", { class: "small soft" }, oneLine(data.why)) : null);
}

function segments(ended) {
  const all = ended?.segments ?? [];
  if (all.length < 2) return null;
  const names = [...new Set(all.flatMap((each) => Object.keys(each.scores ?? {})))];
  return h("section", { class: "panel" }, h("h2", {}, "Between handoffs"), h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "turns"), h("th", { scope: "col" }, "agents"),
      names.map((name) => h("th", { scope: "col", class: "num" }, oneLine(name))))),
    h("tbody", {}, all.map((each) =>
      h("tr", {}, h("th", { scope: "row", class: "nowrap" }, `${each.from_turn + 1}–${each.until_turn}`),
      h("td", {}, Object.entries(each.agents).map(([seat, agent]) =>
        h("div", { class: "small nowrap" }, `${oneLine(seat)}: ${oneLine(agent)}`))),
      names.map((name) => h("td", { class: "num" }, score(each.scores?.[name])))))))));
}

function gradings(all) {
  if (!all.length) return null;
  return h("section", { class: "panel stack" }, h("h2", {}, "Graders"), all.map((each) => h("article", { class: "grading" },
    h("h3", { class: "row" }, oneLine(each.grader), Object.keys(each.scores ?? {}).length ? null
      : badge("warn", "could not be read"),
      each.ungraded ? h("span", { class: "chip" }, `${plural(each.ungraded, "vote")} could not be read`) : null,
      each.cost_usd ? h("span", { class: "chip" }, money(each.cost_usd)) : null),
    h("dl", { class: "facts-list" }, Object.entries(each.scores ?? {}).map(([name, value]) =>
      h("div", {}, h("dt", {}, oneLine(name)), h("dd", {}, score(value),
      (each.votes ?? []).length > 1 ? h("span", { class: "soft small" },
        ` (votes: ${each.votes.map((vote) => score(vote[name])).join(", ")})`) : null)))),
    each.reason ? h("p", {}, visible(each.reason)) : null,
    each.detail !== null && each.detail !== undefined ? h("details", {}, h("summary", {}, "What the grader read"),
      h("pre", { class: "raw" }, visible(typeof each.detail === "string" ? each.detail
      : JSON.stringify(each.detail, null, 2)))) : null)));
}

function notes(rounds, seats) {
  if (!rounds.some((each) => each.length)) return null;
  return h("section", { class: "panel" }, h("h2", {}, "The game's notes"),
    h("ol", { class: "notes" }, rounds.map((round, at) => round.length ? h("li", {},
    h("p", { class: "tiny soft" }, `round ${count(at + 1)}`),
    round.map((note) => h("p", { class: `note ${colourOf(seats, note.by)}` },
      h("span", { class: "seat-name" }, oneLine(note.by)),
      note.to ? h("span", { class: "soft" }, ` → ${oneLine(note.to)}`) : null,
      note.kind ? h("span", { class: "chip" }, oneLine(note.kind)) : null, " ",
        h("span", { class: "said" }, visible(note.text))))) : null)));
}
