// What a seat sees: the task, the dialogue as a chat, what is new in it, and the picture of now.

import { h, put } from "./dom.js";
import { zoom } from "./dialog.js";
import { oneLine, visible } from "./format.js";
import { colourOf, seatMark } from "./seat.js";
import { blocksOf, setTask, setWords } from "./sit-text.js";

const GAME = { user: "task", environment: "game", system: "game" };
const NEAR = 120;
const OTHERS = 4;
const LONG = 600;

/** The chat, the picture of now, and a task that is long; `show(state)` brings them up to date. */
export function seatView() {
  const list = h("ol", { class: "sit-chat", "aria-label": "What was said" });
  const chat = h("section", { class: "sit-talk", "aria-label": "Dialogue", tabindex: "0" }, list);
  const board = h("figure", { class: "sit-board", hidden: true });
  const words = h("div", { class: "sit-task-words", tabindex: "0", role: "group", "aria-label": "Your task" });
  const task = h("details", { class: "sit-task", hidden: true }, h("summary", {}, "Your task, and all that you know"), words);
  let before = null;
  let shown = "";
  let told = "";

  function show(state) {
    const messages = state.messages ?? [];
    const now = JSON.stringify([messages, state.state === "your_turn" ? "" : state.said]);
    if (now === shown) return;
    shown = now;
    const seats = [...(state.seats ?? [])];
    for (const { speaker } of messages) if (!(speaker in GAME) && !seats.includes(speaker)) seats.push(speaker);
    const known = before && [...before];
    const fresh = messages.map((message) => {
      const at = known ? known.indexOf(JSON.stringify(message)) : 0;
      if (known && at >= 0) known.splice(at, 1);
      return at < 0;
    });
    before = messages.map((message) => JSON.stringify(message));
    const picture = boardOf(messages);
    const spoken = messages.findIndex(({ speaker }) => !(speaker in GAME));
    const opening = spoken < 0 ? messages.length : spoken; // what comes before anybody has spoken
    const aside = taskOf(messages.slice(0, opening)) ? opening : 0;
    const items = messages.map((message, at) => at < aside ? null : item(message, seats, state.seat, fresh[at] && message.speaker !== state.seat, at < opening, at === picture.at ? picture.part : null));
    if (state.state !== "your_turn" && state.said && messages.length) items.push(own(state, seats));
    const there = items.filter(Boolean);
    put(list, there.length ? there : aside ? h("li", { class: "empty" }, h("p", {}, "Nobody has said anything yet.")) : h("li", { class: "empty" }, h("h2", {}, "You are seated"), h("p", {}, "What your seat sees appears here when it is your turn.")));
    follow(spoken < 0 && !state.said ? list.children[0] : items[fresh.indexOf(true)]);
  }

  /** Show the end of the talk, or where it goes on if there is more to read than fits. */
  function follow(first) {
    requestAnimationFrame(() => {
      chat.scrollTop = chat.scrollHeight;
      if (first && first.offsetTop - chat.offsetTop < chat.scrollTop - NEAR) chat.scrollTop = first.offsetTop - chat.offsetTop - 12;
    });
  }

  /** Show the last picture, or drawing; return the picture, and in which message it stands. */
  function boardOf(messages) {
    const parts = messages.flatMap((message) => message.parts);
    const pictures = parts.filter((part) => part.type === "image");
    const picture = pictures.at(-1);
    const others = pictures.filter((each, at) => each.sha256 !== picture.sha256 && pictures.findLastIndex((other) => other.sha256 === each.sha256) === at);
    const texts = picture ? [] : parts.filter((part) => part.type === "text");
    const drawn = texts.flatMap((part) => blocksOf(visible(part.text))).findLast(({ kind }) => kind === "drawn")?.text;
    board.hidden = !picture && !drawn;
    if (picture) {
      const few = others.length > OTHERS ? [others[0], ...others.slice(1 - OTHERS)] : others; // the first may be the goal
      put(board, pictured(picture, "Enlarge what you see now"), h("figcaption", { class: "tiny soft" }, "What you see now"),
        few.length ? h("div", { class: `sit-others ${few.length === 1 ? "one" : ""}` }, few.map((each) => pictured(each, "Enlarge what you saw before"))) : null);
    } else if (drawn) {
      const big = Math.max(...drawn.split("\n").map((each) => each.length)) <= 20;
      put(board, h("div", { class: `said grid ${big ? "big" : ""}` }, drawn), h("figcaption", { class: "tiny soft" }, "What you see now"));
    }
    return { part: picture, at: picture ? messages.findLastIndex((message) => message.parts.includes(picture)) : -1 };
  }

  /** Show a long task beside the talk, where there is nothing else beside it; return whether it stands there. */
  function taskOf(messages) {
    const parts = messages.flatMap((message) => message.parts);
    const said = parts.map((part) => part.text ?? "").join("\n\n");
    const beside = board.hidden && said.length > LONG;
    if (beside && task.hidden) task.open = true; // whoever has read it may close it
    task.hidden = !beside;
    if (said !== told) put(words, beside ? setTask(said) : null);
    told = said;
    return beside;
  }

  return { chat, board, task, show };
}

function item(message, seats, me, fresh, isTask, beside) {
  const mine = message.speaker === me;
  const voice = GAME[message.speaker];
  const name = mine ? "you" : voice ?? oneLine(message.speaker);
  const to = message.audience?.filter((each) => each !== message.speaker && each !== me) ?? [];
  return h("li", { class: `sit-message ${mine ? "mine" : ""} ${voice ? "game-voice" : colourOf(seats, message.speaker)}` },
    h("div", { class: "sit-who small" }, voice ? null : seatMark(seats, message.speaker), h("span", { class: "seat-name" }, name),
      to.length ? h("span", { class: "soft" }, `to ${oneLine(to.join(", "))}`) : null, fresh ? h("span", { class: "badge live" }, "new") : null),
    h("div", { class: "bubble" }, message.parts.map((part) => {
      if (part.type !== "image") return isTask ? setTask(part.text) : setWords(part.text);
      return part === beside ? h("div", { class: "small soft" }, h("span", { class: "sit-wide" }, "The picture on the right →"), h("span", { class: "sit-narrow" }, "The picture below ↓")) : pictured(part, "Enlarge");
    })));
}

function pictured(part, what) {
  const words = visible(part.alt || `picture, ${part.width} × ${part.height}`);
  return h("button", { type: "button", class: "pictured", "aria-label": `${what}: ${words}`, onclick: () => zoom(part.url, words) },
    h("img", { src: part.url, alt: words, width: part.width, height: part.height }));
}

function own(state, seats) {
  return h("li", { class: `sit-message mine ${colourOf(seats, state.seat)}` },
    h("div", { class: "sit-who small" }, seatMark(seats, state.seat), h("span", { class: "seat-name" }, "you"), h("span", { class: "badge ok" }, h("span", { "aria-hidden": "true" }, "✓"), "heard")),
    h("div", { class: "bubble" }, setWords(state.said)));
}
