// The pages of results: every run in brief; one run with its tables, its report and its episodes.

import { api, get } from "../api.js";
import { h, put } from "../dom.js";
import { brief, count, episodePath, moment, money, oneLine, path, plural, score } from "../format.js";
import { keys } from "../keys.js";
import { empty, noticeOf } from "../notice.js";
import { searchField, stepThrough } from "../search.js";
import { badge, shortAgent } from "../seat.js";
import { sortable } from "../table.js";
import { fresh } from "./fresh.js";
import { heat, measures, resultTables } from "./tables.js";
import { scaleOf, whisker } from "./plots.js";
import { isRelay, relayCurves } from "./relays.js";

const BRIEFLY = 6;

export function resultsPage({ main, query, signal, rewrite }) {
  const filter = searchField({ query, rewrite, label: "Filter results", onchange: () => draw() });
  const found = h("span", { class: "small soft", role: "status" });
  const place = h("div", { class: "stack" }, h("p", { class: "empty" }, "Reading the results…"));
  put(main, h("div", { class: "page-head" }, h("h1", {}, "Results"), filter.element, found), place);
  let runs = null;
  function draw() {
    if (!runs) return;
    const fits = runs.filter((run) => filter.fits([run.run, run.game, ...run.agents].join(" ")));
    found.textContent = runs.length ? `${count(fits.length)} of ${plural(runs.length, "run")}` : "";
    if (!runs.length) { put(place, empty("There are no results yet", "They appear when the first episode of a run has ended.",
      ["palaver run maze --agents scripted -n 50 --watch"])); return; }
    put(place, studies(fits), across(fits), h("ul", { class: "runs" }, fits.map(brief_)));
  }
  const read = () => get(api("results"), signal).then((said) => { runs = said.runs; draw(); },
    (error) => { if (error.name !== "AbortError" && !runs) put(place, noticeOf(error)); });
  read();
  const stale = fresh(read, (run) => (runs ? ended(runs.find((each) => each.run === run.run)) : null));
  const step = stepThrough(place, "h2 a");
  const away = keys("Results", { j: [() => step(1), "next run"], k: [() => step(-1), "run before"] });
  return { leave: () => { away(); stale(); } };
}

/** The reports of whole studies, each with all of its runs. */
function studies(runs) {
  const names = [...new Set(runs.map((run) => run.study).filter(Boolean))];
  return names.map((name) => {
    const report = h("details", { class: "panel report", ontoggle: () => {
      if (report.open && !report.querySelector("iframe")) report.append(...framed(path("report", "study", name), name));
    } }, h("summary", {}, `Report of the study ${oneLine(name)}`));
    return report;
  });
}

function framed(address, name) {
  return [h("p", { class: "small" }, h("a", { href: address, target: "_blank", rel: "noopener" }, "Open it alone ↗")),
    h("iframe", { src: address, title: `Report of ${oneLine(name)}`, sandbox: "allow-scripts", loading: "lazy" })];
}

/** Runs of one game with different agents make one heat map, and relays of different turns a curve. */
function across(runs) {
  const games = [...new Set(runs.map((run) => run.game))];
  const maps = games.map((game) => {
    const mine = runs.filter((run) => run.game === game);
    const rows = mine.flatMap((run) => run.rows ?? []);
    const measure = measures(rows, mine.find((run) => run.primary)?.primary)[0];
    const plots = mine.length > 1 && measure
      ? [heat(rows.filter((row) => !isRelay(row)), measure), relayCurves(rows, measure)].filter(Boolean) : [];
    return plots.length ? h("section", { class: "panel" }, h("h2", {}, oneLine(game)), h("div", { class: "plots" }, plots)) : null;
  }).filter(Boolean);
  return maps.length ? maps : null;
}

function ended(run) {
  return (run?.rows ?? []).reduce((sum, row) => sum + row.ungraded + Object.values(row.outcomes ?? {}).reduce((all, n) =>
    all + n, 0), 0);
}

function played(run) {
  const done = ended(run);
  return done < run.episodes ? `${count(done)} of ${plural(run.episodes, "episode")}` : plural(done, "episode");
}

