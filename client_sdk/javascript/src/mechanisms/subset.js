/**
 * Subset selection: a fixed-size set of options that tends to hold the truth.
 *
 * Guarantee: epsilon = ln(favoured / base) exactly, between any two answers of
 * one respondent. Edge cases: size 1 is k-ary randomized response; domain size
 * 2 with size 1 is Warner's method.
 *
 * Draws and lengths depend on the parameters only, and the set is sent in
 * ascending order, so nothing but the set itself speaks of the answer.
 *
 * Source: Ye and Barg 2018 (IEEE Trans. Inf. Theory 64), S. Wang et al. 2016;
 * k is domainSize, d is size, e^epsilon is favoured / base.
 */

import { kind } from "../canonical.js";
import { DRAW_RANGE } from "../randomness.js";
import { InvalidParameters, InvalidValue } from "./base.js";
import { readDomainSize, readInteger, readWeights, refuseUnknown } from "./parameters.js";

/** @import { JSONObject, JSONValue } from "../canonical.js" */
/** @import { RandomIntegers } from "../randomness.js" */
/** @import { Weights } from "../weights.js" */

/** Subset selection over 0..domainSize-1 with sets of `size` options. */
export class Subset {
  name = "subset";

  /**
   * @param {number} domainSize
   * @param {number} size
   * @param {Weights} weights
   */
  constructor(domainSize, size, weights) {
    this.domainSize = domainSize;
    this.size = size;
    this.weights = weights;
    this.favouredWeight = size * weights.favoured;
    this.totalWeight = this.favouredWeight + (domainSize - size) * weights.base;
    if (!(size >= 1 && size < domainSize)) {
      throw new InvalidParameters(
        `size: got ${size}; allowed are 1 to ${domainSize - 1}, one less than the domain`,
      );
    }
    // Beyond 2^53 the total is rounded, but never down across 2^48.
    if (this.totalWeight > DRAW_RANGE) {
      throw new InvalidParameters(
        "weights: their total is beyond 2^48, what one draw can tell apart; " +
          "take a smaller epsilon or fewer options",
      );
    }
    Object.freeze(this);
  }

  /**
   * The mechanism that a published survey describes.
   *
   * @param {JSONObject} document
   */
  static fromDocument(document) {
    refuseUnknown(document, "subset", ["domain_size", "size", "weights"]);
    return new Subset(
      readDomainSize(document),
      readInteger(document, "size"),
      readWeights(document),
    );
  }

  /**
   * One set: the index itself for size 1, else an ascending list.
   *
   * Always 1 + size draws: one says whether the answer takes the last place
   * of a partial shuffle of the other options.
   *
   * @param {number} answer
   * @param {RandomIntegers} integers
   * @returns {number | number[]}
   */
  randomize(answer, integers) {
    const includesAnswer = integers.below(this.totalWeight) < this.favouredWeight;
    const others = this.#sampleOthers(answer, integers);
    const last = /** @type {number} */ (others.pop());
    const chosen = [...others, includesAnswer ? answer : last];
    return this.size === 1 ? /** @type {number} */ (chosen[0]) : chosen.sort((a, b) => a - b);
  }

  /**
   * @param {number} answer
   * @param {RandomIntegers} integers
   */
  #sampleOthers(answer, integers) {
    const count = this.domainSize - 1;
    /** @type {Map<number, number>} */
    const moved = new Map(); // the shuffled places of an otherwise ascending pool
    const sample = [];
    for (let place = 0; place < this.size; place += 1) {
      const chosen = place + integers.below(count - place);
      const position = moved.get(chosen) ?? chosen;
      moved.set(chosen, moved.get(place) ?? place);
      sample.push(position + (position >= answer ? 1 : 0));
    }
    return sample;
  }

  /**
   * Accept exactly the outputs that `randomize` can give.
   *
   * @param {JSONValue} value
   * @throws {InvalidValue} the value is none of them.
   */
  checkValue(value) {
    const options = `0 to ${this.domainSize - 1}`;
    if (this.size === 1) {
      if (!this.#isOption(value)) {
        throw new InvalidValue(
          `got ${kind(value)} that is no option; allowed is a whole number from ${options}`,
        );
      }
      return;
    }
    if (!(Array.isArray(value) && value.length === this.size)) {
      throw new InvalidValue(`got ${kind(value)}; allowed is a list of ${this.size} options`);
    }
    if (!value.every((member) => this.#isOption(member))) {
      throw new InvalidValue(
        `got a list with a member that is no option; allowed are whole numbers from ${options}`,
      );
    }
    if (!value.every((member, place) => place === 0 || value[place - 1] < member)) {
      throw new InvalidValue("got a list that is not strictly ascending");
    }
  }

  /** @param {unknown} value */
  #isOption(value) {
    return (
      typeof value === "number" && Number.isInteger(value) && value >= 0 && value < this.domainSize
    );
  }
}
