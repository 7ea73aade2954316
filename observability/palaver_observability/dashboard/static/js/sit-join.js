// A study: agreeing, then one seat after the other, then thanks.

import { api, get, post } from "./api.js";
import { h, put } from "./dom.js";
import { noticeOf, tell } from "./notice.js";

const LOOK_MS = 2_500;

export async function join(main, token) {
  document.title = "Taking part · palaver";
  document.getElementById("title").textContent = "Taking part";
  await look();

  async function look() {
    try {
      show(await get(api("join", token)));
    } catch (error) {
      put(main, noticeOf(error));
      if (error.status === 0 || error.status >= 500) setTimeout(look, LOOK_MS);
    }
  }

  function show(now) {
    if (now.state === "seat") { location.replace(now.link); return; }
    const panel = { consent: agreeing, wait: waiting, thanks }[now.state](now);
    if (main.dataset.state !== now.state) put(main, h("div", { class: "sit-door panel" }, panel));
    main.dataset.state = now.state;
    if (now.state === "wait") setTimeout(look, LOOK_MS);
  }

  function agreeing(now) {
    const agree = h("button", { type: "button", class: "primary", onclick: async () => {
      agree.disabled = true;
      try { show(await post(`${api("join", token)}/consent`, { agree: true })); } catch (error) { tell(error); agree.disabled = false; }
    } }, "I agree, and take part");
    return [h("h2", {}, "Before you begin"), now.consent_text.map((each) => h("p", { class: "sit-consent" }, each)),
      h("div", { class: "row" }, agree, h("span", { class: "small soft" }, "If you do not agree, close this page."))];
  }

  function waiting(now) {
    return [h("h2", {}, "There is no open seat just now"),
      h("p", {}, `${played(now)}This page looks again by itself: leave it open, and you are seated as soon as somebody is needed.`),
      h("p", { class: "small soft pulse" }, `You are ${now.you}.`)];
  }

  function thanks(now) {
    if (now.full && !now.done) return [h("h2", {}, "There is no seat left"),
      h("p", {}, "Others have taken all of them. Thank you for coming; you may close this page."), again(), pseudonym(now)];
    return [h("h2", {}, "Thank you for taking part"),
      h("p", {}, `${played(now)}${now.full ? "There is no more to play." : "That is all."} You may close this page.`), now.full ? again() : null, pseudonym(now)];
  }

  function again() {
    return h("p", { class: "small soft" }, "Should somebody give a seat up, it is open again: ", h("button", { type: "button", class: "link small", onclick: look }, "look once more"), ".");
  }

  function pseudonym(now) {
    return h("p", { class: "small soft" }, "Your pseudonym is ", h("strong", {}, now.you), ": name it if you are asked for it, or want to withdraw.");
  }

  function played(now) {
    return now.done ? `You have played ${now.done}${now.of ? ` of ${now.of}` : ""} ${now.done === 1 && !now.of ? "episode" : "episodes"}. ` : "";
  }
}
