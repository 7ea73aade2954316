// What a seat sees: the dialogue as a chat, what is new in it, and the picture of now.

import { h, put } from "./dom.js";
import { zoom } from "./dialog.js";
import { oneLine, visible } from "./format.js";
import { colourOf, seatMark } from "./seat.js";

const GAME = { user: "task", environment: "game", system: "game" };
const NEAR = 120;
const OTHERS = 4;

/** The chat and the picture of now; `show(state)` brings both up to date. */
export function seatView() {
  const list = h("ol", { class: "sit-chat", "aria-label": "What was said" });
  const chat = h("section", { class: "sit-talk", "aria-label": "Dialogue", tabindex: "0" }, list);
  const board = h("figure", { class: "sit-board", hidden: true });
  let before = null;
  let shown = "";

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
    const items = messages.map((message, at) => item(message, seats, state.seat, fresh[at] && message.speaker !== state.seat));
    if (state.state !== "your_turn" && state.said && state.messages?.length) items.push(own(state, seats));
    const first = fresh.indexOf(true);
    put(list, items.length ? items : h("li", { class: "empty" }, h("h2", {}, "You are seated"), h("p", {}, "What your seat sees appears here when it is your turn.")));
    boardOf(messages);
    follow(first < 0 ? null : list.children[first]);
  }

  /** Show the end of the talk, or where it goes on if there is more to read than fits. */
  function follow(first) {
    requestAnimationFrame(() => {
      chat.scrollTop = chat.scrollHeight;
      if (first && first.offsetTop < chat.scrollTop - NEAR) chat.scrollTop = first.offsetTop - 12;
    });
  }

  function boardOf(messages) {
    const parts = messages.flatMap((message) => message.parts);
    const pictures = parts.filter((part) => part.type === "image");
    const picture = pictures.at(-1);
    const others = pictures.filter((each, at) => each.sha256 !== picture.sha256 && pictures.findLastIndex((other) => other.sha256 === each.sha256) === at);
    const texts = picture ? [] : parts.filter((part) => part.type === "text");
    const drawn = texts.flatMap((part) => piecesOf(visible(part.text))).findLast((piece) => piece.drawn)?.text;
    board.hidden = !picture && !drawn;
    if (picture) {
      put(board, pictured(picture, "Enlarge what you see now"), h("figcaption", { class: "tiny soft" }, "What you see now"),
        others.length ? h("div", { class: "sit-others" }, others.slice(-OTHERS).map((each) => pictured(each, "Enlarge what you saw before"))) : null);
    } else if (drawn) {
      const big = Math.max(...drawn.split("\n").map((each) => each.length)) <= 20;
      put(board, h("div", { class: `said grid ${big ? "big" : ""}` }, drawn), h("figcaption", { class: "tiny soft" }, "What you see now"));
    }
  }

  return { chat, board, show };
}

function item(message, seats, me, fresh) {
  const mine = message.speaker === me;
  const voice = GAME[message.speaker];
  const name = mine ? "you" : voice ?? oneLine(message.speaker);
  const to = message.audience?.filter((each) => each !== message.speaker && each !== me) ?? [];
  return h("li", { class: `sit-message ${mine ? "mine" : ""} ${voice ? "game-voice" : colourOf(seats, message.speaker)}` },
    h("div", { class: "sit-who small" }, voice ? null : seatMark(seats, message.speaker), h("span", { class: "seat-name" }, name),
      to.length ? h("span", { class: "soft" }, `to ${oneLine(to.join(", "))}`) : null, fresh ? h("span", { class: "badge live" }, "new") : null),
    h("div", { class: "bubble" }, message.parts.map((part) => (part.type === "image" ? pictured(part, "Enlarge") : text(part.text)))));
}

function text(words) {
  const said = visible(words);
  return h("div", { class: "said", dir: "auto" }, piecesOf(said).map((piece) => (piece.drawn ? h("span", { class: "said grid sit-drawn" }, piece.text) : piece.text)));
}

function pictured(part, what) {
  const words = visible(part.alt || `picture, ${part.width} × ${part.height}`);
  return h("button", { type: "button", class: "pictured", "aria-label": `${what}: ${words}`, onclick: () => zoom(part.url, words) },
    h("img", { src: part.url, alt: words, width: part.width, height: part.height }));
}

/** A text in pieces: what is drawn with signs (three or more lines of one width, more signs than letters) stands apart. */
function piecesOf(words) {
  const lines = words.split("\n");
  const pieces = [];
  for (let at = 0; at < lines.length;) {
    let to = at + 1;
    while (to < lines.length && lines[to].length === lines[at].length) to += 1;
    const run = lines.slice(at, to);
    const marks = run.join("");
    const drawn = run.length > 2 && lines[at].length > 2 && marks.replace(/[\p{L}\d_]/gu, "").length * 2 > marks.length;
    const last = pieces.at(-1);
    if (last && last.drawn === drawn && !drawn) last.text += `\n${run.join("\n")}`;
    else pieces.push({ drawn, text: run.join("\n") });
    at = to;
  }
  return pieces;
}

function own(state, seats) {
  return h("li", { class: `sit-message mine ${colourOf(seats, state.seat)}` },
    h("div", { class: "sit-who small" }, seatMark(seats, state.seat), h("span", { class: "seat-name" }, "you"), h("span", { class: "badge ok" }, h("span", { "aria-hidden": "true" }, "✓"), "heard")),
    h("div", { class: "bubble" }, h("div", { class: "said", dir: "auto" }, visible(state.said))));
}
