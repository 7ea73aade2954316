// How numbers, times and names are written. Pure functions.

export const NONE = "–";
const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export const count = (n) => (known(n) ? whole.format(Math.round(n)) : NONE);
export const brief = (n) => (known(n) ? (Math.abs(n) < 1000 ? String(Math.round(n * 10) / 10) : short.format(n)) : NONE);

export function known(n) {
  return typeof n === "number" && Number.isFinite(n);
}

/** A measure: as many digits as say something. */
export function score(value) {
  if (!known(value)) return NONE;
  if (Number.isInteger(value)) return whole.format(value);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(3).replace(/0$/, "");
}

/** Dollars: cents where there are some, more digits below. Null is not free, it is not known. */
export function money(usd) {
  if (!known(usd)) return NONE;
  if (usd === 0) return "$0";
  if (usd < 0.01) return `$${usd.toPrecision(2).replace(/e.*/, "")}`;
  return usd < 1000 ? `$${usd.toFixed(2)}` : `$${whole.format(Math.round(usd))}`;
}

/** A length of time in seconds: `840 ms`, `12.3 s`, `4 min 05 s`, `2 h 10 min`, `3 d 4 h`. */
export function span(seconds) {
  if (!known(seconds)) return NONE;
  const all = Math.max(0, seconds);
  if (all < 0.0995) return `${Math.round(all * 1000)} ms`;
  if (all < 10) return `${all.toFixed(1)} s`;
  if (all < 60) return `${Math.round(all)} s`;
  if (all < 3600) return `${Math.floor(all / 60)} min ${String(Math.floor(all % 60)).padStart(2, "0")} s`;
  if (all < 86400) return `${Math.floor(all / 3600)} h ${String(Math.floor((all % 3600) / 60)).padStart(2, "0")} min`;
  return `${Math.floor(all / 86400)} d ${Math.floor((all % 86400) / 3600)} h`;
}

/** The same in whole seconds, for what ticks. */
export const ticking = (seconds) => (known(seconds) && seconds < 60 ? `${Math.max(0, Math.floor(seconds))} s` : span(seconds));

export function clock(epoch) {
  return known(epoch) ? new Date(epoch * 1000).toLocaleTimeString([],
    { hour: "2-digit", minute: "2-digit", second: "2-digit" }) : NONE;
}

/** A moment: today's by the clock, others with their date. */
export function moment(epoch) {
  if (!known(epoch) || epoch <= 0) return NONE;
  const date = new Date(epoch * 1000);
  return date.toDateString() === new Date().toDateString() ? clock(epoch)
    : date.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}

export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

const UNSEEN = new RegExp("[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u200b\\u200e\\u200f"
  + "\\u2028-\\u202e\\u2060-\\u2069\\ufeff]", "g");

/** Show what would not be seen, or would turn the line around: control characters and marks of direction. */
export function visible(text) {
  return String(text ?? "").replace(/\r\n/g, "\n").replace(UNSEEN, (each) => {
    const code = each.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : `\u27e8${code.toString(16)}\u27e9`;
  });
}

/** What is said of nobody in particular, in one line. */
export const oneLine = (text) => visible(text).replace(/\s+/g, " ").trim();

/** The last piece of an agent's name: `openrouter/meta/llama` is known as `llama`, a relay or a team stays whole. */
export function agentName(agent) {
  const name = oneLine(agent);
  return /[>(]/.test(name) ? name : name.split("/").pop() || name;
}

export const path = (...pieces) => `/${pieces.map(encodeURIComponent).join("/")}`;
export const episodePath = (run, episode, query = {}) => {
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== null && value !== undefined
    && value !== ""));
  return path("episode", run, episode) + (asked.size ? `?${asked}` : "");
};
