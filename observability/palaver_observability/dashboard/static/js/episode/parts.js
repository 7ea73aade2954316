// What a message is made of: texts as they were said, pictures in their places. Nothing of it is markup.

import { zoom } from "../dialog.js";
import { h } from "../dom.js";
import { visible } from "../format.js";

const LONG = 1_600;
const LINES = 26;

/** Whether lines are drawn with signs, so that only letters of one width keep their places: prose has long words. */
export function isGrid(text) {
  const inWords = (line) => (line.match(/\p{L}{3,}/gu) ?? []).join("").length;
  const drawn = (line) => line.length > 2 && (line.includes("|") || inWords(line) < line.length / 3);
  const lines = text.split("\n");
  return lines.some((line, at) => drawn(line) && [1, 2].every((by) => lines[at + by]?.length === line.length
    && drawn(lines[at + by])));
}

export function partsOf(parts, { fold = LONG, lines = LINES } = {}) {
  const shown = (parts ?? []).map((part) => (part.type === "image" ? picture(part) : text(part.text, fold, lines)));
  return shown.length ? shown : [h("p", { class: "soft small" }, "nothing was said")];
}

function text(words, fold, lines) {
  const said = visible(words);
  if (!said.trim()) return h("p", { class: "soft small" }, said ? "only blanks were said" : "nothing was said");
  const place = h("div", { class: `said ${isGrid(said) ? "grid" : ""}`, dir: "auto" }, said);
  if (said.length <= fold && said.split("\n").length <= lines) return place;
  place.classList.add("folded");
  const more = h("button", { type: "button", class: "link small", "aria-expanded": "false", onclick: () => {
    const open = place.classList.toggle("folded");
    more.setAttribute("aria-expanded", String(!open));
    more.textContent = open ? "Show all" : "Show less";
  } }, "Show all");
  return h("div", {}, place, more);
}

function picture(part) {
  const words = visible(part.alt || `picture, ${part.width} × ${part.height}`);
  return h("button", { type: "button", class: "pictured", "aria-label": `Enlarge: ${words}`,
    onclick: () => zoom(part.url, words) },
    h("img", { src: part.url, alt: words, width: part.width, height: part.height, loading: "lazy" }));
}

export const ENDS = { length: "cut off at the length limit", refusal: "the model refused",
  content_filter: "stopped by a content filter", other: "ended for a reason of its provider's own" };

/** Who heard it: `to all`, `to expert`; nobody else, where a seat talks with the game alone. */
export function heard(audience, seats, speaker) {
  if (!audience) return seats.length > 1 ? "to all" : "";
  const others = audience.filter((each) => each !== speaker);
  if (!others.length) return "to the game";
  return `to ${others.join(", ")}`;
}
