/**
 * PrivSet: a small set of options that tends to meet the chosen ones.
 *
 * The choice is filled up to exactly m with dummy options, so how many were
 * chosen does not show.
 *
 * Guarantee: epsilon = ln(favoured / base) exactly, between any two sets of at
 * most m options of one respondent. Edge case: m = 1 is subset selection over
 * the options and one dummy.
 *
 * The number of draws and the form of the report depend on the parameters only.
 *
 * Source: S. Wang et al. 2018 (INFOCOM); k is options, m is atMost, D = k + m
 * is padded, l is size, e^epsilon is favoured / base.
 */

import { DRAW_RANGE } from "../randomness.js";
import { InvalidParameters } from "./base.js";
import {
  checkIndexList,
  checkTotal,
  readInteger,
  readSelection,
  readWeights,
  refuseUnknown,
} from "./parameters.js";

/** @import { JSONObject, JSONValue } from "../canonical.js" */
/** @import { RandomIntegers } from "../randomness.js" */
/** @import { Weights } from "../weights.js" */
/** @import { Answer, Domain, SomeOf } from "./domains.js" */

/** Sets of `size` out of the options and as many dummies as may be chosen. */
export class PrivSet {
  name = "privset";

  /** @type {readonly number[]} the total weight of the sets that hold t of the m. */
  #meetingWeights;

  /**
   * @param {SomeOf} domain
   * @param {number} size
   * @param {Weights} weights
   */
  constructor(domain, size, weights) {
    const { options, atMost } = domain;
    this.domain = domain;
    this.size = size;
    this.weights = weights;
    this.spends = Object.freeze([weights]);
    this.padded = options + atMost;
    if (!(size >= 1 && size < options)) {
      throw new InvalidParameters(
        `size: got ${size}; allowed are 1 to ${options - 1}, one less than the options`,
      );
    }
    const meeting = Array.from(
      { length: Math.min(atMost, size) + 1 },
      (_, count) =>
        combinations(atMost, count) *
        combinations(options, size - count) *
        BigInt(count > 0 ? weights.favoured : weights.base),
    );
    const total = meeting.reduce((sum, weight) => sum + weight, 0n);
    checkTotal(total, ", a smaller size or fewer options");
    // From here on nothing is above 2^48, so numbers hold it exactly.
    this.totalWeight = Number(total);
    this.#meetingWeights = meeting.map(Number);
    Object.freeze(this);
  }

  /**
   * The mechanism that a published survey describes.
   *
   * @param {JSONObject} document
   */
  static fromDocument(document) {
    refuseUnknown(document, "privset", ["options", "at_most", "size", "weights"]);
    return new PrivSet(
      readSelection(document),
      readInteger(document, "size"),
      readWeights(document),
    );
  }

  /**
   * An ascending list of `size` of the options and dummies.
   *
   * Always 1 + size draws: how many of the m are in the set, which of them,
   * and which others.
   *
   * @param {Answer} answer
   * @param {RandomIntegers} integers
   * @throws {InvalidAnswer} the answer is not of the domain.
   */
  randomize(answer, integers) {
    const inSet = new Set(this.domain.check(answer));
    for (let dummy = this.domain.options; inSet.size < this.domain.atMost; dummy += 1) {
      inSet.add(dummy);
    }
    const chosen = [...inSet];
    const others = [...Array(this.padded).keys()].filter((index) => !inSet.has(index));
    const count = this.#count(integers.below(this.totalWeight));
    const kept = integers.sample(chosen.length, count).map((place) => chosen[place]);
    const rest = integers.sample(others.length, this.size - count).map((place) => others[place]);
    const drawn = /** @type {number[]} */ ([...kept, ...rest]);
    return drawn.sort((a, b) => a - b);
  }

  /**
   * How many of the m the set holds, from a draw below the total weight.
   *
   * @param {number} draw
   */
  #count(draw) {
    let above = 0;
    return this.#meetingWeights.findIndex((weight) => {
      above += weight;
      return draw < above;
    });
  }

  /**
   * Accept exactly the outputs that `randomize` can give.
   *
   * @param {JSONValue} value
   * @throws {InvalidValue} the value is none of them.
   */
  checkValue(value) {
    checkIndexList(value, this.size, this.padded);
  }

  /** @param {Domain} domain */
  fits(domain) {
    return this.domain.equals(domain);
  }
}

/**
 * The number of ways to choose `chosen` of `count`, or something beyond 2^48.
 *
 * C(count, i) grows with i up to the middle, so what is beyond 2^48 once has
 * no need to be finished; and no factor of a total weight is 0.
 *
 * @param {number} count
 * @param {number} chosen
 */
function combinations(count, chosen) {
  const steps = Math.min(chosen, count - chosen);
  let ways = 1n;
  for (let step = 0; step < steps && ways <= DRAW_RANGE; step += 1) {
    ways = (ways * BigInt(count - step)) / BigInt(step + 1);
  }
  return ways;
}
