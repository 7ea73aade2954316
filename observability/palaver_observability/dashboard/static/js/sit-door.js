// What stands before and after a seat: taking it, finding it taken, and how it ended.

import { api, post } from "./api.js";
import { h } from "./dom.js";
import { oneLine } from "./format.js";
import { tell } from "./notice.js";
import { badge } from "./seat.js";

/** Take an open seat: a pseudonym if one is wanted, and consent to being recorded. */
export function opening(state, token, claimed) {
  const name = h("input", { id: "pseudonym", type: "text", maxlength: 32, autocomplete: "off", placeholder: "made up for you" });
  const take = h("button", { type: "submit", class: "primary" }, "Take the seat");
  return h("form", { class: "sit-door panel", onsubmit: async (event) => {
    event.preventDefault();
    take.disabled = true;
    try { claimed(await post(`${api("sit", token)}/claim`, { pseudonym: name.value.trim() || null, consent: true })); } catch (error) { tell(error); take.disabled = false; }
  } },
  h("h2", {}, `A seat is open: ${oneLine(state.seat)}`),
  h("p", {}, `${oneLine(state.title)}. You see what this seat sees, and answer in its place; the others play on with what you say.`),
  h("p", { class: "soft" }, "What you write is recorded with the episode, under a pseudonym. Do not use your name."),
  h("p", { class: "row" }, h("label", { for: "pseudonym", class: "small soft" }, "Pseudonym"), name),
  h("div", { class: "row" }, take));
}

export function taken() {
  return h("div", { class: "sit-door panel" }, h("h2", {}, "This seat is taken"),
    h("p", {}, "Somebody else sits here, or you did in another browser: a seat belongs to the browser that took it."),
    h("p", { class: "soft" }, "The page goes on by itself if the seat becomes free."));
}

export function studied(state) {
  return h("div", { class: "sit-door panel" }, h("h2", {}, "This seat belongs to a study"),
    h("p", {}, "Its seats are handed out to those who take part."), h("p", {}, h("a", { class: "button primary", href: state.join }, "Take part")));
}

const ENDS = {
  solved: "Solved: well done, all of you.",
  failed: "Played to the end, and not solved.",
  aborted: "It was called off: an answer broke the rules of the game.",
  crashed: "It ended early: the game could not go on from an answer.",
  error: "It ended with an error. That was not your fault.",
  ended: "It has ended.",
  budget: "It ended, since the run has spent what it may.",
};

/** How it ended, and what is next. */
export function ending(state) {
  const scores = Object.entries(state.scores ?? {}).slice(0, 6);
  return h("section", { class: "sit-ending panel", "aria-label": "How it ended" },
    h("div", { class: "row" }, h("h2", {}, state.outcome ? "The episode is over" : "Your seat has been given to another"), state.outcome ? badge(state.outcome) : null),
    h("p", {}, state.outcome ? ENDS[state.outcome] ?? oneLine(state.outcome) : state.why),
    scores.length ? h("dl", { class: "sit-scores" }, scores.map(([name, value]) => h("div", {}, h("dt", { class: "small soft" }, oneLine(name).replaceAll("_", " ")), h("dd", {}, String(Math.round(value * 1000) / 1000))))) : null,
    state.next ? h("p", {}, h("a", { class: "button primary", href: state.next }, "Go on")) : h("p", { class: "soft" }, "Thank you for playing. You may close this page."));
}
