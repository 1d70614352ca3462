/** The page's elements by id, its texts, and its messages. */

/** @param {string} id */
export function element(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no part ${id}`);
  return found;
}

/** The form with the questions. */
export function form() {
  return /** @type {HTMLFormElement} */ (element("survey"));
}

/** @typedef {{ readonly [place: string]: string | number }} Fillings what to put where a text has {place}. */

/**
 * One of the interface's texts, as the server rendered them.
 *
 * @param {string} name
 * @param {Fillings} [fillings]
 */
export function text(name, fillings) {
  return filled(element("texts").dataset[name], fillings);
}

/**
 * @param {string} [words]
 * @param {Fillings} [fillings]
 */
function filled(words = "", fillings = {}) {
  return words.replace(/\{(\w+)\}/g, (place, key) => String(fillings[key] ?? place));
}

/** @param {string} message Read politely by screen readers; empty hides it. */
export function setStatus(message) {
  const status = element("status");
  status.textContent = message;
  status.hidden = message === "";
}

/**
 * Show one of the texts of a part of the page.
 *
 * @param {string} id
 * @param {string} variant
 * @param {Fillings} [fillings]
 */
export function sayVariant(id, variant, fillings) {
  const said = element(id);
  said.textContent = filled(said.dataset[variant], fillings);
}

/** @param {string} message Read politely by screen readers, and not shown. */
export function announce(message) {
  element("announcement").textContent = message;
}

/**
 * @param {string} message Read at once by screen readers; empty hides it.
 * @param {string} [reason] the message of the SDK or of a server, in English.
 */
export function fail(message, reason = "") {
  const problem = element("problem");
  problem.textContent = message;
  problem.hidden = message === "";
  if (reason) problem.append(" ", part("span", reason, { lang: "en", dir: "ltr" }));
}

/**
 * A new element with a text.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} words
 * @param {{ readonly [attribute: string]: string }} [attributes]
 */
export function part(tag, words, attributes = {}) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = words;
  return made;
}

/**
 * The format of numbers in the language of the page or of a part of it, with digits that all
 * readers know.
 *
 * @param {Element} part
 */
export function numberLocale(part = document.documentElement) {
  return `${part.closest("[lang]")?.getAttribute("lang")}-u-nu-latn`;
}
