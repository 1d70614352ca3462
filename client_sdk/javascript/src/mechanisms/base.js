/** What every mechanism is: a channel with two integer weights. */

/** @import { JSONValue } from "../canonical.js" */
/** @import { Answer, Domain } from "./domains.js" */
/** @import { RandomIntegers } from "../randomness.js" */
/** @import { Weights } from "../weights.js" */

/**
 * How the answers of one block are randomized on the device.
 *
 * An answer is one of its domain, a value what the report carries. One value
 * spends the product of the ratios in `spends`, exactly. `fits` says whether it
 * takes exactly the answers of a domain. `randomize` throws InvalidAnswer for
 * an answer that is not of the domain.
 *
 * @typedef {object} Mechanism
 * @property {string} name
 * @property {Domain} domain
 * @property {readonly Weights[]} spends
 * @property {number} draws how many numbers one value takes, whatever the answer.
 * @property {number} outputs how many different values it can give; beyond 2^48 some number
 *   that is beyond it, too.
 * @property {number} members every member of a value is a whole number below this.
 * @property {readonly number[]} shape of a value: [] of one number, [size] of a strictly
 *   ascending list of numbers, [sampled, 2] of pairs [option, bit], ascending by option.
 * @property {(domain: Domain) => boolean} fits
 * @property {(answer: Answer, integers: RandomIntegers) => JSONValue} randomize
 */

/**
 * What most mechanisms have in common.
 *
 * @template {Domain} D
 */
export class BaseMechanism {
  /**
   * @param {D} domain
   * @param {Weights} weights
   * @param {number} totalWeight what the draw that hides the answer is taken from.
   * @param {number} draws
   * @param {number} members
   * @param {readonly number[]} shape
   */
  constructor(domain, weights, totalWeight, draws, members, shape) {
    this.domain = domain;
    this.weights = weights;
    this.totalWeight = totalWeight;
    this.draws = draws;
    this.members = members;
    this.shape = shape;
    /** @type {readonly Weights[]} */
    this.spends = Object.freeze([weights]);
  }

  /**
   * Domains are alike if all their fields are: no two kinds have the same ones.
   *
   * @param {Domain} domain
   */
  fits(domain) {
    return JSON.stringify(this.domain) === JSON.stringify(domain);
  }
}

/** A published mechanism's parameters are not legal; says which and why. */
export class InvalidParameters extends Error {}
