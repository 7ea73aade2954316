// A seat: the door, then question after question, then how it ended. What is shown follows from the state alone.

import { api, post } from "./api.js";
import { confirm } from "./dialog.js";
import { h, put, write } from "./dom.js";
import { oneLine } from "./format.js";
import { noticeOf, tell } from "./notice.js";
import { compose } from "./sit-compose.js";
import { ending, opening, studied, taken } from "./sit-door.js";
import { line } from "./sit-line.js";
import { timer } from "./sit-timer.js";
import { seatView } from "./sit-view.js";

const LONG_MS = 30_000;

export function sit(main, token) {
  const announce = (words) => write(document.getElementById("announce"), words);
  const view = seatView();
  const writing = compose(token, (key) => {
    heardOf = key;
    if (state.state === "waiting") thinking();
    else if (state.key === key) status("Your answer was heard.", "good");
    announce("Your answer was heard.");
  });
  const time = timer(announce);
  const says = h("p", { class: "sit-status", id: "status" });
  const end = h("div", { class: "sit-end" });
  const table = h("div", { class: "sit-table" }, view.chat,
    h("aside", { class: "sit-side", "aria-label": "What you see now, and moves" }, view.board, writing.moves, view.task),
    h("div", { class: "sit-dock" }, end, h("div", { class: "row sit-now" }, says, time.bar), writing.form));
  const leave = document.getElementById("leave");
  let state = null;
  let heardOf = "";
  let patience = 0;

  const status = (words, kind = "") => { write(says, words); says.className = `sit-status ${kind}`; };

  const wire = line(token, show, (error) => put(main, noticeOf(error)));
  leave.addEventListener("click", async () => {
    if (!(await confirm({ title: "Leave the seat?", words: "It is then open to whoever has the link. What you have said so far stays.", yes: "Leave", danger: true }))) return;
    try { await post(`${api("sit", token)}/leave`); writing.forget(); heardOf = ""; wire.open(); } catch (error) { tell(error); }
  });
  wire.open();

  function show(next) {
    const before = state;
    state = next;
    header();
    if (["open", "taken", "consent"].includes(state.state) || (state.state === "over" && !("you" in state))) { door(before); return; }
    if (!table.isConnected) put(main, table);
    delete main.dataset.door;
    table.classList.toggle("mine-now", state.state === "your_turn");
    view.show(state);
    ({ your_turn: asked, waiting: thinking, over })[state.state]?.(before);
  }

  function header() {
    const turn = state.state === "your_turn";
    write(document.getElementById("title"), `${oneLine(state.seat)} — ${oneLine(state.title)}`);
    document.title = `${turn ? "● Your turn" : "Your seat"} · ${oneLine(state.title)}`;
    const you = document.getElementById("you");
    you.hidden = !state.you;
    write(you, state.you ? `you: ${oneLine(state.you)}` : "");
    leave.hidden = !state.leave || state.state === "over";
  }

  function door(before) {
    if (before && main.dataset.door === state.state) return;
    main.dataset.door = state.state;
    const claimed = (now) => { show(now); wire.open(); };
    const panels = { open: () => opening(state, token, claimed), taken, consent: () => studied(state), over: () => ending(state) };
    put(main, panels[state.state]());
  }

  function asked(before) {
    const { turn, limit } = state.progress;
    const place = limit ? `turn ${turn} of at most ${limit}` : `turn ${turn}`;
    const role = { lead: "You lead a team: say what the game is to hear, or ask your members as it says above. ", member: "Your lead asks you: nobody else reads this. " }[state.role] ?? "";
    status(`${role}It is your turn: ${place}.`, "turn");
    if (before?.state !== "your_turn" || before.key !== state.key) announce(`It is your turn, ${place}.`);
    writing.show(state);
    time.start(state);
    put(end);
  }

  function thinking() {
    clearTimeout(patience);
    patience = setTimeout(() => { if (state.state === "waiting") write(says, `${says.textContent} You may do something else: the title of this page tells when it is your turn.`); }, LONG_MS);
    writing.hide();
    time.stop();
    put(end);
    const who = state.waiting.length ? state.waiting.map(oneLine).join(", ") : "the others";
    const late = state.late ? "The time was up; you are asked again in a moment. " : "";
    const heard = state.said && heardOf && !state.late ? "Your answer was heard. " : "";
    status(`${late}${heard}Waiting for ${who}…`, heard ? "good" : "");
  }

  function over() {
    writing.hide();
    writing.forget();
    time.stop();
    wire.end();
    status("");
    put(end, ending(state));
    announce(state.outcome ? `The episode is over: ${state.outcome}.` : "Your seat has been given to another.");
  }
}
