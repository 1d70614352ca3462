/**
 * The types of questions in definitions.
 *
 * A new type needs a record here, a record in type_fields.js, and its words in builder.yaml
 * of each language: `type_TYPE`.
 */

/** @import { Definition } from "./paths.js" */

/**
 * @typedef {object} QuestionType
 * @property {boolean} isClosed whether it may be in a crosstab.
 * @property {(twoOptions: () => unknown[]) => Definition} needed its required keys.
 * @property {(question: Definition) => string[]} optionIds the ids of its options in order;
 *     empty for a number.
 */

const MOST_LEVELS = 101;

/** @type {Pick<QuestionType, "needed" | "optionIds">} */
const listed = {
  needed: (twoOptions) => ({ options: twoOptions() }),
  optionIds: (question) => (question.options ?? []).map(optionId),
};

/** @type {{ readonly [type: string]: QuestionType }} */
export const TYPES = {
  yes_no: { isClosed: true, needed: () => ({}), optionIds: () => ["yes", "no"] },
  choice: { isClosed: true, ...listed },
  multiple: { isClosed: false, ...listed },
  scale: { isClosed: true, needed: () => ({ levels: 5 }), optionIds: levels },
  number: { isClosed: false, needed: () => ({ min: 0, max: 100 }), optionIds: () => [] },
  score: { isClosed: true, needed: () => ({ items: [] }), optionIds: (question) => Object.keys(question.cutoffs ?? {}) },
};

/** @param {unknown} option */
export function optionId(option) {
  return typeof option === "string" ? option : String(/** @type {any} */ (option)?.id ?? "");
}

/**
 * The ids of a question's options, in order; empty if its type is unknown.
 *
 * @param {Definition} question
 */
export function optionIds(question) {
  return TYPES[question.type]?.optionIds(question) ?? [];
}

/** @param {Definition} question */
function levels(question) {
  const lowest = Number(question.lowest ?? 1);
  const count = Math.min(Math.max(Number(question.levels) || 0, 0), MOST_LEVELS);
  return Array.from({ length: count }, (_, level) => String(lowest + level));
}
