/** Finds elements of the page, and creates new ones. */
import { announce, element, make } from "../form/page.js";

/** @typedef {import("../form/page.js").Attributes} Attributes */

export { all, announce, element, make, tell } from "../form/page.js";

const NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * @param {string} label
 * @param {(event: Event) => unknown} act
 * @param {Attributes} [attributes]
 */
export function button(label, act, attributes = {}) {
  return make("button", { type: "button", click: act, ...attributes }, label);
}

/** A checkbox with its words. @param {HTMLInputElement} box @param {string} words */
export function tick(box, words) {
  return make("label", { class: "tick", for: box.id }, box, make("span", {}, words));
}

/**
 * A new element of a drawing.
 *
 * @param {string} tag
 * @param {{ readonly [name: string]: string | number }} attributes
 */
export function draw(tag, attributes) {
  const made = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/** Opens the folds and the panel around an element. @param {Element | null} inner */
export function unfold(inner) {
  const panel = inner?.closest("[role=tabpanel][hidden]");
  if (panel) element(panel.getAttribute("aria-labelledby") ?? "").click();
  for (let fold = inner?.closest("details"); fold; fold = fold.parentElement?.closest("details")) fold.open = true;
}

/** Moves the focus to the first of these elements that can have it. @param {...string} ids */
export function focusOn(...ids) {
  for (const id of ids) {
    const wanted = document.getElementById(id);
    unfold(wanted);
    wanted?.focus();
    if (document.activeElement?.id === id) return;
  }
}

/** Confirms a change of the draft, with a button that takes it back. @param {string} words */
export function toast(words) {
  announce(words);
  element("toast-undo").hidden = false;
}

/**
 * Keeps the focus, and the place in a text, while a change replaces the fields.
 *
 * @template Found
 * @param {() => Found} change
 */
export function keepingFocus(change) {
  const before = document.activeElement;
  const { id } = before ?? {};
  const field = /** @type {HTMLInputElement | null} */ (before?.matches("input[type=text], textarea") ? before : null);
  const range = field ? [field.selectionStart, field.selectionEnd] : null;
  const found = change();
  if (!id || document.activeElement?.id === id) return found;
  const after = /** @type {HTMLInputElement | null} */ (document.getElementById(id));
  after?.focus({ preventScroll: true });
  if (range && after?.matches("input[type=text], textarea")) after.setSelectionRange(range[0] ?? 0, range[1] ?? 0);
  return found;
}
