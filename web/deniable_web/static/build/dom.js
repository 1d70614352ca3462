/** Finds elements of the page, and creates new ones. */

/** @typedef {{ readonly [name: string]: string | number | boolean | undefined | EventListener }} Attributes */

/**
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function element(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no part ${id}`);
  return /** @type {T} */ (found);
}

/**
 * A new element. A true attribute has no value; a false or undefined attribute is left out;
 * a function listens to the event with its name.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {(Node | string | null | undefined)[]} children
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/**
 * @param {string} label
 * @param {(event: Event) => unknown} act
 * @param {Attributes} [attributes]
 */
export function button(label, act, attributes = {}) {
  return make("button", { type: "button", click: act, ...attributes }, label);
}

const NAMESPACE = "http://www.w3.org/2000/svg";
// Drawn as paths, because some devices have no characters for these signs.
const SIGNS = {
  up: "M10 16V4M5 9l5-5 5 5",
  down: "M10 4v12M5 11l5 5 5-5",
  copy: "M7 7V3h10v10h-4M3 7h10v10H3z",
  delete: "M5 5l10 10M15 5L5 15",
};

/** @param {keyof typeof SIGNS} name */
function drawSign(name) {
  const svg = document.createElementNS(NAMESPACE, "svg");
  for (const [key, value] of [["viewBox", "0 0 20 20"], ["aria-hidden", "true"]]) svg.setAttribute(key ?? "", value ?? "");
  const path = document.createElementNS(NAMESPACE, "path");
  path.setAttribute("d", SIGNS[name]);
  svg.append(path);
  return svg;
}

/**
 * A small button with a sign, whose label says what it does.
 *
 * @param {keyof typeof SIGNS} sign
 * @param {string} label
 * @param {(event: Event) => unknown} act
 * @param {Attributes} [attributes]
 */
export function signButton(sign, label, act, attributes = {}) {
  const made = button("", act, { class: "sign", "aria-label": label, title: label, ...attributes });
  made.append(drawSign(sign));
  return made;
}

/** @param {string} message Read politely by screen readers, and not shown. */
export function announce(message) {
  element("announcement").textContent = message;
}

/**
 * Offers bytes as a file to save.
 *
 * @param {Blob} content
 * @param {string} name
 */
export function keepFile(content, name) {
  const address = URL.createObjectURL(content);
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
