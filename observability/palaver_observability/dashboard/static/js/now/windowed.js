// Shows only what is near the window of a long list: a thousand cards cost what twenty do.

import { arrange, eachFrame } from "../dom.js";

const AHEAD_PX = 320;

/**
 * `make(item)` gives a view: {element, update(item), drop()}. All views are of one height; `least` is the least width
 * of a column (0: one column), `key(item)` names an item. Returns {show(items), views(), scrollTo(at), redo(), leave()}.
 */
export function windowed(list, { key, make, height, least, gap }) {
  const views = new Map();
  let items = [], columns = 1;
  const step = height + gap;

  const draw = () => {
    const box = list.getBoundingClientRect();
    columns = least ? Math.max(1, Math.floor((box.width + gap) / (least + gap))) : 1;
    const rows = Math.ceil(items.length / columns);
    const first = Math.max(0, Math.floor((-box.top - AHEAD_PX) / step));
    const last = Math.min(rows, Math.ceil((innerHeight - box.top + AHEAD_PX) / step));
    const from = Math.min(first * columns, items.length);
    const shown = items.slice(from, Math.max(from, last * columns));
    list.style.setProperty("--columns", columns);
    list.style.setProperty("padding-top", `${Math.min(first, rows) * step}px`);
    list.style.setProperty("height", `${Math.max(0, rows * step - gap)}px`);
    const wanted = new Set(shown.map(key));
    for (const [name, view] of views) {
      if (wanted.has(name)) continue;
      view.drop();
      view.element.remove();
      views.delete(name);
    }
    arrange(list, shown.map((item, at) => {
      const name = key(item);
      let view = views.get(name);
      if (!view) views.set(name, view = make(item));
      view.element.setAttribute("aria-posinset", from + at + 1);
      view.element.setAttribute("aria-setsize", items.length);
      if (view.item !== item) { view.item = item; view.update(item); }
      return view.element;
    }));
  };
  const ask = eachFrame(draw);
  const sized = new ResizeObserver(ask);
  sized.observe(list.parentElement);
  addEventListener("scroll", ask, { passive: true });
  return {
    show(next) { items = next; ask(); },
    views: () => views,
    redo: ask,
    /** Bring an item near enough to be there, at once; returns its view. */
    reach(at) {
      const top = Math.floor(at / columns) * step + list.getBoundingClientRect().top + scrollY;
      const covered = document.querySelector(".topbar").offsetHeight + 16;
      if (top < scrollY + covered || top + height > scrollY + innerHeight - 16) scrollTo({ top: top - innerHeight / 3 });
      draw();
      return views.get(key(items[at]));
    },
    columns: () => columns,
    leave() {
      ask.cancel();
      sized.disconnect();
      removeEventListener("scroll", ask);
      for (const view of views.values()) view.drop();
      views.clear();
    },
  };
}
