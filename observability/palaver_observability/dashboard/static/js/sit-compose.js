// Where a person writes: a text box, moves, and sending.

import { api, post } from "./api.js";
import { h, put } from "./dom.js";
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

  const box = h("textarea", { id: "answer", rows: 2, "aria-label": "Your answer", placeholder: "Your answer", spellcheck: "true", dir: "auto", oninput: () => { typed = true; kept.keep(asked.key, box.value); fit(); } });
  const send = h("button", { type: "button", class: "primary", onclick: () => say(box.value) }, "Send");
  const enter = h("input", { type: "checkbox", onchange: () => setEnterSends(enter.checked) });
  enter.checked = enterSends();
  const note = h("p", { class: "small sit-note", hidden: true });
  const place = h("div", { class: "sit-moves-place" });
  const form = h("div", { class: "sit-compose", hidden: true }, note,
    h("div", { class: "sit-write" }, box, send),
    h("label", { class: "check small soft" }, enter, "Enter sends, Shift+Enter begins a new line"));

  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    if (event.shiftKey || (!enter.checked && !(event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    say(box.value);
  });

  document.addEventListener("keydown", (event) => {
    const at = event.target;
    if (!asked || !buttons || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (at !== box && at.matches("input, select, textarea, [contenteditable]")) return;
    buttons.hear(event, { typing: at === box, empty: !box.value || !typed });
  });

  const fit = () => {
    box.style.setProperty("height", "auto");
    box.style.setProperty("height", `${Math.min(box.scrollHeight + 2, Math.round(window.innerHeight * 0.3))}px`);
  };

  function choose(move) {
    if (sending) return;
    if (move.ends && !box.value.trim()) { say(move.says); return; }
    box.value = box.value.trim() ? `${box.value.replace(/\s+$/, "")}\n${move.says}` : move.says;
    kept.keep(asked.key, box.value);
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
    form.hidden = false;
    fit();
    if (matchMedia("(pointer: fine)").matches) box.focus({ preventScroll: true });
  }

  return { form, moves: place, show, hide, forget: kept.forget };
}
