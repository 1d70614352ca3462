/**
 * The types of questions in definitions.
 *
 * A new type needs a record here, a record in type_fields.js, and its words in builder.yaml
 * of each language: `type_TYPE`, and an example for `tile_TYPE`.
 */

/** @import { Definition } from "./paths.js" */

/**
 * @typedef {object} QuestionType
 * @property {string} picture the path of a drawing.
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
  yes_no: { picture: "M2 10l3 3 5-6M12 7l6 6M18 7l-6 6", isClosed: true, needed: () => ({}), optionIds: () => ["yes", "no"] },
  choice: { picture: "M7 5a3 3 0 1 1-6 0a3 3 0 1 1 6 0M7 15a3 3 0 1 1-6 0a3 3 0 1 1 6 0M4 5h.01M11 5h8M11 15h8", isClosed: true, ...listed },
  multiple: { picture: "M1 2h6v6H1zM1 12h6v6H1zM2.500 5l1.500 1.500L6 3.500M2.500 15l1.500 1.500L6 13.500M11 5h8M11 15h8", isClosed: false, ...listed },
  scale: { picture: "M1 10h18M1 6v8M7 8v4M13 8v4M19 6v8", isClosed: true, needed: () => ({ levels: 5 }), optionIds: levels },
  number: { picture: "M3 7h14M3 13h14M8 3L6 17M14 3l-2 14", isClosed: false, needed: () => ({ min: 0, max: 100 }), optionIds: () => [] },
  score: { picture: "M3 4h9M3 10h9M3 16h5M16 4v12M13 13l3 3l3-3", isClosed: true, needed: () => ({ items: [] }), optionIds: (question) => Object.keys(question.cutoffs ?? {}) },
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
