/** What a mechanism is given: the possible answers of a block, as indexes. */

import { InvalidAnswer } from "../errors.js";

/** @typedef {number | readonly number[]} Answer */
/** @typedef {OneOf | SomeOf} Domain */

/**
 * Whether a value is a whole number from 0 to size - 1.
 *
 * @param {unknown} value
 * @param {number} size
 * @returns {value is number}
 */
export function isIndex(value, size) {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < size;
}

/**
 * Whether indexes are strictly ascending.
 *
 * @param {readonly any[]} indexes
 */
export function ascends(indexes) {
  return indexes.every((index, at) => at === 0 || indexes[at - 1] < index);
}

/**
 * One of `options` in their order, or no answer where there is one.
 *
 * An answer is an index: 0 to options - 1, and `options` for no answer.
 */
export class OneOf {
  /**
   * @param {number} options
   * @param {boolean} [offersNoAnswer]
   */
  constructor(options, offersNoAnswer = false) {
    this.options = options;
    this.offersNoAnswer = offersNoAnswer;
    this.size = options + (offersNoAnswer ? 1 : 0);
    Object.freeze(this);
  }

  /**
   * The answer, if it is one.
   *
   * @param {unknown} answer
   * @throws {InvalidAnswer} it is none of them; the message leaves it out.
   */
  check(answer) {
    if (isIndex(answer, this.size)) return answer;
    throw refusal(this);
  }
}

/**
 * Any set of at most `atMost` of `options`; the empty set is an answer.
 *
 * An answer is an ascending list of indexes from 0 to options - 1. Where a
 * question has no answer, that is one more option.
 */
export class SomeOf {
  /**
   * @param {number} options
   * @param {number} atMost
   */
  constructor(options, atMost) {
    this.options = options;
    this.atMost = atMost;
    Object.freeze(this);
  }

  /**
   * The answer, if it is one.
   *
   * @param {unknown} answer
   * @returns {readonly number[]}
   * @throws {InvalidAnswer} it is none of them; the message leaves it out.
   */
  check(answer) {
    // Array.from fills the holes of a list, which `every` would pass over.
    const indexes = Array.isArray(answer) ? Array.from(answer) : [undefined];
    const areKnown = indexes.every((index) => isIndex(index, this.options));
    if (areKnown && indexes.length <= this.atMost && ascends(indexes)) return indexes;
    throw refusal(this);
  }
}

/** @param {Domain} domain */
function refusal(domain) {
  const allowed = JSON.stringify(domain);
  return new InvalidAnswer(`allowed is ${allowed}; the answer given is none of them and was not used`);
}
