/**
 * PrivSet: a small set of options that tends to meet the chosen ones.
 *
 * The choice is filled up to exactly m with dummy options, so how many were
 * chosen does not show.
 *
 * Guarantee: epsilon = ln(high / low) exactly, between any two sets of at
 * most m options of one respondent. Edge case: m = 1 is subset selection over
 * the options and one dummy.
 *
 * The number of draws and the form of the report depend on the parameters only.
 *
 * Source: S. Wang et al. 2018 (INFOCOM); k is options, m is atMost, D = k + m
 * is members, l is size, e^epsilon is high / low.
 */

import { BaseMechanism } from "./base.js";
import { checkRange, checkTotal, combinations } from "./parameters.js";

/** @import { RandomIntegers } from "../randomness.js" */
/** @import { Weights } from "../weights.js" */
/** @import { Answer, SomeOf } from "./domains.js" */

/**
 * Sets of `size` out of the options and as many dummies as may be chosen.
 *
 * @extends {BaseMechanism<SomeOf>}
 */
export class PrivSet extends BaseMechanism {
  name = "privset";

  /** @type {readonly number[]} what the sets that hold at most t of the m weigh in all. */
  #weightsUpTo;

  /**
   * @param {SomeOf} domain
   * @param {number} size
   * @param {Weights} weights
   */
  constructor(domain, size, weights) {
    const { options, atMost } = domain;
    checkRange("size", size, 1, options - 1);
    let total = 0n;
    const weightsUpTo = Array.from({ length: Math.min(atMost, size) + 1 }, (_, count) => {
      const weight = BigInt(count > 0 ? weights.high : weights.low);
      return (total += combinations(atMost, count) * combinations(options, size - count) * weight);
    });
    checkTotal(total, ", a smaller size or fewer options");
    // From here on nothing is above 2^48, so numbers hold it exactly.
    super(domain, weights, Number(total), 1 + size, options + atMost, [size]);
    this.size = size;
    this.outputs = Number(combinations(this.members, size));
    this.#weightsUpTo = weightsUpTo.map(Number);
    Object.freeze(this);
  }

  /**
   * An ascending list of `size` of the options and dummies.
   *
   * Always 1 + size draws: how many of the m are in the set, which of them,
   * and which others.
   *
   * @param {Answer} answer
   * @param {RandomIntegers} integers
   */
  randomize(answer, integers) {
    const inSet = new Set(this.domain.check(answer));
    for (let dummy = this.domain.options; inSet.size < this.domain.atMost; dummy += 1) {
      inSet.add(dummy);
    }
    const chosen = [...inSet];
    const others = [...Array(this.members).keys()].filter((index) => !inSet.has(index));
    const draw = integers.below(this.totalWeight);
    const count = this.#weightsUpTo.findIndex((weight) => draw < weight);
    const kept = integers.sample(chosen.length, count).map((index) => chosen[index]);
    const rest = integers.sample(others.length, this.size - count).map((index) => others[index]);
    return [...kept, ...rest].map(Number).sort((a, b) => a - b);
  }
}
