/** Options: the answers that respondents choose from. */

import { quote } from "../errors.js";
import { isShownText, readOptionalText, textOrNone } from "./text.js";

/** @import { Section } from "./reading.js" */
/** @import { Text } from "./text.js" */

export const NO_ANSWER = "no_answer";
export const MAX_OPTIONS = 999;

const MAX_OPTION_ID_LENGTH = 200;
const OPTION_ID_RULE = `a text of 1 to ${MAX_OPTION_ID_LENGTH} characters`;

/**
 * One possible answer; without a text of its own, its id is shown.
 *
 * @typedef {{ readonly id: string, readonly text: Text | null }} Option
 */

/**
 * The options of a published question; problems go to the section.
 *
 * @param {Section} section
 * @returns {readonly Option[]}
 */
export function readOptions(section) {
  const options = section.sections("options", 2, MAX_OPTIONS).map(readOption);
  checkOptionIds(section, options);
  return Object.freeze(options);
}

/**
 * What each place of a domain is called: the options, then "no answer".
 *
 * @param {readonly Option[]} options
 * @param {boolean} hasNoAnswer
 * @returns {readonly string[]}
 */
export function optionNames(options, hasNoAnswer) {
  const ids = options.map((option) => option.id);
  return Object.freeze(hasNoAnswer ? [...ids, NO_ANSWER] : ids);
}

/**
 * Whether an answer to a question of any kind says that there is none.
 *
 * @param {unknown} answer
 */
export function isNoAnswer(answer) {
  const said = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
  return answer === null || answer === undefined || said === NO_ANSWER;
}

/**
 * @param {Section} section
 * @returns {Option}
 */
function readOption(section) {
  section.refuseUnknown(["id", "text"]);
  const id = section.require("id", OPTION_ID_RULE);
  if (!isShownText(id, MAX_OPTION_ID_LENGTH)) {
    section.refuse(`got no option id; allowed is ${OPTION_ID_RULE}`, "id");
  }
  return Object.freeze({ id: textOrNone(id), text: readOptionalText(section, "text") });
}

/**
 * @param {Section} section
 * @param {readonly Option[]} options
 */
function checkOptionIds(section, options) {
  const seen = new Set();
  for (const [index, { id }] of options.entries()) {
    if (id === NO_ANSWER) {
      section.refuse(
        `${quote(id)} is reserved: every question that is not required has it already`,
        "options",
        index,
      );
    } else if (id && seen.has(id)) {
      section.refuse(`the option ${quote(id)} stands twice`, "options", index);
    }
    seen.add(id);
  }
}
