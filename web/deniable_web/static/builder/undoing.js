/** Undo and redo, by button and by key, and the confirmations that offer them. */
import { announce, element, keepingFocus, unfold } from "./dom.js";
import { fieldId } from "./paths.js";
import { text } from "./texts.js";

/** @import { Draft } from "./draft.js" */

/** A confirmation stays until the next change. @param {Draft} draft */
export function listenToUndo(draft) {
  const buttons = { back: element("undo"), again: element("redo") };
  const follow = () => {
    buttons.back.setAttribute("aria-disabled", String(!draft.history.hasPast));
    buttons.again.setAttribute("aria-disabled", String(!draft.history.hasFuture));
    announce("");
    element("toast-undo").hidden = true;
  };
  for (const change of ["edited", "restructured"]) draft.addEventListener(change, follow);
  buttons.back.addEventListener("click", () => step(draft, "back"));
  buttons.again.addEventListener("click", () => step(draft, "again"));
  element("toast-undo").addEventListener("click", () => {
    step(draft, "back");
    buttons.back.focus();
  });
  addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
    const letter = key.toLowerCase();
    if (!(ctrlKey || metaKey) || altKey || !["z", "y"].includes(letter) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    step(draft, shiftKey || letter === "y" ? "again" : "back");
  });
}

/** @param {Draft} draft @param {"back" | "again"} way */
function step(draft, way) {
  const before = draft.document;
  const conflicts = keepingFocus(() => draft.step(way));
  if (conflicts === undefined) return;
  announce(text(conflicts > 0 ? "undone_not" : way === "back" ? "undone" : "redone"));
  const changed = changedPlace(before, draft.document);
  const shown = document.getElementById(fieldId(changed)) ?? document.getElementById(fieldId(changed.slice(0, 2)));
  unfold(shown);
  shown?.scrollIntoView({ block: "nearest" });
}

/**
 * The path of the first place at which two drafts differ.
 *
 * @param {any} one
 * @param {any} other
 * @returns {(string | number)[]}
 */
function changedPlace(one, other) {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return [];
  const isSame = (/** @type {string} */ key) => JSON.stringify(one[key]) === JSON.stringify(other[key]);
  const key = Object.keys({ ...one, ...other }).find((each) => !isSame(each));
  return key === undefined ? [] : [key, ...changedPlace(one[key], other[key])];
}
