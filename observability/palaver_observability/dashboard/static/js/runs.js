// The pages of the runs: how far they are, what they spend, what went wrong; pause, resume, cancel.

import { api, get, post } from "./api.js";
import { confirm } from "./dialog.js";
import { arrange, h, put } from "./dom.js";
import { NONE, brief, count, episodePath, known, moment, money, oneLine, path, plural, score, span } from "./format.js";
import { keys } from "./keys.js";
import { empty, noticeOf, tell } from "./notice.js";
import { outcomeBadges, outcomeBar, progressWords, spending } from "./progress.js";
import { searchField, stepThrough } from "./search.js";
import { badge, shortAgent } from "./seat.js";
import { listen } from "./stream.js";
import { sortable } from "./table.js";

const AGAIN_MS = 3_000;
const FIRST = ["open", "loading", "paused", "cancelled", "done"];

/** What is going on comes first, then the latest. */
const byState = (a, b) => FIRST.indexOf(a.state) - FIRST.indexOf(b.state) || (b.submitted ?? 0) - (a.submitted ?? 0)
  || a.run.localeCompare(b.run);

export function runsPage({ main, query, rewrite }) {
  const list = h("ul", { class: "runs", "aria-label": "Runs" });
  const filter = searchField({ query, rewrite, label: "Filter runs", onchange: () => draw() });
  const found = h("span", { class: "small soft", role: "status" });
  const hint = h("div");
  put(main, h("div", { class: "page-head" }, h("h1", {}, "Runs"), filter.element, found), hint, list);
  let runs = null;
  const shown = new Map();

  function draw() {
    if (!runs) return;
    const fits = runs.filter((run) => filter.fits([run.run, run.game, ...run.agents, run.state].join(" ")));
    arrange(list, fits.map((run) => {
      let view = shown.get(run.run);
      if (!view) shown.set(run.run, view = runView(run));
      view.update(run);
      return view.element;
    }));
    found.textContent = runs.length ? `${count(fits.length)} of ${count(runs.length)}` : "";
    put(hint, runs.length ? null : empty("There are no runs",
      "A run is many episodes of one configuration. Start one, or hand one to the game masters on a bus.",
      ["palaver run maze --agents scripted -n 50 --watch", "palaver submit maze --agents scripted -n 50 --broker redis://…"]));
  }
  const end = listen("/api/stream?topics=runs", { runs: (event) => { runs = [...event.runs].sort(byState); draw(); } });
  const step = stepThrough(list, "h2 a");
  const away = keys("Runs", { j: [() => step(1), "next run"], k: [() => step(-1), "run before"],
    Enter: [() => false, "open it"] });
  return { leave() { end(); away(); } };
}

/** One run: what stays is kept, so that an opened list of errors stays open. */
function runView(first, { linked = true } = {}) {
  const head = h("div", { class: "spread" });
  const bar = h("div");
  const facts = h("dl", { class: "run-facts" });
  const errorList = h("ul", { class: "errors" });
  const errorCount = h("summary");
  const errors = h("details", { hidden: true }, errorCount, errorList);
  const buttons = h("div", { class: "row" });
  const title = linked ? h("a", { href: path("runs", first.run) }, oneLine(first.run)) : oneLine(first.run);
  const state = h("span", { class: "row" });
  put(head, h("div", { class: "row grow" }, linked ? h("h2", {}, title) : h("h1", {}, title), state), buttons);
  const who = h("p", { class: "small soft run-who" });
  const element = h("li", { class: "panel run" }, head, who, bar, facts, errors);
  let drawn = "";
  return {
    element,
    update(run) {
      const now = JSON.stringify(run);
      if (now === drawn) return;
      drawn = now;
      put(state, badge(run.state), run.waits_for ? h("span", { class: "small soft" }, `waits: ${oneLine(run.waits_for)}`)
        : null);
      put(who, oneLine(run.game), " · ", run.agents.map(shortAgent).join(" + "));
      put(bar, h("div", { class: "spread small" }, h("span", {}, progressWords(run)),
        h("span", { class: "row" }, outcomeBadges(run.outcomes ?? {}))),
        outcomeBar(run.outcomes ?? {}, run.total || run.ended, run.playing));
      const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
      put(facts, run.state === "done" ? null : [
        fact("rate", known(run.per_min) ? `${brief(run.per_min)} episodes/min` : NONE),
        fact("done in", known(run.eta_s) ? `about ${span(run.eta_s)}` : NONE),
          fact("owed", known(run.owed) ? count(run.owed) : NONE),
      ], spending(run), fact(run.state === "done" ? "begun" : "handed in", moment(run.submitted)));
      const bad = run.errors ?? [];
      errors.hidden = !bad.length;
      errorCount.textContent = `${plural(bad.length, "error")}${bad.length >= 20 ? " (the latest)" : ""}`;
      put(errorList, bad.map((each) => h("li", {}, h("a", { href: episodePath(run.run, each.episode) }, oneLine(each.episode)),
        h("span", {}, oneLine(each.error)))));
      put(buttons, (run.can ?? []).map((act) => ACTS[act] ? h("button",
        { type: "button", class: act === "cancel" ? "danger slim" : "slim",
        onclick: (event) => control(run, act, event.currentTarget) }, ACTS[act].label) : null),
        linked && run.ended ? h("a", { class: "button slim", href: path("results", run.run) }, "Results") : null);
    },
  };
}

