// The keyboard: pages say what their keys do, `?` shows them all, and nothing is taken from whoever is typing.

import { h } from "./dom.js";

const layers = new Set();
let pending = "", pendingSince = 0;

/** Add keys while a page is shown: {"j": [f, "next card"], "g n": [f, "now"]}. Returns a function that takes them away. */
export function keys(title, bindings) {
  const layer = { title, bindings };
  layers.add(layer);
  return () => layers.delete(layer);
}

const SHOWN = { ArrowLeft: "←", ArrowRight: "→", " ": "Space" };

function typing(target) {
  return Boolean(target.closest?.("input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable]"));
}

function find(name) {
  for (const layer of [...layers].reverse()) if (layer.bindings[name]) return layer.bindings[name][0];
  return null;
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.key === "Escape" && typing(event.target)) { event.target.blur(); return; }
  if (typing(event.target) || document.querySelector("dialog[open]")) return;
  const now = performance.now();
  const name = pending && now - pendingSince < 1500 ? `${pending} ${event.key}` : event.key;
  pending = "";
  const act = find(name) ?? find(event.key);
  // what has the focus comes first where it does something with the same key
  if (act && (event.key === " " || event.key === "Enter") && event.target.closest?.("button, a, summary, input")) return;
  if (act && event.target.type === "range" && /^(Arrow|Home|End)/.test(event.key)) return;
  if (act) { if (act(event) !== false) event.preventDefault(); return; }
  if ([...layers].some((layer) => Object.keys(layer.bindings).some((each) => each.startsWith(`${event.key} `)))) {
    pending = event.key;
    pendingSince = now;
  }
}

function help() {
  const dialog = h("dialog", { "aria-label": "Keys", class: "keys-help", onclose: () => dialog.remove(),
    onclick: (event) => { if (event.target === dialog) dialog.close(); } },
    h("h2", {}, "Keys"),
    [...layers].filter((layer) => layer.title).map((layer) => h("section", {},
      h("h3", {}, layer.title),
      h("dl", {}, Object.entries(layer.bindings).filter(([, [, words]]) => words).map(([name, [, words]]) => h("div", {},
        h("dt", {}, name.split(/ (?=.)/).map((each) => h("kbd", {}, SHOWN[each] ?? each))), h("dd", {}, words)))))),
    h("form", { method: "dialog", class: "choices" }, h("button", { class: "primary", autofocus: true }, "Close")));
  document.body.append(dialog);
  dialog.showModal();
}

export function startKeys(button, go) {
  document.addEventListener("keydown", press);
  button.addEventListener("click", help);
  keys("Everywhere", {
    "?": [help, "these keys"],
    "g n": [() => go("/"), "now"],
    "g r": [() => go("/runs"), "runs"],
    "g e": [() => go("/results"), "results"],
    "g a": [() => go("/agents"), "agents"],
    "g s": [() => go("/seats"), "seats"],
    "/": [() => { document.querySelector("[data-filter]")?.focus(); }, "filter"],
  });
}
