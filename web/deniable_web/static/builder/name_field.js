/** The names that questions and groups have in results. */
import { make } from "./dom.js";
import { labelled, shownText } from "./fields.js";
import { suggestId } from "./names.js";
import { text } from "./texts.js";

/**
 * @typedef {object} Named
 * @property {"question" | "group"} kind
 * @property {string} id the id of its field.
 * @property {() => string} read
 * @property {(name: string, isFollowing: boolean) => void} rename `isFollowing` if the name only follows a text.
 */

/**
 * The field for a name; it shows the name that the draft has once it is left.
 *
 * @param {Named} named
 * @param {string} hint
 */
export function nameField({ kind, id, read, rename }, hint) {
  const input = make("input", {
    type: "text", id, autocomplete: "off", spellcheck: "false", dir: "ltr", maxlength: 40,
  });
  const show = () => {
    input.value = read();
  };
  show();
  input.addEventListener("input", () => rename(input.value, false));
  input.addEventListener("change", show);
  return labelled(text(`${kind}_id`), input, hint);
}

/**
 * Makes a name from a text while there still is one that the builder made.
 *
 * @param {Named} named
 * @param {unknown} words
 * @param {readonly string[]} taken the names of the others.
 */
export function nameAfterText({ kind, id, read, rename }, words, taken) {
  const shown = shownText(words);
  if (!new RegExp(`^${kind}_\\d+$`).test(read()) || shown === text("untitled")) return;
  const name = suggestId(shown, taken);
  if (name === "question") return;
  rename(name, true);
  const field = document.getElementById(id);
  if (field instanceof HTMLInputElement) field.value = name;
}
