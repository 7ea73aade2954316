// Looking for something by words: a field that stands in the address, and what fits it.

import { h } from "./dom.js";

/** Whether every word of a wish is somewhere in a text, in whatever letters. */
export function fitsWords(wish, text) {
  const words = wish.toLowerCase().split(/\s+/).filter(Boolean);
  const all = text.toLowerCase();
  return words.every((word) => all.includes(word));
}

/** A field that begins with the address's `q`, and keeps it there; `/` goes to it. Returns {element, fits(text)}. */
export function searchField({ query, rewrite, label, placeholder = "Filter", onchange }) {
  const element = h("input", {
    type: "search", placeholder, "aria-label": label, data: { filter: "" }, value: query.get("q") ?? "",
    oninput: () => { rewrite({ q: element.value }); onchange(); },
  });
  return { element, fits: (text) => fitsWords(element.value, text) };
}

/** Go up and down a list of links by keys. */
export function stepThrough(list, selector) {
  return (by) => {
    const links = [...list.querySelectorAll(selector)];
    const at = links.indexOf(document.activeElement);
    links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
  };
}
