// Which page an address means; links between pages without loading anew; the way back.

/** `routes` are [pattern, page] with `:name` for a piece of the path; a page is `(place) => ({element?, update?, leave?})`. */
export function router(main, routes, onchange) {
  const table = routes.map(([pattern, page]) => ({ page, pattern, names: pattern.split("/").slice(1) }));
  let current = null, controller = null;

  const found = (pathname) => {
    const pieces = pathname.replace(/(.)\/$/, "$1").split("/").slice(1);
    for (const { page, pattern, names } of table) {
      if (names.length !== pieces.length) continue;
      const params = {};
      const fits = names.every((name, at) => {
        if (!name.startsWith(":")) return name === pieces[at];
        try { params[name.slice(1)] = decodeURIComponent(pieces[at]); } catch { return false; }
        return pieces[at] !== "";
      });
      if (fits) return { page, pattern, params };
    }
    return null;
  };

  const show = (fresh) => {
    const match = found(location.pathname);
    const key = match ? location.pathname : null;
    const query = new URLSearchParams(location.search);
    // a page that cannot take the new wishes says false, and is made anew
    if (current && current.key === key && current.view?.update && !fresh && current.view.update(query) !== false) return;
    current?.view?.leave?.();
    controller?.abort();
    controller = new AbortController();
    main.replaceChildren();
    main.className = "";
    const place = { main, params: match?.params ?? {}, query, signal: controller.signal, go, rewrite };
    current = { key };
    onchange(match?.pattern ?? "");
    current.view = match ? match.page(place) : null;
  };

  /** Go to another address; `replace` leaves no step for the way back. */
  function go(address, { replace = false } = {}) {
    history[replace ? "replaceState" : "pushState"](null, "", address);
    const before = current?.key;
    show(false);
    if (current?.key !== before) { scrollTo(0, 0); main.focus({ preventScroll: true }); }
  }

  /** Write down in the address what is shown now, so that it can be sent to somebody. */
  function rewrite(query) {
    const asked = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(query)) {
      if (value === null || value === undefined || value === "" || value === false) asked.delete(name);
      else asked.set(name, String(value));
    }
    const address = location.pathname + (asked.size ? `?${asked}` : "");
    if (address !== location.pathname + location.search) history.replaceState(history.state, "", address);
  }

  addEventListener("popstate", () => show(false));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey
      || event.altKey) return;
    const link = event.target.closest?.("a[href]");
    if (!link || link.target || link.hasAttribute("download")) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || !found(url.pathname)) return;
    if (url.pathname === location.pathname && url.hash) return;
    event.preventDefault();
    go(url.pathname + url.search);
  });
  return { go, start: () => show(true) };
}
