// How what is said is set. What partners say stays as it came, but for drawings; the task that the game sets may have
// headings, lists, tables and bold words, and nothing else: each is built as an element, and its words are text.

import { h } from "./dom.js";
import { visible } from "./format.js";

const HEADING = /^(#{1,4}) +(\S.*)$/;
const RULE = /^\|[ :|-]*-[ :|-]*\|\s*$/;
const ITEM = /^ {0,3}[-*] +(\S.*)$/;
const BOLD = /\*\*([^*\n]+)\*\*/;
const LEAST_DRAWN = 3;

/** A text as its blocks: `{kind: "heading" | "list" | "table" | "drawn" | "text", ...}`. */
export function blocksOf(words) {
  const lines = words.split("\n");
  const blocks = [];
  let plain = [];
  const flush = () => { // what is not set otherwise; it may hold drawings
    for (const piece of piecesOf(plain.join("\n"))) {
      const text = piece.drawn ? piece.text : piece.text.replace(/^\n+|\s+$/g, "");
      if (text) blocks.push({ kind: piece.drawn ? "drawn" : "text", text });
    }
    plain = [];
  };
  for (let at = 0; at < lines.length;) {
    const heading = lines[at].match(HEADING);
    const end = reach(lines, at);
    if (heading) {
      flush();
      blocks.push({ kind: "heading", level: heading[1].length, text: heading[2] });
    } else if (end.table) {
      flush();
      const rows = lines.slice(at, end.table).filter((_, index) => index !== 1).map(cells);
      blocks.push({ kind: "table", head: rows[0], rows: rows.slice(1) });
    } else if (end.list) {
      flush();
      blocks.push({ kind: "list", items: lines.slice(at, end.list).map((line) => line.match(ITEM)[1]) });
    } else plain.push(lines[at]);
    at = end.table || end.list || at + 1;
  }
  flush();
  return blocks;
}

/** Where a table or a list ends that begins at a line; 0 where none does. */
function reach(lines, at) {
  let table = 0;
  let list = 0;
  if (lines[at].startsWith("|") && RULE.test(lines[at + 1] ?? "")) for (table = at + 2; lines[table]?.startsWith("|");) table += 1;
  if (ITEM.test(lines[at])) for (list = at + 1; ITEM.test(lines[list] ?? "");) list += 1;
  return { table, list };
}

const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

/** The task that the game sets. */
export function setTask(words) {
  return h("div", { class: "said sit-set", dir: "auto" }, blocksOf(visible(words)).map(block));
}

function block({ kind, text, level, items, head, rows }) {
  switch (kind) {
    case "heading": return h(level === 1 ? "h3" : "h4", {}, bold(text));
    case "list": return h("ul", {}, items.map((item) => h("li", {}, bold(item))));
    case "table": return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" }, h("table", {},
      h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, bold(cell))))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, bold(cell))))))));
    case "drawn": return h("span", { class: "said grid sit-drawn" }, text);
    default: return h("p", {}, bold(text));
  }
}

const bold = (words) => words.split(BOLD).map((piece, at) => (at % 2 ? h("strong", {}, piece) : piece));

/** What partners say, to the letter. */
export function setWords(words) {
  return h("div", { class: "said", dir: "auto" }, piecesOf(visible(words)).map((piece) => (piece.drawn ? h("span", { class: "said grid sit-drawn" }, piece.text) : piece.text)));
}

/** A text in pieces: what is drawn with signs (three or more lines of one width, more signs than letters) stands apart. */
function piecesOf(words) {
  const lines = words.split("\n");
  const pieces = [];
  for (let at = 0; at < lines.length;) {
    let to = at + 1;
    while (to < lines.length && lines[to].length === lines[at].length) to += 1;
    const run = lines.slice(at, to);
    const marks = run.join("");
    const drawn = run.length >= LEAST_DRAWN && lines[at].length > 2 && marks.replace(/[\p{L}\d_]/gu, "").length * 2 > marks.length;
    const last = pieces.at(-1);
    if (last && last.drawn === drawn && !drawn) last.text += `\n${run.join("\n")}`;
    else pieces.push({ drawn, text: run.join("\n") });
    at = to;
  }
  return pieces;
}
