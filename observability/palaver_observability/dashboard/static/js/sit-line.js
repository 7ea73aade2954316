// The line to the server: the state of the seat as it changes, and whether the line holds.

import { api, get } from "./api.js";
import { write } from "./dom.js";

const FIRST_MS = 800;
const LONGEST_MS = 8_000;
const SILENT_MS = 45_000;  // the server says every 15 seconds that it is there
const GONE = [404, 410];

/** Hear of a seat: `heard(state)` for each change, `failed(error)` if the link leads nowhere. Returns what begins anew and what ends it. */
export function line(token, heard, failed) {
  const place = document.getElementById("connection");
  let source = null;
  let timer = 0;
  let pause = FIRST_MS;
  let over = false;
  let heardAt = 0;

  const say = (words, lost) => {
    write(place, words);
    place.classList.toggle("lost", lost);
  };

  const open = () => {
    close();
    source = new EventSource(`${api("sit", token)}/stream`);
    const beat = () => { heardAt = Date.now(); };
    beat();
    source.addEventListener("open", () => { pause = FIRST_MS; beat(); say("connected", false); });
    source.addEventListener("state", (event) => { beat(); heard(JSON.parse(event.data)); });
    source.addEventListener("alive", beat);
    source.addEventListener("error", lost);
  };

  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };

  /** The browser tries again by itself only after some errors: we do it after all. */
  const lost = (error) => {
    close();
    if (over) return;
    say(error?.status === 503 ? `${error.message}; trying again…` : "connection lost; trying again…", true);
    timer = setTimeout(again, pause);
    pause = Math.min(2 * pause, LONGEST_MS);
  };

  const again = async () => {
    try {
      heard(await get(api("sit", token)));
      open();
    } catch (error) {
      if (GONE.includes(error.status)) { over = true; say("", false); failed(error); } else lost(error);
    }
  };

  // A stream that was cut off without a word looks like one on which nothing is said.
  setInterval(() => { if (!over && source && Date.now() - heardAt > SILENT_MS) lost(); }, 5_000);
  window.addEventListener("offline", () => { if (!over && source) lost(); });
  window.addEventListener("online", () => { if (!over && !source) { clearTimeout(timer); again(); } });
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => { if (event.persisted && !over) open(); });
  return { open, end: () => { over = true; close(); say("", false); } };
}
