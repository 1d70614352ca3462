/**
 * Discrete square wave: a place near the true one, or anywhere on the line.
 *
 * Outputs reach `reach` places beyond the grid on both sides. Where there is
 * "no answer", one more output is favoured by it; it counts as many places as
 * the favoured ones, which keeps every row's total the same.
 *
 * Guarantee: epsilon = ln(favoured / base) exactly, between any two answers of
 * one respondent, no answer among them. One draw, whatever the answer.
 *
 * Source: Li et al. 2020 (SIGMOD), section 4, made discrete; k is cells, b is
 * reach, e^epsilon is favoured / base.
 */

import { BaseMechanism } from "./base.js";
import {
  checkRange,
  checkTotal,
  quotient,
  readGrid,
  readInteger,
  readWeights,
} from "./parameters.js";

/** @import { JSONObject } from "../canonical.js" */
/** @import { RandomIntegers } from "../randomness.js" */
/** @import { Weights } from "../weights.js" */
/** @import { Answer, OneOf } from "./domains.js" */

/**
 * Outputs 0..k-1+2b for the places -b..k-1+b, then one for no answer.
 *
 * @extends {BaseMechanism<OneOf>}
 */
export class SquareWave extends BaseMechanism {
  static parameters = ["cells", "no_answer", "reach", "weights"];

  name = "square_wave";

  /**
   * @param {OneOf} domain
   * @param {number} reach
   * @param {Weights} weights
   */
  constructor(domain, reach, weights) {
    const cells = domain.options;
    const window = 2 * reach + 1;
    const unfavoured = cells - 1 + (domain.hasNoAnswer ? window : 0);
    const totalWeight = window * weights.favoured + unfavoured * weights.base;
    super(domain, weights, totalWeight, 1);
    this.reach = reach;
    this.window = window;
    this.places = cells + 2 * reach;
    this.outputs = this.places + Number(domain.hasNoAnswer);
    checkRange("reach", reach, 0, cells);
    checkTotal(totalWeight, " or fewer cells");
    Object.freeze(this);
  }

  /**
   * The mechanism that a published survey describes.
   *
   * @param {JSONObject} document
   */
  static fromDocument(document) {
    return new SquareWave(
      readGrid(document),
      readInteger(document, "reach"),
      readWeights(document),
    );
  }

  /**
   * One output, by walking the outputs in ascending order.
   *
   * @param {Answer} answer
   * @param {RandomIntegers} integers
   * @throws {InvalidAnswer} the answer is not of the domain.
   */
  randomize(answer, integers) {
    const place = this.domain.check(answer);
    const isMissing = place === this.domain.options;
    const draw = integers.below(this.totalWeight);
    const { favoured, base } = this.weights;
    const start = isMissing ? this.places : place;
    const before = start * base;
    const inside = this.window * favoured;
    if (draw < before) return quotient(draw, base);
    if (isMissing) return this.places;
    if (draw < before + inside) return start + quotient(draw - before, favoured);
    const after = start + this.window + quotient(draw - before - inside, base);
    return Math.min(this.places, after);
  }
}
