// The switch between dark, light and what the system wishes. theme-now.js has set the page before it was painted.

const ORDER = ["auto", "light", "dark"];
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };
const NAMES = { auto: "as the system", light: "light", dark: "dark" };

export function themeSwitch(button) {
  const root = document.documentElement;
  const now = () => root.dataset.theme ?? "auto";
  const say = () => {
    const next = ORDER[(ORDER.indexOf(now()) + 1) % ORDER.length];
    button.textContent = SIGNS[now()];
    button.title = `Colours: ${NAMES[now()]}. Next: ${NAMES[next]}`;
    button.setAttribute("aria-label", button.title);
  };
  button.addEventListener("click", () => {
    const next = ORDER[(ORDER.indexOf(now()) + 1) % ORDER.length];
    if (next === "auto") delete root.dataset.theme;
    else root.dataset.theme = next;
    try { localStorage.setItem("palaver.theme", next); } catch { /* kept for this page only */ }
    say();
  });
  say();
}
