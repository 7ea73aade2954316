"use strict";
// Before the first paint, so that a dark page never flashes white. Where nothing is chosen the system's wish counts.
(() => {
  const asked = new URLSearchParams(location.search).get("theme");
  let kept = null;
  try { kept = localStorage.getItem("palaver.theme"); } catch { /* a browser that keeps nothing */ }
  const theme = [asked, kept].find((each) => each === "light" || each === "dark");
  if (theme) document.documentElement.dataset.theme = theme;
})();
