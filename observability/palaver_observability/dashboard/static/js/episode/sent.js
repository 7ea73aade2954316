// What a provider was sent: the view as the role protocol made messages of it, and the very bytes where they were kept.

import { api, get } from "../api.js";
import { h, put } from "../dom.js";
import { oneLine, visible } from "../format.js";
import { noticeOf } from "../notice.js";
import { partsOf } from "./parts.js";

/** A place that fills itself with what was sent for the log entry `n`. */
export function sentPlace({ run, episode, signal }, n) {
  const place = h("div", { class: "sent", "aria-busy": "true" }, h("p", { class: "soft small" }, "Making the messages…"));
  get(`${api("episode", run, episode, "sent")}?n=${n}`, signal).then((sent) => put(place, shown(sent)), (error) => {
    if (error.name !== "AbortError") put(place, noticeOf(error));
  }).finally(() => place.removeAttribute("aria-busy"));
  return place;
}

function shown(sent) {
  return [
    h("p", { class: "small soft" }, `To ${oneLine(sent.agent)}, protocol ${oneLine(sent.protocol)}. `,
      sent.note ? oneLine(sent.note) : null),
    h("ol", { class: "sent-messages" }, (sent.messages ?? []).map((message) => h("li", {},
      h("p", { class: "role" }, h("span", { class: "chip" }, oneLine(message.role))),
        h("div", { class: "stack" }, partsOf(message.content, { fold: 6_000, lines: 80 }))))),
    sent.stored ? h("details", {}, h("summary", {}, "The very request, as JSON"),
      h("pre", { class: "raw" }, visible(JSON.stringify(sent.stored, null, 2)))) : null,
    sent.sha256 ? h("p", { class: "tiny soft" }, "SHA-256 of the bytes: ", h("code", {}, sent.sha256)) : null,
  ];
}
