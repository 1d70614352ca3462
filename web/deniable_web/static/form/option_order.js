/**
 * The order of options where the author wants a random one.
 *
 * The device draws it for one respondent. It is the same in every language, and is never stored
 * or sent.
 */
import { RandomIntegers } from "../sdk/randomness.js";
import { element } from "./page.js";

/** @import { PublishedSurvey } from "../sdk/index.js" */

/**
 * Puts the options on the page in their order. "No answer" stays the last one.
 *
 * @param {PublishedSurvey} survey
 * @param {Map<string, readonly number[]>} drawn the indexes of options by question.
 */
export function orderOptions(survey, drawn) {
  for (const question of survey.questions) {
    if (!question.randomOrder || !("options" in question)) continue;
    const { id, options: { length: count } } = question;
    const order = drawn.get(id) ?? new RandomIntegers().sample(count, count);
    drawn.set(id, order);
    const choices = /** @type {Element} */ (element(`q-${id}`).querySelector(".choices"));
    const inOrder = [...choices.children];
    choices.prepend(...order.map((index) => /** @type {Element} */ (inOrder[index])));
  }
}
