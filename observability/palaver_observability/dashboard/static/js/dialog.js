// Questions to whoever sits in front: are you sure; and pictures as large as they are.

import { h } from "./dom.js";

/** Ask; resolves to true or false, or with a `field` to its text or null. */
export function confirm({ title, words, yes, danger = false, field = null }) {
  return new Promise((resolve) => {
    const input = field ? h("input", { id: "asked", type: "text", value: field.value ?? "",
      placeholder: field.placeholder ?? "", class: "grow" }) : null;
    const dialog = h("dialog", { "aria-labelledby": "asked-title", onclose: () => {
      const said = dialog.returnValue === "yes";
      resolve(input ? (said ? input.value.trim() : null) : said);
      dialog.remove();
    } },
      h("form", { method: "dialog" },
        h("h2", { id: "asked-title" }, title), words ? h("p", {}, words) : null,
        input ? h("p", { class: "row" }, h("label", { for: "asked", class: "small soft" }, field.label), input) : null,
        h("div", { class: "choices" },
          h("button", { value: "no", type: "submit", formnovalidate: true }, "Leave it"),
          h("button", { value: "yes", type: "submit", class: danger ? "danger" : "primary" }, yes))));
    document.body.append(dialog);
    dialog.showModal();
    if (danger) dialog.querySelector('[value="no"]').focus();
  });
}

/** Show a picture alone: fitted to the window; a click on it shows it in its own size, one beside it closes. */
export function zoom(address, words) {
  const picture = h("img", { src: address, alt: words || "picture", class: "fit" });
  const dialog = h("dialog", {
    class: "zoom", "aria-label": words || "Picture", onclose: () => dialog.remove(),
    onclick: (event) => {
      if (event.target === picture) picture.classList.toggle("fit");
      else dialog.close();
    },
  }, picture, h("button", { type: "button", class: "icon zoom-close", "aria-label": "Close" }, "×"));
  document.body.append(dialog);
  dialog.showModal();
}
