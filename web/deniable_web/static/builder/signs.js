/** Small buttons with signs, and those that move and delete the members of a list. */
import { button, draw, focusOn, make, toast } from "./dom.js";
import { text } from "./texts.js";

// Drawn as paths, because some devices have no characters for these signs.
const SIGNS = {
  up: "M10 16V4M5 9l5-5 5 5",
  down: "M10 4v12M5 11l5 5 5-5",
  add: "M10 4v12M4 10h12",
  grip: "M7 5h.01M13 5h.01M7 10h.01M13 10h.01M7 15h.01M13 15h.01",
  copy: "M7 7V3h10v10h-4M3 7h10v10H3z",
  delete: "M5 5l10 10M15 5L5 15",
};

/**
 * A small button with a sign, whose label says what it does.
 *
 * @param {keyof typeof SIGNS} sign
 * @param {string} label
 * @param {(event: Event) => unknown} act
 * @param {import("./dom.js").Attributes} [attributes]
 */
export function signButton(sign, label, act, attributes = {}) {
  const made = button("", act, { class: "sign", "aria-label": label, title: label, ...attributes });
  made.append(picture(SIGNS[sign]));
  return made;
}

/** A small drawing, which screen readers skip. @param {string} path */
export function picture(path) {
  const svg = draw("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" });
  svg.append(draw("path", { d: path }));
  return svg;
}

/**
 * @typedef {object} Member
 * @property {"question" | "option" | "group"} kind
 * @property {number} place
 * @property {number} count the length of the list.
 * @property {(place: number) => string} id
 * @property {(target: number) => void} move
 * @property {() => void} [add] inserts another one after it.
 * @property {() => void} [copy]
 * @property {() => void} remove
 */

/**
 * The buttons that move, copy and delete a member of a list; the focus moves with it.
 *
 * @param {Member} member
 */
export function memberSigns({ kind, place, count, id, move, add, copy, remove }) {
  const label = (/** @type {keyof typeof SIGNS} */ sign) =>
    text(`${kind}_${sign}`, { place: place + 1, name: place + 1 });
  const mover = (/** @type {"up" | "down"} */ way, /** @type {number} */ target) =>
    signButton(way, label(way), () => {
      move(target);
      // At an end of the list, the button that moved it there is disabled.
      focusOn(`${id(target)}-${way}`, `${id(target)}-${way === "up" ? "down" : "up"}`);
      toast(text("moved", { place: target + 1 }));
    }, { disabled: target < 0 || target === count, id: `${id(place)}-${way}` });
  return make(
    "div",
    { class: "signs" },
    mover("up", place - 1),
    mover("down", place + 1),
    add && signButton("add", label("add"), add, { id: `${id(place)}-add` }),
    copy && signButton("copy", label("copy"), copy),
    signButton("delete", label("delete"), () => {
      remove();
      if (kind !== "question") tellDeleted(text(kind, { place: place + 1 }));
    }, { id: `${id(place)}-delete` }),
  );
}

/** Says that a part of the draft is gone, and that it can come back. @param {string} name */
export function tellDeleted(name) {
  toast(text("deleted_part", { name }));
}
