// The page of agents: who is there and how they fare, what queues up before them, how their providers hold them back.

import { h, put } from "./dom.js";
import { NONE, brief, count, known, oneLine, plural, span } from "./format.js";
import { empty } from "./notice.js";
import { listen } from "./stream.js";
import { sortable } from "./table.js";

const KINDS = { agent: "Agents", gamemaster: "Game masters", recorder: "Recorders", dashboard: "Dashboards",
  porter: "Gateways", gateway: "Gateways" };
const OLD_S = 60;

export function agentsPage({ main, hello }) {
  const place = h("div", { class: "stack" }, h("p", { class: "empty" }, "Looking who is there…"));
  put(main, h("div", { class: "page-head" }, h("h1", {}, "Agents"),
    h("span", { class: "soft" }, "who is there, what they are asked, what holds them back")), place);
  const now = () => Date.now() / 1000 + hello.skew;
  let drawn = "";
  const end = listen("/api/stream?topics=agents", { agents: (event) => {
    const { members = [], queues = [], limits = [] } = event.agents && !Array.isArray(event.agents) ? event.agents : event;
    const next = JSON.stringify([members, queues, limits]);
    if (next === drawn) return;
    drawn = next;
    if (!members.length && !queues.length && !limits.length) {
      put(place, empty("Nobody is there",
        hello.source === "folder" ? "A run folder has no agents: they were there while it was played."
        : "Agents and game masters are services of their own. Start some; they appear here by themselves.",
        hello.source === "folder" ? [] : ["palaver serve agent --agent openai/gpt-5 --broker redis://…",
          "palaver serve gamemaster --broker redis://…"]));
      return;
    }
    put(place, absent(members, queues), queuesPanel(queues), membersPanels(members, now()), limitsPanel(limits, now()));
  } });
  return { leave: end };
}

/** Agents that are asked and are not there: the first thing to know. */
function absent(members, queues) {
  const there = new Set(members.filter((each) => each.kind === "agent").map((each) => each.name));
  const missing = queues.filter((each) => (each.unread || each.pending) && !there.has(each.agent));
  return missing.map((each) => h("div", { class: "notice error" },
    h("strong", {}, `${oneLine(each.agent)} is asked, and is not there.`),
    h("span", {}, `${waiting(each)}. `, mend(each.agent))));
}

function mend(agent) {
  if (agent.startsWith("bus/")) return "It is somebody's own: whoever serves it has to start it.";
  return ["Start it: ", h("code", {}, agent === "human" ? "palaver serve dashboard" : `palaver serve agent --agent ${oneLine(agent)}`)];
}

function waiting({ unread, pending, oldest_s }) {
  const questions = unread + pending;
  const oldest = known(oldest_s) ? `, the oldest for ${span(oldest_s)}` : "";
  return `${plural(questions, "question")} ${questions === 1 ? "waits" : "wait"}${oldest}`;
}

function queuesPanel(queues) {
  if (!queues.length) return null;
  const table = sortable({ label: "Queues", columns: [
    { name: "agent", label: "Agent", value: (row) => row.agent, cell: (row) => oneLine(row.agent) },
    { name: "unread", label: "Unread", num: true, value: (row) => row.unread, cell: (row) => count(row.unread) },
    { name: "pending", label: "Being answered", num: true, value: (row) => row.pending, cell: (row) => count(row.pending) },
    { name: "oldest", label: "Oldest", num: true, value: (row) => row.oldest_s,
      cell: (row) => h("span", { class: row.oldest_s > OLD_S ? "late" : "" },
        known(row.oldest_s) && row.unread + row.pending ? span(row.oldest_s) : NONE) },
  ] });
  table.show([...queues].sort((a, b) => (b.oldest_s ?? 0) - (a.oldest_s ?? 0)));
  return h("section", { class: "panel" }, h("h2", {}, "Questions that wait"), table.element);
}

function membersPanels(members, now) {
  const kinds = [...new Set(members.map((each) => each.kind))].sort((a, b) =>
    Object.keys(KINDS).indexOf(a) - Object.keys(KINDS).indexOf(b));
  return kinds.map((kind) => {
    const mine = members.filter((each) => each.kind === kind);
    const table = sortable({ label: KINDS[kind] ?? kind, columns: [
      { name: "name", label: "Name", value: (row) => row.name,
        cell: (row) => [oneLine(row.name), row.about
          ? h("div", { class: "tiny soft clip about", title: about(row.about) }, about(row.about)) : null] },
      { name: "busy", label: "Busy", value: (row) => row.busy, cell: (row) => busy(row) },
      { name: "host", label: "Where", value: (row) => row.host,
        cell: (row) => h("span", { class: "small soft" }, `${oneLine(row.host)}${row.pid ? `, process ${row.pid}` : ""}`) },
      { name: "version", label: "Version", value: (row) => row.version,
        cell: (row) => h("span", { class: "small soft" }, oneLine(row.version)) },
      { name: "since", label: "There for", num: true, value: (row) => row.since,
        cell: (row) => (known(row.since) ? span(now - row.since) : NONE) },
    ] });
    table.show(mine);
    return h("section", { class: "panel" }, h("h2", {}, `${KINDS[kind] ?? oneLine(kind)} `,
      h("span", { class: "soft" }, count(mine.length))), table.element);
  });
}

function about(said) {
  if (typeof said === "string") return oneLine(said);
  const words = (value) => (Array.isArray(value) ? value.join(", ") : typeof value === "object" ? JSON.stringify(value) : value);
  return oneLine(Object.entries(said).map(([name, value]) => `${name}: ${words(value)}`).join("; "));
}

function busy(row) {
  if (!known(row.concurrency) || !row.concurrency) return known(row.busy) ? count(row.busy) : NONE;
  const share = Math.min(1, row.busy / row.concurrency);
  return h("div", { class: "busy" }, h("div", { class: "bar", role: "img", "aria-label": `${row.busy} of ${row.concurrency}` },
    h("span", { class: share >= 1 ? "warn" : "", vars: { "--share": String(share) } })),
    h("span", { class: "small" }, `${count(row.busy)} of ${count(row.concurrency)}`));
}

function limitsPanel(limits, now) {
  if (!limits.length) return null;
  return h("section", { class: "panel" }, h("h2", {}, "Rate limits"),
    h("ul", { class: "limits" }, limits.map((limit) => h("li", {}, h("h3", {}, oneLine(limit.name)),
    h("dl", { class: "facts-list" }, Object.entries(limit).filter(([name, value]) => name !== "name"
      && value !== null).map(([name, value]) =>
      h("div", {}, h("dt", {}, oneLine(name).replaceAll("_", " ")), h("dd", {}, shown(name, value, now)))))))));
}

function shown(name, value, now) {
  if (known(value) && /until|_at$/.test(name)) return value > now ? `for ${span(value - now)} more` : "no";
  if (known(value)) return /_s$/.test(name) ? span(value) : brief(value);
  return oneLine(typeof value === "object" ? JSON.stringify(value) : String(value));
}
