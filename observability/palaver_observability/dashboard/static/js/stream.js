// Server-sent events: reconnects with growing pauses, goes on where it was, and says how it stands.

const FIRST_MS = 500;
const LONGEST_MS = 15_000;
const SILENT_MS = 45_000;  // the server says every 15 seconds that it is there
const UNSEEN_MS = 60_000;  // a browser keeps six connections to a server: tabs that nobody looks at give theirs back

const open = new Set();
let tellState = () => {};

/** Whoever shows the state of the connection: called with "", "live", "connecting", "lost" or "refused". */
export function onConnection(show) {
  tellState = show;
  say();
}

function say() {
  const states = [...open].map((each) => each.state).filter((each) => each !== "done");
  tellState(!states.length ? "" : states.includes("refused") ? "refused" : states.every((each) => each === "live") ? "live"
    : states.includes("lost") ? "lost" : "connecting");
}

/**
 * Listen to an address: `listen("/api/stream?topics=cards", {cards: f})`. Each handler gets the parsed data and the
 * id of its event. Returns a function that ends it. `address` may be a function of the last id that was seen.
 * `onopen` is called each time it is connected; a handler that returns `listen.END` closes the stream for good.
 */
export function listen(address, handlers, onopen = () => {}) {
  const entry = { state: "connecting" };
  let source = null, timer = 0, resting = 0, pause = FIRST_MS, last = null, over = false, heardAt = 0;
  open.add(entry);

  const become = (state) => { entry.state = state; say(); };
  const connect = () => {
    const url = typeof address === "function" ? address(last) : withAfter(address, last);
    source = new EventSource(url);
    heardAt = Date.now();
    source.onopen = () => { pause = FIRST_MS; heardAt = Date.now(); become("live"); onopen(); };
    source.onerror = lost;
    source.addEventListener("alive", () => { heardAt = Date.now(); });
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => {
        heardAt = Date.now();
        if (event.lastEventId) last = event.lastEventId;
        if (handle(JSON.parse(event.data), event.lastEventId) === listen.END) close("done");
      });
    }
  };
  const lost = () => {
    // the browser's own retry knows no growing pause, and ends at the first answer that is no stream
    source.close();
    if (over) return;
    become("lost");
    clearTimeout(timer);
    timer = setTimeout(connect, pause * (0.75 + Math.random() / 2));
    pause = Math.min(pause * 2, LONGEST_MS);
    isRefused().then((refused) => { if (refused && !over) close("refused"); });
  };
  // a stream that was cut off without a word looks like one on which nothing is said
  const watched = setInterval(() => { if (entry.state === "live" && Date.now() - heardAt > SILENT_MS) lost(); }, 5_000);
  const cutOff = () => { if (entry.state === "live") lost(); };
  const close = (state = null) => {
    over = true;
    clearInterval(watched);
    clearTimeout(timer);
    source?.close();
    if (state) become(state);
    else { open.delete(entry); say(); }
  };
  const again = () => { clearTimeout(timer); source?.close(); connect(); };
  const hurry = () => { if (!over && entry.state === "lost") again(); };
  const looked = () => {
    clearTimeout(resting);
    if (over) return;
    if (document.hidden) resting = setTimeout(() => { clearTimeout(timer); source?.close(); entry.state = "resting"; },
      UNSEEN_MS);
    else if (entry.state === "resting") { become("connecting"); again(); }
  };
  addEventListener("online", hurry);
  addEventListener("offline", cutOff);
  document.addEventListener("visibilitychange", looked);
  connect();
  say();
  return () => {
    removeEventListener("online", hurry);
    removeEventListener("offline", cutOff);
    document.removeEventListener("visibilitychange", looked);
    clearTimeout(resting);
    close();
  };
}
listen.END = Symbol("end of the stream");

/** An event source never says why it failed: a server that was started anew may want another token. */
async function isRefused() {
  try {
    return [401, 403].includes((await fetch("/api/hello", { credentials: "same-origin" })).status);
  } catch {
    return false;
  }
}

function withAfter(address, last) {
  if (!last) return address;
  const url = new URL(address, location.origin);
  url.searchParams.set("after", last);
  return url.pathname + url.search;
}
