// Builds elements. What is said by agents and people only ever becomes text: there is no way to markup from here.

const SVG = "http://www.w3.org/2000/svg";

/** Make an element: `h("p", {class: "soft", onclick: f}, "words", child, null)`. Children that are null or false are left out. */
export function h(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/** The same for the parts of a drawing. */
export function s(tag, attributes = {}, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) set(element, name, value);
  element.append(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false));
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "vars") for (const [key, each] of Object.entries(value)) element.style.setProperty(key, each);
  else if (name === "data") Object.assign(element.dataset, value);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** Replace what an element holds. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false));
  return element;
}

/** Write words only where they differ: a text that is set anew is laid out anew, and read out anew. */
export function write(element, words) {
  const text = words ?? "";
  if (element.textContent !== text) element.textContent = text;
}

/** Set an attribute only where it differs; null takes it away. */
export function mark(element, name, value) {
  if (value === null || value === false) { if (element.hasAttribute(name)) element.removeAttribute(name); }
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/** Bring children into an order, moving only those that stand wrongly. */
export function arrange(parent, wanted) {
  let at = parent.firstChild;
  for (const child of wanted) {
    if (child === at) at = at.nextSibling;
    else parent.insertBefore(child, at);
  }
  while (at) { const next = at.nextSibling; at.remove(); at = next; }
}

/** Do work once in the next frame, however often it is asked for. */
export function eachFrame(work) {
  let asked = 0;
  const run = () => { asked = 0; work(); };
  const ask = () => { asked ||= requestAnimationFrame(run); };
  ask.cancel = () => { cancelAnimationFrame(asked); asked = 0; };
  return ask;
}
