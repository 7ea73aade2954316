// Where a person writes: a text box, moves that become its lines, and sending.

import { api, post } from "./api.js";
import { h, put, write } from "./dom.js";
import { tell } from "./notice.js";
import { draft, enterSends, setEnterSends } from "./sit-draft.js";
import { moves } from "./sit-moves.js";

const LONGEST = 32 * 1024;
const bytes = (text) => new TextEncoder().encode(text).length;

/** The writing part of a seat. `heard(key, text)` is told of an answer that has arrived. */
export function compose(token, heard) {
  const kept = draft(token);
  let asked = null;
  let sending = false;
  let buttons = null;
  let typed = false;
  let group = null;
  let added = [];

  const box = h("textarea", { id: "answer", rows: 2, "aria-label": "Your answer", placeholder: "Your answer", spellcheck: "true", dir: "auto", oninput: () => { typed = true; changed(); } });
  const send = h("button", { type: "button", class: "primary", onclick: () => say(box.value) }, "Send");
  const enter = h("input", { type: "checkbox", onchange: () => setEnterSends(enter.checked) });
  enter.checked = enterSends();
  const note = h("p", { class: "small sit-note", hidden: true });
  const place = h("div", { class: "sit-moves-place" });
  const count = h("span", { class: "sit-count" });
  const undo = h("button", { type: "button", class: "slim", onmousedown: (event) => event.preventDefault(), onclick: () => takeBack() }, "Take back", h("span", { class: "sit-wide" }, "the last"));
  const chosen = h("div", { class: "row small sit-chosen", hidden: true }, count, undo);
  const form = h("div", { class: "sit-compose", hidden: true }, note, chosen,
    h("div", { class: "sit-write" }, box, send),
    h("label", { class: "check small soft" }, enter, "Enter sends, Shift+Enter begins a new line"));

  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && buttons) { buttons.element.focus({ preventScroll: true }); return; }
    if (event.key !== "Enter" || event.isComposing) return;
    if (event.shiftKey || (!enter.checked && !(event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    say(box.value);
  });

  document.addEventListener("keydown", (event) => {
    const at = event.target;
    if (!asked || !buttons || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (at !== box && at.matches("input, select, textarea, [contenteditable]")) return;
    const heard = buttons.hear(event, { typing: at === box, empty: !box.value || !typed });
    if (!heard && event.key === "Enter" && !at.closest("button, a, summary, #answer") && box.value.trim()) { event.preventDefault(); say(box.value); }
  });

  const fit = () => {
    box.style.setProperty("height", "auto");
    box.style.setProperty("height", `${Math.min(box.scrollHeight + 2, Math.round(window.innerHeight * 0.3))}px`);
  };

  function choose(move) {
    if (sending) return;
    if (move.ends && !box.value.trim()) { say(move.says); return; }
    box.value = box.value.trim() ? `${box.value.replace(/\s+$/, "")}\n${move.says}` : move.says;
    added.push(move.says);
    changed();
    box.scrollTop = box.scrollHeight;
    box.classList.remove("sit-added");
    requestAnimationFrame(() => box.classList.add("sit-added"));
  }

  /** Take the line away that a button has added last. */
  function takeBack() {
    const line = added.pop();
    box.value = box.value === line ? "" : box.value.slice(0, -line.length - 1);
    changed();
  }

  /** Bring to where the text is: its draft, its height, and what can be taken back. */
  function changed() {
    kept.keep(asked.key, box.value);
    while (added.length && box.value !== added.at(-1) && !box.value.endsWith(`\n${added.at(-1)}`)) added.pop();
    chosen.hidden = !added.length;
    write(count, `${added.length} ${added.length === 1 ? "action" : "actions"} in your answer, not sent yet`);
    fit();
  }

  async function say(text) {
    if (sending || !asked) return;
    if (!text.trim()) { box.focus(); return; }
    if (bytes(text) > LONGEST) { tell(new Error("Your answer is too long: at most 32 KB.")); return; }
    const { key } = asked;
    wait(true);
    try {
      await post(`${api("sit", token)}/say`, { key, text });
      kept.sent(key, text);
      if (asked?.key === key) hide();
      heard(key, text);
    } catch (error) {
      kept.keep(key, text);
      box.value = text;
      tell(error);
    }
    wait(false);
  }

  const wait = (on) => { sending = on; send.disabled = on; form.classList.toggle("sending", on); };

  const hide = () => { asked = null; form.hidden = true; group = buttons?.group() ?? group; put(place); buttons = null; };

  /** Let a question be answered; the same question again changes nothing of what is being written. */
  function show(state) {
    if (asked?.key === state.key) return;
    const before = kept.of(state.key);
    asked = state;
    box.value = before.text;
    typed = Boolean(before.text);
    note.hidden = !before.sent && !state.late;
    note.textContent = before.sent ? "This is asked once more: look your answer over, and send it again." : "The time was up, and you are asked again. Nothing that you wrote is lost.";
    group = buttons?.group() ?? group;
    buttons = state.moves.length ? moves(state.moves, choose, group) : null;
    put(place, buttons?.element);
    box.placeholder = !state.moves.length ? "Your answer" : state.moves.every((move) => move.ends) ? "Write, or press a button: it is sent at once" : "Write, or press buttons: each adds a line. Then send";
    added = [];
    chosen.hidden = true;
    form.hidden = false;
    fit();
    if (matchMedia("(pointer: fine)").matches) box.focus({ preventScroll: true });
  }

  return { form, moves: place, show, hide, forget: kept.forget };
}
