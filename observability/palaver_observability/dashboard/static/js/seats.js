// The page of human seats: which are open, their links, who sits; and the studies.

import { h, put } from "./dom.js";
import { NONE, episodePath, known, oneLine, plural, ticking } from "./format.js";
import { empty, tell } from "./notice.js";
import { badge } from "./seat.js";
import { listen } from "./stream.js";
import { sortable } from "./table.js";

const STATES = { open: ["open", "open"], taken: ["playing", "taken"], done: ["", "done"], stopped: ["warn", "run stopped"] };
const STOPPED = ["paused", "cancelled"];

export function seatsPage({ main, hello }) {
  if (!hello.can?.seats) {
    put(main, h("div", { class: "page-head" }, h("h1", {}, "Seats")),
      empty("People cannot be seated here",
      "Seats for people are offered by a dashboard on a bus or of a running run, to operators.",
      ["palaver run comma --agents human,scripted --watch", "palaver serve dashboard --broker redis://…"]));
    return {};
  }
  const now = () => Date.now() / 1000 + hello.skew;
  const place = h("div", { class: "stack" }, h("p", { class: "empty" }, "Looking for seats…"));
  put(main, h("div", { class: "page-head" }, h("h1", {}, "Seats"),
    h("span", { class: "soft" }, "send a link to a person: whoever opens it first sits there")), place);
  const table = sortable({ label: "Seats for people", columns: [
    { name: "seat", label: "Seat", value: (row) => row.seat, cell: (row) => h("strong", {}, oneLine(row.seat)) },
    { name: "link", label: "Link",
      cell: (row) => (row.link && row.state !== "done" ? linkButtons(row.link, `${row.seat} in ${row.episode}`) : null) },
    { name: "episode", label: "Episode", value: (row) => `${row.run}/${row.episode}`,
      cell: (row) => [h("a", { href: episodePath(row.run, row.episode) }, oneLine(row.episode)),
      h("div", { class: "tiny soft" }, `${oneLine(row.game)} · ${oneLine(row.variant)} · ${oneLine(row.run)}`)] },
    { name: "state", label: "State", value: (row) => row.state, cell: (row) => badge(...(STATES[row.state] ?? [row.state])) },
    { name: "who", label: "Who", value: (row) => row.who, cell: (row) =>
      (row.who ? [oneLine(row.who), " ", row.connected ? badge("ok", "here") : badge("warn", "away")] : NONE) },
    { name: "asked", label: "Asked for", num: true, value: (row) => row.asked_at,
      cell: (row) => (known(row.asked_at) ? h("span", { data: { since: row.asked_at } }, ticking(now() - row.asked_at))
      : NONE) },
  ] });
  const studies = h("div", { class: "stack" });
  let drawn = "";
  let last = {};
  let stopped = new Set();
  const draw = (event) => {
    last = event;
    const { seats: said = [], studies: all = [] } = Array.isArray(event.seats) ? event : event.seats ?? {};
    const seats = said.map((each) => (each.state !== "done" && stopped.has(each.run) ? { ...each, state: "stopped" } : each));
    const next = JSON.stringify([seats, all]);
    if (next === drawn) return;
    drawn = next;
    if (!seats.length && !all.length) {
      put(place, empty("No seat is for a person",
        "Give a seat to a person when a run is started, or take one over on an episode's page.",
        ["palaver run comma --agents human,scripted --watch",
        "palaver submit comma --agents human,scripted --broker redis://…"]));
      return;
    }
    table.show(seats);
    put(studies, all.map(study));
    put(place, all.length ? studies : null, seats.length ? h("section", { class: "panel" }, h("h2", {}, "Seats"),
      table.element) : null);
  };
  const end = listen("/api/stream?topics=runs,seats", { seats: draw, runs: ({ runs }) => {
    stopped = new Set(runs.filter((run) => STOPPED.includes(run.state)).map((run) => run.run));
    if (last.seats) draw(last);
  } });
  const tick = setInterval(() => {
    for (const each of place.querySelectorAll("[data-since]")) each.textContent = ticking(now() - Number(each.dataset.since));
  }, 1000);
  return { leave() { end(); clearInterval(tick); } };
}

function study(each) {
  const total = each.episodes_done + each.episodes_open;
  return h("section", { class: "panel stack" }, h("div", { class: "spread" }, h("h2", {}, `Study ${oneLine(each.name)}`),
    linkButtons(each.link, `study ${each.name}`)),
    h("div", { class: "spread small" }, h("span", {}, `${each.episodes_done} of ${plural(total, "episode")} done`),
      h("span", { class: "soft" }, plural(each.people, "person", "people"))),
    h("div", { class: "bar", role: "img", "aria-label": `${each.episodes_done} of ${total}` },
      h("span", { class: "solved", vars: { "--share": String(total ? each.episodes_done / total : 0) } })));
}

/** The address is never shown in full: whoever looks over a shoulder should not sit down. */
function linkButtons(link, what) {
  const address = new URL(link, location.origin).href;
  const copy = h("button", { type: "button", class: "slim", "aria-label": `Copy the link to ${oneLine(what)}`,
    onclick: async () => {
    try {
      await navigator.clipboard.writeText(address);
      copy.textContent = "Copied";
    } catch {
      tell({ message: "The browser does not let pages copy here.", mend: address }, "warn");
    }
    setTimeout(() => { copy.textContent = "Copy link"; }, 2000);
  } }, "Copy link");
  return h("span", { class: "row" }, copy,
    h("a", { class: "button slim", href: address, target: "_blank", rel: "noopener",
    "aria-label": `Open the link to ${oneLine(what)}` }, "Open ↗"));
}
