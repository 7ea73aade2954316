// The time that is left: a bar that turns amber, then red, and says so once each.

import { h, write } from "./dom.js";

const AMBER = 0.3;
const RED_S = 20;

export function timer(announce) {
  const fill = h("span", {});
  const words = h("span", { class: "small" });
  const bar = h("div", { class: "sit-timer", role: "timer", "aria-label": "Time left" }, h("span", { class: "sit-timer-bar", "aria-hidden": "true" }, fill), words);
  let beat = 0;
  let told = "";

  const show = (deadline, whole) => {
    const left = Math.max(0, deadline - Date.now() / 1000);
    const level = left <= Math.min(RED_S, whole * 0.15) ? "red" : left <= whole * AMBER ? "amber" : "";
    bar.classList.toggle("amber", level === "amber");
    bar.classList.toggle("red", level === "red");
    fill.style.setProperty("--share", String(Math.min(1, left / whole)));
    write(words, left > 0 ? `${clock(left)} left` : "time is up: you will be asked again");
    if (level && level !== told) announce(`${inWords(left)} left to answer.`);
    told = level || told;
  };

  const stop = () => { clearInterval(beat); bar.hidden = true; told = ""; };

  const start = (state) => {
    clearInterval(beat);
    if (state.deadline === null) { stop(); return; }
    const deadline = Date.now() / 1000 + (state.deadline - state.now); // by our own clock, whatever it says
    bar.hidden = false;
    show(deadline, state.timeout_s);
    beat = setInterval(() => show(deadline, state.timeout_s), 250);
  };

  stop();
  return { bar, start, stop };
}

const clock = (seconds) => {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};

const inWords = (seconds) => (seconds < 90 ? `${Math.ceil(seconds)} seconds` : `${Math.round(seconds / 60)} minutes`);
