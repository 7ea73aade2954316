// Asks the server, and makes of every refusal one line that says what it is and how to mend it.

export class Refused extends Error {
  constructor(status, error, mend = "") {
    super(error);
    this.status = status;
    this.mend = mend;
  }
}

const OFFLINE = "Look whether palaver still runs there; the page goes on by itself when it is back.";

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, "The server cannot be reached.", OFFLINE);
  }
  const said = await response.json().catch(() => null);
  if (!response.ok) throw new Refused(response.status, said?.error ?? `The server answered ${response.status}.`,
    said?.mend ?? "");
  if (said === null) throw new Refused(response.status, "The server's answer is no JSON.",
    "Reload the page: it may be older than the server.");
  return said;
}

export const get = (path, signal) => ask(path, { signal });

export function post(path, body = {}) {
  return ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Palaver": "1" },
    body: JSON.stringify(body),
  });
}

/** An address of the API, its pieces encoded. */
export const api = (...pieces) => `/api/${pieces.map(encodeURIComponent).join("/")}`;
