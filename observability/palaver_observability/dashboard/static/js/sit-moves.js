// Moves as buttons, in their groups, and by their keys.

import { h } from "./dom.js";
import { oneLine } from "./format.js";

const SHOWN = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", " ": "space", Enter: "⏎" };
const ARROW = /^Arrow/;
const ASIDE = { ArrowLeft: -1, ArrowRight: 1 };

/** Buttons for moves; `choose(move)` is called for a click or a key, `last` is the group that was moved last. Returns the element and what hears keys. */
export function moves(all, choose, last = null) {
  const groups = [...new Set(all.map((move) => move.group))];
  const shared = groups.filter((group) => all.some((move) => move.group === group && clashes(move)));
  let selected = shared.includes(last) ? last : shared[0] ?? groups[0];
  const heads = new Map();

  function clashes(move) {
    return all.some((other) => other.group !== move.group && other.keys.some((key) => move.keys.includes(key)));
  }

  const select = (group) => {
    selected = group;
    for (const [each, head] of heads) head.setAttribute("aria-pressed", String(each === group));
  };

  const of = (group) => all.filter((move) => move.group === group);
  const wide = Math.max(...groups.map((group) => of(group).length));
  const rows = groups.filter((group) => group && of(group).length === wide); // groups that are alike stand like a table
  const isTable = rows.length > 1 && wide > 1 && wide < 5 && rows.length >= groups.length - 1;
  const element = h("div", { class: `sit-moves ${isTable ? "sit-rows" : ""}`, role: "group", "aria-label": "Moves", tabindex: "-1", vars: { "--across": wide } },
    groups.map((group) => {
      let head = group ? h("h3", { class: "sit-group small soft" }, oneLine(group)) : null;
      if (group && shared.includes(group)) {
        const button = h("button", { type: "button", class: "quiet slim", "aria-pressed": "false", title: "The keys move this one", onclick: () => select(group) }, oneLine(group));
        heads.set(group, button);
        head = h("h3", { class: "sit-group" }, button);
      }
      return h("div", { class: "sit-move-group", role: "group", "aria-label": oneLine(group) || "Moves", onfocusin: () => { if (heads.has(group)) select(group); } }, head,
        h("div", { class: "sit-buttons" }, of(group).map((move) => button(move, () => { if (heads.has(group)) select(group); choose(move); }))));
    }),
    h("p", { class: "tiny soft sit-keys" }, hintOf(all, shared.length > 0)));
  // A click leaves the focus where it is: else Enter, meant to send, would press the button once more.
  element.addEventListener("mousedown", (event) => { if (event.target.closest("button")) event.preventDefault(); });
  if (heads.size) select(selected);

  /** Whether a key was a move. `typing`: into a text that is not empty, or, with letters, into any. */
  const hear = (event, { typing, empty }) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
    if (typing && !(empty && ARROW.test(event.key))) return false;
    const fits = all.filter((move) => move.keys.some((key) => key === event.key || (key.length === 1 && key === event.key.toLowerCase())));
    const move = fits.find((each) => each.group === selected) ?? fits[0];
    if (move) choose(move);
    else if (event.key in ASIDE && shared.length > 1) select(shared.at((shared.indexOf(selected) + ASIDE[event.key]) % shared.length));
    else return false;
    event.preventDefault();
    return true;
  };

  return { element, hear, group: () => selected };
}

/** Say how keys are used. */
function hintOf(all, isShared) {
  const keys = all.flatMap((move) => move.keys);
  const chosen = isShared ? " They move what is marked ⌨: choose another by a click or Tab." : "";
  if (keys.some((key) => key.length === 1)) return `Esc leaves the text box: then the keys on the buttons work, and Enter sends.${chosen}`;
  return keys.length ? `The arrow keys work as long as you have not begun to type.${chosen}` : "";
}

function button(move, onclick) {
  const keys = move.keys.map((key) => SHOWN[key] ?? key);
  return h("button", { type: "button", class: "sit-move", onclick, "aria-keyshortcuts": move.keys.join(" ") || null, title: move.ends ? "Sent at once" : `Adds a line to your answer: ${oneLine(move.says)}` },
    h("span", {}, oneLine(move.label)), keys.length ? h("kbd", { class: ARROW.test(move.keys[0]) ? null : "letter", "aria-hidden": "true" }, keys[0]) : null);
}
