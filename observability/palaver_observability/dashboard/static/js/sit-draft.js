// What is being written survives a reload, a lost connection, and being asked the same thing again.

const STORE = "palaver.draft.";

export function draft(token) {
  const name = STORE + token;
  const read = () => { try { return JSON.parse(localStorage.getItem(name)) ?? {}; } catch { return {}; } };
  const keep = (value) => { try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* kept for this page only */ } };
  return {
    /** What was written for a question, and whether it was sent. */
    of: (key) => { const kept = read(); return kept.key === key ? kept : { key, text: "", sent: false }; },
    keep: (key, text) => keep({ key, text, sent: false }),
    sent: (key, text) => keep({ key, text, sent: true }),
    forget: () => { try { localStorage.removeItem(name); } catch { /* nothing was kept */ } },
  };
}

const ENTER = "palaver.enter-sends";
export const enterSends = () => { try { return localStorage.getItem(ENTER) !== "no"; } catch { return true; } };
export const setEnterSends = (on) => { try { localStorage.setItem(ENTER, on ? "yes" : "no"); } catch { /* for this page only */ } };
