/** The page's elements by id, its texts, and its messages. */

/** @param {string} id */
export function element(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no part ${id}`);
  return found;
}

/**
 * One of the interface's texts, as the server rendered them.
 *
 * @param {string} name
 * @param {{ readonly [place: string]: string | number }} [fillings] what to put
 *   where the text has {place}.
 */
export function text(name, fillings = {}) {
  const found = element("texts").dataset[name] ?? "";
  return found.replace(/\{(\w+)\}/g, (place, key) => String(fillings[key] ?? place));
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
 */
export function sayVariant(id, variant) {
  const said = element(id);
  said.textContent = said.dataset[variant] ?? "";
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

/** The format of numbers in the page's language, with digits that all readers know. */
export function numberLocale() {
  return `${document.documentElement.lang}-u-nu-latn`;
}
