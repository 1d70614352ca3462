/** What every question has, whatever its kind. */

import { InvalidAnswer, quote } from "../../errors.js";
import { Fields } from "../fields.js";

/** @import { Image, QuestionSection } from "../appearance.js" */
/** @import { ShowIf } from "../routing.js" */
/** @import { Feedback, Rule } from "./score.js" */
/** @import { Text } from "../text.js" */
/** @import { Question } from "./index.js" */

/**
 * The fields of every question. Without `showIf` it is always reached.
 *
 * @typedef {object} Common
 * @property {string} id
 * @property {string} type
 * @property {Text} text
 * @property {Text | null} help a text below the question.
 * @property {Image | null} image an image below the question.
 * @property {QuestionSection | null} section the section of the form that begins with it.
 * @property {boolean} required
 * @property {ShowIf | null} showIf
 * @property {boolean} newPage whether a form shows it at the top of a page.
 * @property {boolean} randomOrder whether a form shows its options in an order that the device draws.
 * @property {boolean} fixed whether its answer is a fact that does not change:
 *   later editions reuse what was reported of it.
 * @property {Rule} [rule] how a device computes its answer from others.
 * @property {Feedback | null} [feedback] what a device shows for that answer.
 */

const Given = /** @type {new (common: Common) => Readonly<Common>} */ (Fields);

/**
 * The questions from which the scores among these are computed.
 *
 * @param {readonly Question[]} questions
 */
export function itemsOf(questions) {
  return questions.flatMap(({ rule }) => rule?.items.map(({ question }) => question) ?? []);
}

/** The fields that every question has. */
export class BaseQuestion extends Given {
  /**
   * Whether "no answer" is one of its answers.
   *
   * It is randomized with them like any other, so that leaving a question
   * out, or not being led to it, cannot be seen.
   */
  get offersNoAnswer() {
    return !this.required || this.showIf !== null;
  }

  /** The answers it takes, in words. */
  get takes() {
    return "answers";
  }

  /**
   * The error for an answer that does not fit, which it leaves out.
   *
   * @param {unknown} answer
   */
  refusal(answer) {
    const missing = this.required && (answer ?? null) === null ? " is required, and" : "";
    return new InvalidAnswer(
      `question ${quote(this.id)}${missing} takes ${this.takes}; ` +
        "the answer given is none of them and was not used",
    );
  }
}
