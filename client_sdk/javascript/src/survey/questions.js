/** A question with a closed list of options, as a published survey carries it. */

import { InvalidAnswer, quote } from "../errors.js";
import { ID } from "./reading.js";
import { isShownText, readOptionalText, readText } from "./text.js";

/** @import { Section } from "./reading.js" */
/** @import { Text } from "./text.js" */

export const NO_ANSWER = "no_answer";

const QUESTION_TYPES = ["yes_no", "choice", "scale"];
const MAX_OPTIONS = 999;
const MAX_OPTION_ID_LENGTH = 200;
const OPTION_ID_RULE = `a text of 1 to ${MAX_OPTION_ID_LENGTH} characters`;

/**
 * One possible answer; without a text of its own, its id is shown.
 *
 * @typedef {{ readonly id: string, readonly text: Text | null }} Option
 */

/** What is asked, and which answers it takes. */
export class Question {
  /** @type {readonly string[]} */
  domain;

  /**
   * @param {object} parts
   * @param {string} parts.id
   * @param {string} parts.type
   * @param {Text} parts.text
   * @param {Option[]} parts.options
   * @param {boolean} parts.required
   */
  constructor({ id, type, text, options, required }) {
    this.id = id;
    this.type = type;
    this.text = text;
    this.options = Object.freeze(options);
    this.required = required;
    const ids = options.map((option) => option.id);
    // Leaving a question out is an answer like any other, randomized with them.
    this.domain = Object.freeze(required ? ids : [...ids, NO_ANSWER]);
    Object.freeze(this);
  }

  /**
   * The place of an answer in the domain.
   *
   * @param {unknown} answer an option's id, or null for no answer; for yes_no
   *   also true or false, for scale also the level as a number.
   * @throws {InvalidAnswer} it is none of them; the message leaves it out.
   */
  index(answer) {
    const isMissing = answer === null || answer === undefined;
    const chosen = isMissing ? NO_ANSWER : optionId(this.type, answer);
    const place = chosen === null ? -1 : this.domain.indexOf(chosen);
    if (place < 0) {
      const missing = this.required && isMissing ? " is required, and" : "";
      throw new InvalidAnswer(
        `question ${quote(this.id)}${missing} takes one of its options: ` +
          `${this.domain.join(", ")}; the answer given is none of them and was not used`,
      );
    }
    return place;
  }
}

/**
 * @param {string} type
 * @param {unknown} answer
 */
function optionId(type, answer) {
  if (typeof answer === "boolean" && type === "yes_no") return answer ? "yes" : "no";
  if (Number.isSafeInteger(answer) && type === "scale") return String(answer);
  return typeof answer === "string" ? answer : null;
}

/**
 * A question of a published survey; problems go to the section.
 *
 * @param {Section} section
 */
export function readQuestion(section) {
  section.refuseUnknown(["id", "type", "text", "options", "required"]);
  const allowed = QUESTION_TYPES.join(", ");
  const type = section.require("type", `one of ${allowed}`);
  if (typeof type !== "string" || !QUESTION_TYPES.includes(type)) {
    section.refuse(`got an unknown type; allowed: ${allowed}`, "type");
  }
  const options = section.sections("options", 2, MAX_OPTIONS).map(readOption);
  checkOptionIds(section, options);
  return new Question({
    id: section.identifier("id", ID),
    type: String(type),
    text: readText(section, "text"),
    options,
    required: section.flag("required"),
  });
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
  return Object.freeze({ id: String(id), text: readOptionalText(section, "text") });
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
    } else if (seen.has(id)) {
      section.refuse(`the option ${quote(id)} stands twice`, "options", index);
    }
    seen.add(id);
  }
}
