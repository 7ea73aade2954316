// An agent with nothing but `redis` from npm: PALAVER_URL=redis://NAME:TOKEN@HOST:6379/0 node agent.mjs [BRAIN.mjs]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "redis";

const url = new URL(process.env.PALAVER_URL);
const [bus, me] = [url.searchParams.get("bus") ?? "palaver", `bus/${url.username}`];
const [inbox, outbox] = [`{${bus}}:in:${me}`, `{${bus}}:out:${me}`];
const brain = process.argv[2] ? await import(pathToFileURL(resolve(process.argv[2]))) : {};
const reply = brain.reply ?? ((question) => "I have nothing to add.");
const think = async (question) => ({ type: "turn.reply", parts: [{ type: "text", text: await reply(question) }] });
const failure = (error) => ({ type: "turn.failure", code: "crashed", message: String(error), retryable: true });
const link = createClient({ url: url.href, disableClientInfo: true, socket: { reconnectStrategy: () => 1000 } }); // ms
link.on("error", (error) => console.error(`${error.message || error.code}; trying again`)); // so it does, for ever
process.on("SIGINT", () => process.exit(0));
await link.connect();
const say = (message) => link.xAdd(outbox, "*", { m: JSON.stringify({ ...message, version: "1.0", agent: me }) });
const answers = new Map(); // asked the same again, it says the same
for (let readTo = "0-0", greetAt = 0; ; ) {
  try {
    if (Date.now() > greetAt) { // every 20 seconds; then read again all that is open: an answer may be lost
      await say({ type: "agent.hello", key: "hello", software: "agent.mjs" });
      [readTo, greetAt] = ["0-0", Date.now() + 20_000];
    }
    const [box] = (await link.xRead({ key: inbox, id: readTo }, { COUNT: 1, BLOCK: 2000 })) ?? [];
    for (const { id, message } of box?.messages ?? []) {
      const question = JSON.parse(message.m);
      const { type, key, run_id, episode_id, turn, seat } = question;
      const said = answers.get(message.m) ?? (type === "turn.request" && (await think(question).catch(failure)));
      if (said.type === "turn.reply") answers.set(message.m, said);
      if (said) await say({ ...said, key, run_id, episode_id, turn, seat });
      if (answers.size > 1000) answers.delete(answers.keys().next().value);
      readTo = id;
    }
  } catch (error) {
    console.error(`${error.message}; trying again`);
    await new Promise((done) => setTimeout(done, 1000));
  }
}
