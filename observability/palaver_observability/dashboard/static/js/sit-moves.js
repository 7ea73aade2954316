// Moves as buttons, in their groups, and by their keys.

import { h } from "./dom.js";
import { oneLine } from "./format.js";

const SHOWN = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", " ": "space", Enter: "⏎" };
const ARROW = /^Arrow/;

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

  const element = h("div", { class: "sit-moves", role: "group", "aria-label": "Moves" }, groups.map((group) => {
    const own = all.filter((move) => move.group === group);
    let head = group ? h("h3", { class: "sit-group small soft" }, oneLine(group)) : null;
    if (group && shared.includes(group)) {
      const button = h("button", { type: "button", class: "quiet slim", "aria-pressed": "false", title: "Keys move these", onclick: () => select(group) }, oneLine(group));
      heads.set(group, button);
      head = h("h3", { class: "sit-group" }, button);
    }
    return h("div", { class: "sit-move-group", role: "group", "aria-label": oneLine(group) || "Moves" }, head,
      h("div", { class: "sit-buttons" }, own.map((move) => button(move, () => { if (heads.has(group)) select(group); choose(move); }))));
  }));
  if (heads.size) select(selected);

  /** Whether a key was a move. `typing`: into a text that is not empty, or, with letters, into any. */
  const hear = (event, { typing, empty }) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
    if (typing && !(empty && ARROW.test(event.key))) return false;
    const fits = all.filter((move) => move.keys.some((key) => key === event.key || (key.length === 1 && key === event.key.toLowerCase())));
    const move = fits.find((each) => each.group === selected) ?? fits[0];
    if (!move) return false;
    event.preventDefault();
    choose(move);
    return true;
  };

  return { element, hear, group: () => selected };
}

function button(move, onclick) {
  const keys = move.keys.map((key) => SHOWN[key] ?? key);
  return h("button", { type: "button", class: "sit-move", onclick, "aria-keyshortcuts": move.keys.join(" ") || null, title: move.ends ? "Sent at once" : `Adds: ${oneLine(move.says)}` },
    h("span", {}, oneLine(move.label)), keys.length ? h("kbd", { "aria-hidden": "true" }, keys[0]) : null);
}
