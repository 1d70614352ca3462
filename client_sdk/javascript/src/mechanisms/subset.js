/**
 * Subset selection: a fixed-size set of options that tends to hold the truth.
 *
 * Guarantee: epsilon = ln(high / low) exactly, between any two answers of
 * one respondent. Edge cases: size 1 is k-ary randomized response; domain size
 * 2 with size 1 is Warner's method.
 *
 * Draws and lengths depend on the parameters only, and the set is sent in
 * ascending order, so nothing but the set itself speaks of the answer.
 *
 * Source: Ye and Barg 2018 (IEEE Trans. Inf. Theory 64), S. Wang et al. 2016;
 * k is domainSize, d is size, e^epsilon is high / low.
 */

import { BaseMechanism } from "./base.js";
import { OneOf } from "./domains.js";
import { checkRange, checkTotal, combinations } from "./parameters.js";

/** @import { RandomIntegers } from "../randomness.js" */
/** @import { Answer, Domain } from "./domains.js" */
/** @import { Weights } from "../weights.js" */

/**
 * Subset selection over 0..domainSize-1 with sets of `size` options.
 *
 * @extends {BaseMechanism<OneOf>}
 */
export class Subset extends BaseMechanism {
  name = "subset";

  /**
   * @param {number} domainSize
   * @param {number} size
   * @param {Weights} weights
   */
  constructor(domainSize, size, weights) {
    const highWeight = size * weights.high;
    const totalWeight = highWeight + (domainSize - size) * weights.low;
    const shape = size === 1 ? [] : [size];
    super(new OneOf(domainSize), weights, totalWeight, 1 + size, domainSize, shape);
    this.size = size;
    this.highWeight = highWeight;
    checkRange("size", size, 1, domainSize - 1);
    checkTotal(totalWeight, " or fewer options");
    this.outputs = Number(combinations(domainSize, size));
    Object.freeze(this);
  }

  /**
   * One set: the index itself for size 1, else an ascending list.
   *
   * Always 1 + size draws: one says whether the answer takes the last place
   * of a partial shuffle of the other options.
   *
   * @param {Answer} answer
   * @param {RandomIntegers} integers
   * @returns {number | number[]}
   */
  randomize(answer, integers) {
    const truth = this.domain.check(answer);
    const includesAnswer = integers.below(this.totalWeight) < this.highWeight;
    const others = integers
      .sample(this.domain.size - 1, this.size)
      .map((index) => index + (index >= truth ? 1 : 0));
    if (includesAnswer) others[this.size - 1] = truth;
    return this.size === 1 ? /** @type {number} */ (others[0]) : others.sort((a, b) => a - b);
  }

  /**
   * @override
   * @param {Domain} domain
   */
  fits(domain) {
    return domain instanceof OneOf && domain.size === this.domain.size;
  }
}