const ACTS = {
  pause: { label: "Pause", title: "Pause",
    words: "Turns that are being asked are finished; no new ones are asked until it is resumed." },
  resume: { label: "Resume", title: "Resume", words: "It goes on where it was." },
  cancel: { label: "Cancel", title: "Cancel",
    words: "What has been played to an end is kept; episodes that have not ended are dropped." },
};

async function control(run, act, button) {
  const { title, words } = ACTS[act];
  if (!await confirm({ title: `${title} ${oneLine(run.run)}?`, words, yes: title, danger: act === "cancel" })) return;
  button.disabled = true;
  try { await post(api("runs", run.run, act)); } catch (error) { tell(error); }
  button.disabled = false;
}

export function runPage({ main, params, query, signal, rewrite }) {
  const view = runView({ run: params.run }, { linked: false });
  const top = h("ul", {}, view.element);
  const config = h("details", { class: "panel config" }, h("summary", {}, "Configuration"));
  const filter = searchField({ query, rewrite, label: "Filter episodes", onchange: () => draw() });
  const found = h("span", { class: "small soft", role: "status" });
  const table = episodesTable(params.run);
  let data = null, timer = 0, stale = false;
  put(main, h("p", { class: "crumbs" }, h("a", { href: "/runs" }, "runs"), " / ", oneLine(params.run), " · ",
    h("a", { href: path("results", params.run) }, "results")),
    top, h("section", { class: "panel" }, h("div", { class: "page-head" }, h("h2", {}, "Episodes"), filter.element, found),
      table.element), config);

  function draw() {
    if (!data) return;
    const rows = (data.episodes ?? []).filter((row) =>
      filter.fits([row.episode, row.variant, row.outcome ?? "playing", ...Object.values(row.seats ?? {})].join(" ")));
    found.textContent = `${count(rows.length)} of ${count(data.episodes?.length ?? 0)}`;
    table.show(rows);
  }
  async function load() {
    clearTimeout(timer);
    timer = 0;
    stale = false;
    try {
      data = await get(api("runs", params.run), signal);
      view.update(data);
      put(config, h("summary", {}, "Configuration"), h("pre", {}, JSON.stringify(data.config ?? {}, null, 2)));
      draw();
    } catch (error) {
      if (error.name !== "AbortError" && !data) put(top, noticeOf(error));
    }
  }
  load();
  let before = "";
  const end = listen("/api/stream?topics=runs", { runs: ({ runs }) => {
    const run = runs.find((each) => each.run === params.run);
    if (!run || !data) return;
    view.update({ ...data, ...run });
    const now = JSON.stringify([run.ended, run.playing, run.state]);
    stale ||= now !== before;
    before = now;
    if (stale && !timer) timer = setTimeout(load, AGAIN_MS);
  } });
  return { leave() { end(); clearTimeout(timer); } };
}

function episodesTable(run) {
  return sortable({
    label: "Episodes",
    sort: ["episode", false],
    columns: [
      { name: "episode", label: "Episode", value: (row) => row.episode,
        cell: (row) => h("a", { href: episodePath(run, row.episode) }, oneLine(row.episode)) },
      { name: "variant", label: "Variant", value: (row) => oneLine(row.variant) },
      { name: "agents", label: "Agents", value: (row) => Object.values(row.seats ?? {}).map(shortAgent).join(" + ") },
      { name: "outcome", label: "Outcome", value: (row) => row.outcome ?? "playing",
        cell: (row) => badge(row.outcome ?? "playing") },
      { name: "score", label: "Score", num: true, value: (row) => row.score, cell: (row) => score(row.score) },
      { name: "turns", label: "Turns", num: true, value: (row) => row.turn ?? row.turns,
        cell: (row) => count(row.turn ?? row.turns) },
      { name: "tokens", label: "Tokens", num: true, value: (row) => row.tokens, cell: (row) => brief(row.tokens) },
      { name: "cost", label: "Cost", num: true, value: (row) => row.cost, cell: (row) => money(row.cost) },
      { name: "ended", label: "Ended", num: true, value: (row) => row.ended, cell: (row) => moment(row.ended) },
    ],
  });
}
