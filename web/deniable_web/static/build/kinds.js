/** What a question of each kind asks its author besides its text. */
import { make } from "./dom.js";
import { labelled, numberField, selectInput, textField } from "./fields.js";
import { optionList } from "./option_list.js";
import { fieldId } from "./paths.js";
import { text } from "./texts.js";

/** @typedef {import("./draft.js").Draft} Draft */

// With more levels, words for each would be more than anybody reads.
const MOST_LABELLED = 11;

/**
 * @param {Draft} draft
 * @param {number} index
 * @param {(id: string) => void} focus
 * @returns {Node[]}
 */
export function kindFields(draft, index, focus) {
  const path = ["questions", index];
  switch (draft.at([...path, "type"])) {
    case "choice":
      return [optionList(draft, index, focus)];
    case "multiple":
      return [
        optionList(draft, index, focus),
        numberField(draft, { path: [...path, "at_most"], label: text("at_most"), hint: text("at_most_hint") }),
      ];
    case "scale":
      return scaleFields(draft, path);
    case "number":
      return numberFields(draft, path);
    default:
      return [more(text("other_words"), labelFields(draft, path, ["yes", "no"], [text("yes"), text("no")]))];
  }
}

/**
 * @param {Draft} draft
 * @param {(string | number)[]} path
 */
function scaleFields(draft, path) {
  const words = make("div", { class: "stack" });
  const fill = () => {
    const lowest = Number(draft.at([...path, "lowest"]) ?? 1);
    const levels = Math.min(Number(draft.at([...path, "levels"])) || 0, 101);
    const all = Array.from({ length: levels }, (_, place) => String(lowest + place));
    const ends = all.filter((_, place) => place === 0 || place === all.length - 1);
    const between = all.length <= MOST_LABELLED ? all.slice(1, -1) : [];
    const label = (/** @type {string} */ level) => text("level_words", { level });
    words.replaceChildren(
      make("div", { class: "side-by-side" }, ...labelFields(draft, path, ends, ends.map(label))),
      ...(between.length > 0
        ? [more(text("other_levels"), labelFields(draft, path, between, between.map(label)))]
        : []),
    );
  };
  fill();
  const numbers = [
    numberField(draft, { path: [...path, "levels"], label: text("levels"), onChange: fill }),
    numberField(draft, { path: [...path, "lowest"], label: text("lowest"), onChange: fill, attributes: { placeholder: "1" } }),
  ];
  return [make("div", { class: "side-by-side" }, ...numbers), words, targetField(draft, path)];
}

/**
 * @param {Draft} draft
 * @param {(string | number)[]} path
 */
function numberFields(draft, path) {
  const bounds = [
    numberField(draft, { path: [...path, "min"], label: text("min") }),
    numberField(draft, { path: [...path, "max"], label: text("max") }),
    numberField(draft, { path: [...path, "step"], label: text("step"), attributes: { placeholder: "1" } }),
  ];
  return [
    make("div", { class: "side-by-side" }, ...bounds),
    textField(draft, { path: [...path, "unit"], label: text("unit"), isOptional: true }),
    targetField(draft, path),
  ];
}

/**
 * @param {Draft} draft
 * @param {(string | number)[]} path
 */
function targetField(draft, path) {
  const place = [...path, "target"];
  const options = ["shares", "mean"].map((value) => ({ value, label: text(`target_${value}`) }));
  const chosen = draft.at(place) ?? "shares";
  const select = selectInput(fieldId(place), options, chosen, (value) => {
    draft.set(place, value === "mean" ? value : undefined);
  });
  return labelled(text("target"), select, text("target_hint"));
}

/**
 * @param {Draft} draft
 * @param {(string | number)[]} path
 * @param {readonly string[]} keys
 * @param {readonly string[]} labels
 */
function labelFields(draft, path, keys, labels) {
  return keys.map((key, place) =>
    textField(draft, { path: [...path, "labels", key], label: labels[place] ?? key, isOptional: true }),
  );
}

/**
 * @param {string} summary
 * @param {readonly Node[]} parts
 */
export function more(summary, parts) {
  return make("details", {}, make("summary", {}, summary), make("div", { class: "stack" }, ...parts));
}
