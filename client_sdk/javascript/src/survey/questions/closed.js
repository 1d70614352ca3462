/** One of several options: yes_no, choice and scale. */

import { OneOf } from "../../mechanisms/domains.js";
import { NO_ANSWER, optionNames, readOptions } from "../options.js";
import { BaseQuestion } from "./base.js";

/** @import { Option } from "../options.js" */
/** @import { Section } from "../reading.js" */
/** @import { Common } from "./base.js" */

/** A question whose answer is one of its options. */
export class ClosedQuestion extends BaseQuestion {
  static keys = ["options"];

  /**
   * @param {Common} common
   * @param {readonly Option[]} options
   */
  constructor(common, options) {
    super(common);
    this.options = options;
    this.domain = new OneOf(options.length, this.offersNoAnswer);
    this.names = optionNames(options, this.offersNoAnswer);
    Object.freeze(this);
  }

  /**
   * @param {Section} section
   * @param {Common} common
   */
  static read(section, common) {
    return new ClosedQuestion(common, readOptions(section));
  }

  /**
   * The index of an answer in the domain.
   *
   * @param {unknown} answer an option's id, or null for no answer; for yes_no
   *   also true or false, for scale also the level as a number.
   * @throws {InvalidAnswer} it is none of them; the message leaves it out.
   */
  encode(answer) {
    const index = this.names.indexOf(optionId(this.type, answer ?? NO_ANSWER));
    if (index < 0) throw this.refusal(answer);
    return index;
  }

  /** @override */
  get takes() {
    const names = this.required ? this.options.map((option) => option.id) : this.names;
    return `one of its options: ${names.join(", ")}`;
  }
}

/** One of the options that its author lists. */
export class ChoiceQuestion extends ClosedQuestion {
  /** @override */
  static keys = ["options", "random_order"];
}

/**
 * @param {string} type
 * @param {any} answer
 * @returns {string} or something else, which no option is called.
 */
function optionId(type, answer) {
  if (typeof answer === "boolean" && type === "yes_no") return answer ? "yes" : "no";
  if (Number.isSafeInteger(answer) && type === "scale") return String(answer);
  return answer;
}
