// Says in one line what went wrong, where everybody looks, and goes away by itself or when it is told to.

import { h } from "./dom.js";
import { oneLine } from "./format.js";

const STAYS_MS = 12_000;

/** One line with its mend, to stand in a page. */
export function noticeOf(error, kind = "error") {
  return h("div", { class: `notice ${kind}` }, h("strong", {}, oneLine(error.message)),
    error.mend ? h("span", {}, oneLine(error.mend)) : null);
}

/** The same at the top of the page, for what somebody has just asked for. */
export function tell(error, kind = "error") {
  const place = document.getElementById("notices");
  const line = noticeOf(error, kind);
  line.append(h("button", { type: "button", class: "quiet slim", "aria-label": "Dismiss", onclick: () => line.remove() }, "×"));
  place.append(line);
  while (place.children.length > 3) place.firstChild.remove();
  setTimeout(() => line.remove(), STAYS_MS);
}

/** What a page says where there is nothing yet, and how to make something. */
export function empty(title, words, commands = []) {
  return h("div", { class: "empty" }, h("h2", {}, title), words ? h("p", {}, words) : null,
    commands.length ? h("pre", {}, commands.join("\n")) : null);
}
