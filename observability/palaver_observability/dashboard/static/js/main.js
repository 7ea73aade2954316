// Where the pages begin: who is asking, which page, the frame around it.

import { api, get } from "./api.js";
import { agentsPage } from "./agents.js";
import { h, put } from "./dom.js";
import { episodePage } from "./episode/episode.js";
import { oneLine } from "./format.js";
import { gate } from "./gate.js";
import { startKeys } from "./keys.js";
import { empty } from "./notice.js";
import { nowPage } from "./now/now.js";
import { resultPage, resultsPage } from "./results/results.js";
import { router } from "./router.js";
import { runPage, runsPage } from "./runs.js";
import { seatsPage } from "./seats.js";
import { onConnection } from "./stream.js";
import { themeSwitch } from "./theme.js";

const CONNECTION = { "": "", live: "live", connecting: "connecting…", lost: "reconnecting…", refused: "token needed" };
const main = document.getElementById("main");

themeSwitch(document.getElementById("theme"));
onConnection((state) => {
  const shown = document.getElementById("connection");
  shown.className = `connection ${state}`;
  shown.textContent = CONNECTION[state];
  shown.title = state === "lost" ? "The server does not answer. It is tried again by itself." : "";
  if (state === "refused") gate(main, { status: 401, message: "The server was started anew, with another token.",
    mend: "Open the address that it printed." }, begin);
});

async function begin() {
  let hello;
  try {
    hello = await get(api("hello"));
  } catch (error) {
    gate(main, error, begin);
    return;
  }
  hello.skew = hello.now ? hello.now - Date.now() / 1000 : 0;
  const page = (make) => (place) => make({ ...place, hello });
  const routes = router(main, [
    ["/", page(nowPage)],
    ["/episode/:run/:episode", page(episodePage)],
    ["/runs", page(runsPage)],
    ["/runs/:run", page(runPage)],
    ["/results", page(resultsPage)],
    ["/results/:run", page(resultPage)],
    ["/agents", page(agentsPage)],
    ["/seats", page(seatsPage)],
  ], framed);
  startKeys(document.getElementById("keys"), routes.go);
  frame(hello);
  routes.start();
}

function frame(hello) {
  const where = document.getElementById("where");
  where.textContent = hello.role === "visitor" ? "visitor" : oneLine(hello.where ?? "");
  where.title = `palaver ${hello.version}: ${oneLine(hello.where ?? "")}`;
  for (const link of document.querySelectorAll("#nav [data-needs]")) link.hidden = !hello.can?.[link.dataset.needs];
}

function decoded(piece) {
  try { return decodeURIComponent(piece); } catch { return piece; }
}

function framed(pattern) {
  const begins = `/${location.pathname.split("/")[1]}`;
  for (const link of document.querySelectorAll("#nav a")) {
    const here = link.getAttribute("href") === begins;
    if (here) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  const pieces = location.pathname.split("/").slice(1).filter(Boolean).map(decoded);
  document.title = [...pieces.reverse().map(oneLine), "palaver"].join(" · ") || "palaver";
  if (!pattern) put(main, empty("There is no such page", "The address leads nowhere here."),
    h("p", { class: "empty" }, h("a", { href: "/" }, "To what is played now")));
}

begin();
