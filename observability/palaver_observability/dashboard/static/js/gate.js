// What is shown to whoever may not come in, or while nobody answers: why, and how to come in.

import { h, put } from "./dom.js";
import { noticeOf } from "./notice.js";

export function gate(main, error, again) {
  if (error.status !== 401 && error.status !== 403) {
    put(main, h("div", { class: "gate" }, h("h1", {}, "Nobody answers"), noticeOf(error),
      h("p", {}, h("button", { type: "button", class: "primary", onclick: () => { put(main); again(); } }, "Try again"))));
    return;
  }
  const field = h("input", { id: "token", type: "password", autocomplete: "off", spellcheck: "false", required: true,
    class: "grow" });
  const enter = (event) => {
    event.preventDefault();
    const address = new URL(location.href);
    address.searchParams.set("token", field.value.trim());
    location.replace(address);
  };
  put(main, h("div", { class: "gate" },
    h("h1", {}, "This page wants a token"),
    h("p", {}, "What agents say, and what they must not know of each other, is shown to operators only. ",
      "The command that serves this page has printed an address that carries the token: open that address once, ",
      "and this browser remembers it."),
    h("pre", { class: "panel" }, "palaver: dashboard at http://127.0.0.1:8700/?token=…"),
    h("form", { onsubmit: enter, class: "row", "aria-label": "Token" },
      h("label", { for: "token", class: "small soft" }, "Or type the token"), field,
        h("button", { class: "primary" }, "Come in")),
    h("p", { class: "small soft" }, "Lost it? Start the command again with ", h("code", {}, "--token"), " or ",
      h("code", {}, "PALAVER_DASHBOARD_TOKEN"),
      ". Were you sent a link to a seat or a study? Open that link itself."),
    noticeOf(error, "warn")));
}
