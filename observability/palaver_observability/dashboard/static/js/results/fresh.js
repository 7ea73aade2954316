// Results grow while a run is played: they are read again while more of it has ended than is shown.

import { listen } from "../stream.js";

const SOON_MS = 1_000;  // by then it is written down, nearly always
const LATER_MS = 4_000;
const TRIES = 5;  // what was not recorded by then never will be, here

/**
 * Call `read`, which returns a promise, while episodes are missing. `shown(run)` says how many of a run are shown; null
 * for a run that does not matter. Returns a function that ends it.
 */
export function fresh(read, shown) {
  let last = [];
  let timer = 0;
  let tries = 0;
  const isBehind = () => last.some((run) => shown(run) !== null && run.ended > shown(run));
  const wait = (pause) => {
    timer = setTimeout(async () => {
      await read();
      timer = 0;
      if (isBehind() && ++tries < TRIES) wait(LATER_MS);
    }, pause);
  };
  const end = listen("/api/stream?topics=runs", { runs: ({ runs }) => {
    last = runs;
    tries = 0;
    if (!timer && isBehind()) wait(SOON_MS);
  } });
  return () => { last = []; clearTimeout(timer); end(); };
}