function brief_(run) {
  const rows = [...(run.overall?.length ? run.overall : run.rows ?? [])];
  const measure = measures(rows, run.primary)[0];
  const scale = scaleOf(rows.map((row) => row.scores?.[measure]));
  return h("li", { class: "panel run" },
    h("div", { class: "spread" }, h("h2", {}, h("a", { href: path("results", run.run) }, oneLine(run.run))),
      h("span", { class: "small soft" }, played(run))),
    h("p", { class: "small soft run-who" }, oneLine(run.game), " · ", run.agents.map(shortAgent).join(" + ")),
    measure ? h("div", { class: "scroll" }, h("table", { class: "brief" }, h("caption", { class: "unseen" }, measure),
      h("tbody", {}, rows.slice(0, BRIEFLY).map((row) => h("tr", {},
      h("th", { scope: "row" }, row.agents.map(shortAgent).join(" + "), " ",
        h("span", { class: "soft small" }, oneLine(row.variant))),
      h("td", { class: "soft small nowrap" }, oneLine(measure)),
        h("td", { class: "num" }, h("strong", {}, score(row.scores?.[measure]?.mean))),
        h("td", {}, whisker(row.scores?.[measure], scale)),
      h("td", { class: "num soft small" }, `n ${count(row.n)}`))))))
        : h("p", { class: "soft small" }, run.error ? oneLine(run.error) : "nothing was played to an end yet"),
    rows.length > BRIEFLY ? h("p", { class: "small soft" }, `and ${rows.length - BRIEFLY} more`) : null);
}

export function resultPage({ main, params, query, signal, rewrite }) {
  const tables = h("section", { class: "panel" }, h("p", { class: "soft" }, "Reading the results…"));
  const filter = searchField({
    query, rewrite, placeholder: "Find an episode", label: "Find an episode by name, variant or outcome", onchange: () => draw(),
  });
  const found = h("span", { class: "small soft", role: "status" });
  const episodes = sortable({ label: "Episodes", sort: ["episode", false], columns: [
    { name: "episode", label: "Episode", value: (row) => row.episode,
      cell: (row) => h("a", { href: episodePath(params.run, row.episode) }, oneLine(row.episode)) },
    { name: "variant", label: "Variant", value: (row) => oneLine(row.variant) },
    { name: "outcome", label: "Outcome", value: (row) => row.outcome, cell: (row) => badge(row.outcome) },
    { name: "score", label: "Score", num: true, value: (row) => row.score, cell: (row) => score(row.score) },
    { name: "turns", label: "Turns", num: true, value: (row) => row.turns, cell: (row) => count(row.turns) },
    { name: "tokens", label: "Tokens", num: true, value: (row) => row.tokens, cell: (row) => brief(row.tokens) },
    { name: "cost", label: "Cost", num: true, value: (row) => row.cost, cell: (row) => money(row.cost) },
    { name: "ended", label: "Ended", num: true, value: (row) => row.ended, cell: (row) => moment(row.ended) },
  ] });
  const report = h("details", { class: "panel report", open: query.has("report"), ontoggle: show }, h("summary", {}, "Report"));
  put(main, h("p", { class: "crumbs" }, h("a", { href: "/results" }, "results"), " / ", oneLine(params.run), " · ",
    h("a", { href: path("runs", params.run) }, "run")),
    h("div", { class: "page-head" }, h("h1", {}, oneLine(params.run)), h("span", { class: "soft" })), tables, report,
    h("section", { class: "panel" }, h("div", { class: "page-head" }, h("h2", {}, "Episodes"), filter.element, found),
      episodes.element));
  let result = null;
  function draw() {
    if (!result) return;
    const rows = (result.episodes ?? []).filter((row) => filter.fits([row.episode, row.variant, row.outcome].join(" ")));
    found.textContent = `${count(rows.length)} of ${count(result.episodes?.length ?? 0)}`;
    episodes.show(rows);
  }
  function show() {
    rewrite({ report: report.open ? "1" : null });
    if (!report.open || report.querySelector("iframe") || !result) return;
    report.append(...(result.report === false
      ? [h("p", { class: "soft" }, "There is no report of this run: it has no run folder here, or no episode has ended.")]
      : framed(path("report", params.run), params.run)));
  }
  const read = () => get(api("results", params.run), signal).then((said) => {
    result = said.runs ? said.runs[0] : said;
    put(main.querySelector(".page-head .soft"),
      [oneLine(result.game), result.agents.map(shortAgent).join(" + "), plural(result.episodes?.length ?? 0, "episode")].join(" · "));
    put(tables, resultTables(result));
    draw();
    show();
  }, (error) => { if (error.name !== "AbortError" && !result) put(tables, noticeOf(error)); });
  read();
  return { leave: fresh(read, (run) => (run.run === params.run ? result?.episodes?.length ?? 0 : null)) };
}
