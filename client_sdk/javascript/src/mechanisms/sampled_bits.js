/**
 * Sampled bits: a few options drawn at random, each answered by Warner.
 *
 * Guarantee: epsilon = parts · ln(high / low) exactly, between any two sets
 * of options of one respondent, with parts the smaller of sampled and 2m: two
 * sets of at most m options differ in at most 2m. Edge case: with one option
 * drawn it is Warner's method on that option.
 *
 * The number of draws and the form of the report depend on the parameters only.
 *
 * Source: sampling instead of splitting, N. Wang et al. 2019 (ICDE); the bit is
 * Warner 1965 (JASA 60); k is options, m is at_most, s is sampled.
 */

import { BaseMechanism } from "./base.js";
import { checkRange, checkTotal, combinations } from "./parameters.js";

/** @import { RandomIntegers } from "../randomness.js" */
/** @import { Weights } from "../weights.js" */
/** @import { Answer, SomeOf } from "./domains.js" */

const MAX_SAMPLED = 10;

/**
 * Warner bits of `sampled` of the options, drawn by the device.
 *
 * Each drawn bit spends its part, up to as many as two answers differ in.
 *
 * @extends {BaseMechanism<SomeOf>}
 */
export class SampledBits extends BaseMechanism {
  name = "sampled_bits";

  /**
   * @param {SomeOf} domain
   * @param {number} sampled
   * @param {Weights} weights
   */
  constructor(domain, sampled, weights) {
    const totalWeight = weights.high + weights.low;
    super(domain, weights, totalWeight, 2 * sampled, domain.options, [sampled, 2]);
    this.sampled = sampled;
    checkRange("sampled", sampled, 1, Math.min(domain.options, MAX_SAMPLED));
    checkTotal(totalWeight, " or smaller weights");
    this.outputs = Number(combinations(domain.options, sampled)) * 2 ** sampled;
    this.spends = Object.freeze(Array(Math.min(sampled, 2 * domain.atMost)).fill(weights));
    Object.freeze(this);
  }

  /**
   * Pairs [option, bit] in ascending order of their options.
   *
   * Always 2 · sampled draws: the options first, as the first places of a
   * partial shuffle, then a bit for each in ascending order.
   *
   * @param {Answer} answer
   * @param {RandomIntegers} integers
   */
  randomize(answer, integers) {
    const chosen = new Set(this.domain.check(answer));
    const drawn = integers.sample(this.domain.options, this.sampled).sort((a, b) => a - b);
    return drawn.map((option) => {
      const isKept = integers.below(this.totalWeight) < this.weights.high;
      return [option, chosen.has(option) === isKept ? 1 : 0];
    });
  }
}
