"use strict";
// The page reads the same without this: it sorts tables, and turns the light on and off.
(() => {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const dark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const say = () => { button.textContent = dark() ? "Light" : "Dark"; };
  button.hidden = false;
  say();
  button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; say(); });

  const numberIn = (text) => {
    const found = text.replace(/[\u202f,]/g, "").replace(/\u2212/g, "-").match(/-?\d+(\.\d+)?([kM])?/);
    return found ? parseFloat(found[0]) * ({ k: 1e3, M: 1e6 }[found[2]] || 1) : null;
  };
  const compare = (a, b, numeric) => {
    if (!numeric) return a.localeCompare(b);
    const [x, y] = [numberIn(a), numberIn(b)];
    return x === null ? (y === null ? 0 : 1) : y === null ? -1 : x - y;
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    if (body.rows.length < 3) continue;
    [...table.tHead.rows[0].cells].forEach((head, at) => {
      const sort = document.createElement("button");
      sort.type = "button";
      sort.append(...head.childNodes);  // with the places where a long name may break
      head.replaceChildren(sort);
      sort.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const numeric = head.classList.contains("num");
        const rows = [...body.rows].sort((a, b) => compare(a.cells[at].textContent, b.cells[at].textContent, numeric));
        body.append(...(down ? rows.reverse() : rows));
      });
    });
  }
})();
