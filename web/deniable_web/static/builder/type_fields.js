/** The fields of each type of question besides its text, and its options in words. */
import { make } from "./dom.js";
import { checkField, labelled, more, numberField, selectInput, shownText, textField, worded } from "./fields.js";
import { optionList } from "./option_list.js";
import { fieldId } from "./paths.js";
import { scoreFields } from "./score_fields.js";
import { text } from "./texts.js";
import { optionIds } from "./types.js";

/** @import { Draft } from "./draft.js" */
/** @import { Definition } from "./paths.js" */

/**
 * @typedef {object} TypeFields
 * @property {(draft: Draft, path: [string, number]) => { shown?: Node[], hidden?: Node[] }} fields
 * @property {(question: Definition, index: number) => string} optionText
 */

// With more levels, words for each level would be too many to read.
const MOST_LABELLED = 11;

/** @type {{ readonly [type: string]: TypeFields }} */
const TYPE_FIELDS = {
  yes_no: {
    fields: (draft, path) => ({
      hidden: [more(text("other_words"), labelFields(draft, path, ["yes", "no"], [text("yes"), text("no")]))],
    }),
    optionText: (question, index) => {
      const id = optionIds(question)[index] ?? "";
      return shownText(question.labels?.[id] ?? text(id));
    },
  },
  choice: {
    fields: (draft, path) => ({ shown: [optionList(draft, path[1])], hidden: [orderField(draft, path)] }),
    optionText: listedText,
  },
  multiple: {
    fields: (draft, path) => ({
      shown: [optionList(draft, path[1])],
      hidden: [orderField(draft, path), numberField(draft, worded([...path, "at_most"]))],
    }),
    optionText: listedText,
  },
  scale: {
    fields: scaleFields,
    optionText: (question, index) => {
      const id = optionIds(question)[index] ?? "";
      const words = question.labels?.[id];
      return words ? `${id} – ${shownText(words)}` : id;
    },
  },
  number: { fields: numberFields, optionText: () => "" },
  score: {
    fields: (draft, path) => ({ shown: scoreFields(draft, path) }),
    optionText: (question, index) => {
      const id = optionIds(question)[index] ?? "";
      return shownText(question.labels?.[id] ?? id);
    },
  },
};

/** The fields that are always shown, and those behind "More". @param {Draft} draft @param {number} index */
export function typeFields(draft, index) {
  const found = TYPE_FIELDS[draft.at(["questions", index, "type"])]?.fields(draft, ["questions", index]);
  return { shown: found?.shown ?? [], hidden: found?.hidden ?? [] };
}

/** @param {Definition} question @param {number} index */
export function optionText(question, index) {
  return TYPE_FIELDS[question.type]?.optionText(question, index) ?? "";
}

/** @param {Definition} question @param {number} index */
function listedText(question, index) {
  const option = question.options[index];
  return shownText(typeof option === "string" ? option : (option.text ?? option.id));
}

/** @param {Draft} draft @param {(string | number)[]} path */
function orderField(draft, path) {
  return checkField(draft, worded([...path, "random_order"]));
}

/** @param {Draft} draft @param {(string | number)[]} path */
function scaleFields(draft, path) {
  const words = make("div", { class: "stack" });
  const fill = () => {
    const all = optionIds(draft.at(path));
    const ends = all.filter((_, index) => index === 0 || index === all.length - 1);
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
    numberField(draft, worded([...path, "levels"], { onChange: fill })),
    numberField(draft, worded([...path, "lowest"], { onChange: fill, attributes: { placeholder: "1" } })),
  ];
  return { shown: [make("div", { class: "side-by-side" }, ...numbers), words], hidden: [targetField(draft, path)] };
}

/** @param {Draft} draft @param {(string | number)[]} path */
function numberFields(draft, path) {
  const bounds = [
    numberField(draft, worded([...path, "min"])),
    numberField(draft, worded([...path, "max"])),
  ];
  return {
    shown: [make("div", { class: "side-by-side" }, ...bounds)],
    hidden: [
      numberField(draft, worded([...path, "step"], { attributes: { placeholder: "1" } })),
      textField(draft, worded([...path, "unit"], { isOptional: true })),
      targetField(draft, path),
    ],
  };
}

/** @param {Draft} draft @param {(string | number)[]} path */
function targetField(draft, path) {
  const field = [...path, "target"];
  const options = ["shares", "mean"].map((value) => ({ value, label: text(`target_${value}`) }));
  const chosen = draft.at(field) ?? "shares";
  const select = selectInput(fieldId(field), options, chosen, (value) => {
    draft.set(field, value === "mean" ? value : undefined);
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
  return keys.map((key, index) =>
    textField(draft, { path: [...path, "labels", key], label: labels[index] ?? key, isOptional: true }),
  );
}
