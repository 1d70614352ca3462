/** Any of several options, or at most some of them. */

import { SomeOf, ascends } from "../../mechanisms/domains.js";
import { NO_ANSWER, optionNames, readOptions } from "../options.js";
import { BaseQuestion } from "./base.js";

/** @import { Option } from "../options.js" */
/** @import { Section } from "../reading.js" */
/** @import { Common } from "./base.js" */

/**
 * A question whose answer is at most `atMost` of its options.
 *
 * "No answer" is one option more that stands alone; choosing none of the
 * options is another answer than giving none.
 */
export class MultipleQuestion extends BaseQuestion {
  static keys = ["options", "random_order", "at_most"];

  /**
   * @param {Common} common
   * @param {readonly Option[]} options
   * @param {number} atMost
   */
  constructor(common, options, atMost) {
    super(common);
    this.options = options;
    this.atMost = atMost;
    this.names = optionNames(options, this.offersNoAnswer);
    this.domain = new SomeOf(this.names.length, atMost);
    Object.freeze(this);
  }

  /**
   * @param {Section} section
   * @param {Common} common
   */
  static read(section, common) {
    const options = readOptions(section);
    const atMost = section.integer("at_most", 1, Math.max(1, options.length));
    return new MultipleQuestion(common, options, atMost);
  }

  /**
   * The ascending indexes of an answer's options in the domain.
   *
   * @param {unknown} answer a list of options' ids in any order, or null for no
   *   answer.
   * @throws {InvalidAnswer} it is no such list; the message leaves it out.
   */
  encode(answer) {
    const said = (answer ?? NO_ANSWER) === NO_ANSWER ? [NO_ANSWER] : answer;
    // Array.from fills the holes of a list with what no option is called.
    const chosen = Array.isArray(said) ? Array.from(said) : [undefined];
    const indexes = chosen.map((id) => this.names.indexOf(id)).sort((a, b) => a - b);
    const standsAlone = indexes.length === 1 || !chosen.includes(NO_ANSWER);
    const isKnown = indexes[0] !== -1;
    if (isKnown && standsAlone && indexes.length <= this.atMost && ascends(indexes)) return indexes;
    throw this.refusal(answer);
  }

  /** Every set of up to nine options by its binary number, and then "no answer", which stands alone. */
  get answers() {
    const places = [...this.options.keys()];
    const sets = Array.from({ length: places[9] ? 0 : 2 ** places.length }, (_, set) => places.filter((place) => (set >> place) % 2));
    return [...sets, ...(this.offersNoAnswer ? [[places.length]] : [])].filter(({ length }) => length <= this.atMost);
  }

  /** @override */
  get takes() {
    const ids = this.options.map((option) => option.id).join(", ");
    return `lists of at most ${this.atMost} of its options, each once: ${ids}`;
  }
}
