/** Options: the answers that respondents choose from. */

import { SHORT_TEXT_RULE, isShortText, readOptionalText } from "./text.js";

/** @import { Section } from "./reading.js" */
/** @import { Text } from "./text.js" */

export const NO_ANSWER = "no_answer";
export const MAX_OPTIONS = 999;

/**
 * One possible answer; without a text of its own, its id is shown.
 *
 * @typedef {{ readonly id: string, readonly text: Text | null }} Option
 */

/**
 * The options of a published question; problems go to the section.
 *
 * @param {Section} section
 */
export function readOptions(section) {
  /** @param {unknown} id */
  const fits = (id) => isShortText(id) && id !== NO_ANSWER;
  /** @type {Option[]} */
  const options = section.sections("options", 2, MAX_OPTIONS).map((inner) => {
    inner.refuseUnknown(["id", "text"]);
    const id = inner.read("id", `${SHORT_TEXT_RULE}, not ${NO_ANSWER}`, fits, "");
    return Object.freeze({ id, text: readOptionalText(inner, "text") });
  });
  return Object.freeze(section.withoutTwins("options", options));
}

/**
 * The name of each answer of a domain: the options, then "no answer".
 *
 * @param {readonly Option[]} options
 * @param {boolean} offersNoAnswer
 * @returns {readonly string[]}
 */
export function optionNames(options, offersNoAnswer) {
  const ids = options.map((option) => option.id);
  return Object.freeze(offersNoAnswer ? [...ids, NO_ANSWER] : ids);
}
