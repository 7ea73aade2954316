// Taking a seat over from a model, and giving it back: by hand, in the middle of an episode.

import { api, post } from "../api.js";
import { confirm } from "../dialog.js";
import { h } from "../dom.js";
import { oneLine } from "../format.js";
import { tell } from "../notice.js";
import { isHuman } from "../seat.js";

/** `links` remembers, by seat, where to sit down; `redraw` draws the seats anew: the stream may have done so before. */
export function seatControls({ run, episode, seat, agent, links, redraw }) {
  const human = isHuman(agent);
  const button = h("button", { type: "button", class: "slim", onclick: act,
    title: human ? "Put an agent behind this seat again" : "Put a person behind this seat, from its next turn on" },
    human ? "Give back" : "Take over");
  const sit = (link) => h("a", { class: "button primary slim", href: link, target: "_blank", rel: "noopener" }, "Sit down ↗");
  return h("span", { class: "row seat-control" }, links.has(seat) ? sit(links.get(seat)) : null, button);

  async function act() {
    const wish = human
      ? await confirm({ title: `Give ${oneLine(seat)} back?`,
        words: "From its next turn on an agent speaks for this seat again.", yes: "Give it back",
        field: { label: "Agent", placeholder: "whoever had it before" } })
      : await confirm({ title: `Take ${oneLine(seat)} over?`,
        words: `From its next turn on a person speaks instead of ${oneLine(agent)}, and the episode waits for that person.`,
        yes: "Take it over" });
    if (wish === null || wish === false) return;
    button.disabled = true;
    try {
      const said = await post(api("episode", run, episode, "seats", seat, human ? "give" : "take"),
        human ? { agent: wish || null } : {});
      if (human) links.delete(seat);
      else links.set(seat, said.link);
    } catch (error) {
      tell(error);
    }
    redraw();
  }
}
