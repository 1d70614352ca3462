/** The page's elements by id, its texts, and its messages. */

/** @typedef {{ readonly [name: string]: string | number | boolean | undefined | EventListener }} Attributes */

/**
 * The element with an id.
 *
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {string} id
 * @param {new () => Kind} [kind] its class, for a caller that needs more than all elements have.
 * @returns {Kind}
 */
export function element(id, kind) {
  const found = document.getElementById(id);
  if (found === null || (kind && !(found instanceof kind))) throw new Error(`the page has no part ${id}`);
  return /** @type {Kind} */ (found);
}

/**
 * The elements that a selector finds.
 *
 * @param {string} selector
 * @param {ParentNode} [within]
 */
export function all(selector, within = document) {
  return /** @type {HTMLElement[]} */ ([...within.querySelectorAll(selector)]);
}

/** The form with the questions. */
export function form() {
  return element("survey", HTMLFormElement);
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

/** @param {string} [words] @param {Fillings} [fillings] */
function filled(words = "", fillings = {}) {
  return words.replace(/\{(\w+)\}/g, (place, key) => String(fillings[key] ?? place));
}

/**
 * Shows words in an element; without any it is hidden.
 *
 * @param {string} id
 * @param {string} words
 */
export function tell(id, words) {
  const told = element(id);
  told.textContent = words;
  told.hidden = words === "";
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
  tell("problem", message);
  if (reason) element("problem").append(" ", make("span", { lang: "en", dir: "ltr" }, reason));
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
    else if (value !== false && value !== undefined) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flatMap((child) => child ?? []));
  return made;
}

/** A text from an address; as it is if a mail program has broken it. @param {string} text */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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
