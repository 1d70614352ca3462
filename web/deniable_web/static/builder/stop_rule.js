/** The rule by which a survey closes when its results are precise enough. */
import { optionIds } from "./types.js";

/** @import { Definition } from "./paths.js" */

/** The margin that a new rule begins with. */
const MARGIN = 0.03;
// Decimal numbers times 100, without the rounding errors of binary ones.
const DIGITS = 12;

/**
 * Adds the rule for all questions with shares, or removes it.
 *
 * @param {Definition} document
 * @param {boolean} isRuled
 */
export function changeStopWhen(document, isRuled) {
  if (isRuled) document.stop_when = { margin: MARGIN };
  else delete document.stop_when;
}

/** Whether the results have the share of each option of a question. @param {Definition} question */
export function hasShares(question) {
  const { reported, target, mechanism } = question;
  return reported !== false && target !== "mean" && mechanism !== "piecewise" && optionIds(question).length > 0;
}

/**
 * The ids of the questions in the rule; undefined if all with shares are meant.
 *
 * @param {Definition} document
 * @returns {string[] | undefined}
 */
export function ruledQuestions(document) {
  const named = document.stop_when?.questions;
  return Array.isArray(named) ? named : undefined;
}

/**
 * The questions that an author can choose, with those that a rule from a file names by mistake.
 *
 * @param {Definition} document
 * @returns {Definition[]}
 */
export function offeredQuestions(document) {
  const named = ruledQuestions(document) ?? [];
  return document.questions.filter((/** @type {Definition} */ each) => hasShares(each) || named.includes(each.id));
}

/**
 * A draft in which margins are percentage points.
 *
 * @param {import("./fields.js").Draft} draft
 * @returns {import("./fields.js").Draft}
 */
export function inPoints(draft) {
  const scaled = (/** @type {unknown} */ value, /** @type {number} */ factor) =>
    typeof value === "number" ? Number((value * factor).toPrecision(DIGITS)) : value;
  return {
    get document() {
      return draft.document;
    },
    at: (path) => scaled(draft.at(path), 100),
    // An empty field stays, so that the rule is not removed with its margin.
    set: (path, value) => draft.set(path, scaled(value, 0.01) ?? ""),
  };
}
