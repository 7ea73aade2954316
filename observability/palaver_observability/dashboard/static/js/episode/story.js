// An episode's log as a reader wants it: turns counted, handoffs between them, private talk together. Pure.

/** What there is to show, in order. An entry is {kind: "turn"|"private"|"handoff"|"changed", turn, …}. */
export class Story {
  constructor(data) {
    this.data = data;
    this.seats = data.seats.map((each) => each.seat);
    this.entries = [];
    this.turns = [];              // the step of each turn; turn k is at k - 1
    this.length = 0;
    this.fillers = new Map();
    this.ended = data.ended;
    this.waiting = data.waiting ?? [];
    for (const step of data.steps) this.add(step);
  }

  /** Take the next step of the log in. Returns the entries that are new or that have grown; one that is known: none. */
  add(step) {
    if (step.n <= this.length) return [];
    this.length = step.n;
    if (step.kind === "changed") {
      this.fillers.set(step.seat, step.agent);
      return [this.put({ kind: "changed", seat: step.seat, agent: step.agent, turn: this.turns.length, step })];
    }
    const told = [];
    if (step.kind === "turn") {
      const before = this.fillers.get(step.seat);
      if (before !== undefined && before !== step.agent) {
        told.push(this.put({ kind: "handoff", seat: step.seat, agent: step.agent, before, turn: this.turns.length }));
      }
      this.fillers.set(step.seat, step.agent);
    }
    if (step.kind === "aside") {
      const last = this.entries.at(-1);
      if (last?.kind === "private" && last.seat === step.seat) {
        last.steps.push(step);
        return [...told, last];
      }
      return [...told, this.put({ kind: "private", seat: step.seat, steps: [step], turn: this.turns.length + 1 })];
    }
    this.turns.push(step);
    return [...told, this.put({ kind: "turn", seat: step.seat, step, turn: this.turns.length })];
  }

  put(entry) {
    entry.at = this.entries.length;
    this.entries.push(entry);
    return entry;
  }

  /** Who sits behind a seat now: as it was planned, or as the log has it where somebody came in by a rule or by hand. */
  agentOf(seat) {
    const planned = this.data.seats.find((each) => each.seat === seat)?.fillers ?? [];
    const due = planned.filter((each) => each.from_turn !== null && each.from_turn <= this.turns.length).at(-1)?.agent;
    if (due?.startsWith("team(")) return due;  // whoever speaks for a team is named alone in the log
    return this.waiting.find((each) => each.seat === seat)?.agent ?? this.fillers.get(seat) ?? due ?? planned[0]?.agent ?? "";
  }

  /** Sums over all that was said, private talk included; frozen turns were paid for elsewhere. */
  sums() {
    const sums = { input: 0, output: 0, reasoning: 0, latency: 0, cost: 0, priced: true, asides: 0 };
    const count = (step) => {
      if (step.copied_from) return;
      sums.input += step.usage?.input_tokens ?? 0;
      sums.output += step.usage?.output_tokens ?? 0;
      sums.reasoning += step.usage?.reasoning_tokens ?? 0;
      sums.latency += step.latency ?? 0;
      if (step.cost === null || step.cost === undefined) sums.priced = false;
      else sums.cost += step.cost;
    };
    for (const entry of this.entries) {
      if (entry.kind === "turn") count(entry.step);
      if (entry.kind === "private") { entry.steps.forEach(count); sums.asides += entry.steps.length; }
    }
    return sums;
  }
}
