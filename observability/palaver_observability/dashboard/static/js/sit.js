// A person's page: a link leads to a seat (/sit/TOKEN), or to a study that hands seats out (/join/TOKEN).

import { put } from "./dom.js";
import { noticeOf } from "./notice.js";
import { join } from "./sit-join.js";
import { sit } from "./sit-seat.js";
import { themeSwitch } from "./theme.js";

themeSwitch(document.getElementById("theme"));
const main = document.getElementById("main");
const [, where, token] = location.pathname.split("/");
try {
  await (where === "join" ? join(main, token) : sit(main, token));
} catch (error) {
  put(main, noticeOf(error));
}
