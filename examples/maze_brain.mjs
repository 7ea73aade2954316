// A player of the maze game that needs no palaver: reply(question) -> text. Copies of it, and of maze_brain.py, solve a
// maze together. Everybody draws its map aloud once, so everybody knows the whole maze and works out the same shortest
// way. Whoever speaks agrees to what is proposed and proposes the next step of that way; when all have agreed to the
// last, it is over. Nothing is remembered between two questions: each shows all that was said.

const STEPS = { right: [0, 1], down: [1, 0], left: [0, -1], up: [-1, 0] };
const PROPOSED = "I propose that we move";

/** Say what is to be said next. */
export function reply(question) {
  const { seat, partners } = question;
  const said = question.view.map((message) => [message.speaker, textOf(message)]);
  const maps = said.flatMap(([, text]) => mapsIn(text));
  if (!maps.length) return "I can play the maze game only, and see no map.";
  const maze = merged(maps);
  const way = wayThrough(maze);
  if (!partners.length) // alone: the whole way at once
    return "My solution: " + [find(maze, "@"), ...way.map(([, cell]) => cell)].map(named).join(", ");
  const talk = said.filter(([speaker]) => speaker === seat || partners.includes(speaker));
  const told = new Set(talk.filter(([, text]) => mapsIn(text).length).map(([speaker]) => speaker));
  const lines = [];
  if (!told.has(seat)) {
    lines.push("This is what my map shows, row by row:\n" + maps[0].join("\n") + "\n");
    told.add(seat);
  }
  const proposals = talk.map(([, text]) => text.includes(PROPOSED)).filter(Boolean).length;
  if (proposals) lines.push("I agree.");
  if (told.size <= partners.length) // somebody has yet to tell
    return lines.join("\n") || "Please draw your map, row by row, as I did.";
  const last = talk.findLastIndex(([, text]) => text.includes(PROPOSED));
  if (proposals < way.length) {
    const [step, cell] = way[proposals];
    lines.push(`${PROPOSED} ${step} to ${named(cell)}. Do you agree?`);
  } else if (proposals && talk.length - last >= partners.length) // all others have agreed to the last step
    lines.push("We have reached the goal. ACTI!");
  return lines.join("\n") || "I see no way to the goal.";
}

const named = ([row, column]) => `(${row}, ${column})`;

/** Return the text of a message; what a picture shows is in its alt text, if anywhere. */
const textOf = (message) => message.parts.map((part) => part.text ?? part.alt ?? "").join("\n");

/** Find the maps drawn in a text: lines of equal length over @*.#? that follow one another. */
function mapsIn(text) {
  const blocks = text.match(/(?:^[@*.#?]{2,}[ \t]*\r?$\n?)+/gm) ?? [];
  return blocks
    .filter((block) => block.includes("@") && block.includes("*"))
    .map((block) => block.trim().split(/\s+/))
    .filter((rows) => rows.every((row) => row.length === rows[0].length));
}

/** Lay maps of one maze over each other: what one hides another shows. */
function merged([first, ...others]) {
  const same = others.filter((map) => map.length === first.length && map[0].length === first[0].length);
  return first.map((line, row) =>
    [...line].map((cell, column) => [cell, ...same.map((map) => map[row][column])].find((each) => each !== "?") ?? "?"),
  );
}

/** Return the [row, column] of a symbol. */
function find(maze, symbol) {
  const row = maze.findIndex((line) => line.includes(symbol));
  return [row, maze[row].indexOf(symbol)];
}

/** Return the shortest way as [step, cell] in order; of several, the same for everybody. */
function wayThrough(maze) {
  const start = find(maze, "@");
  const ways = new Map([[named(start), []]]);
  for (const queue = [start]; queue.length; ) {
    const here = queue.shift();
    for (const [step, [down, right]] of Object.entries(STEPS)) {
      const cell = [here[0] + down, here[1] + right];
      const open = (maze[cell[0]]?.[cell[1]] ?? "#") !== "#";
      if (!open || ways.has(named(cell))) continue;
      ways.set(named(cell), [...ways.get(named(here)), [step, cell]]);
      queue.push(cell);
    }
  }
  return ways.get(named(find(maze, "*"))) ?? [];
}
