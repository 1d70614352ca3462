/**
 * Piecewise: a step near the true place on the scale, or anywhere on the line.
 *
 * The answer is rounded by chance to one of `steps` + 1 positions from end to
 * end, so that the expected position is the answer. Under position j the
 * outputs from j to j + window - 1 have the high weight. Where there is "no
 * answer", one more output has the high weight under it; it counts as many times
 * as a window, which keeps every row's total the same.
 *
 * Guarantee: epsilon = ln(high / low) exactly, between any two answers of
 * one respondent, no answer among them: rounding mixes rows of the channel, and
 * a mixture of rows is within the same ratio. Two draws, whatever the answer.
 */

import { BaseMechanism } from "./base.js";
import { checkRange, checkTotal, quotient } from "./parameters.js";

/** @import { RandomIntegers } from "../randomness.js" */
/** @import { Weights } from "../weights.js" */
/** @import { Answer, OneOf } from "./domains.js" */

/**
 * Outputs 0..steps + window - 1, in all `places`, then one for no answer.
 *
 * @extends {BaseMechanism<OneOf>}
 */
export class Piecewise extends BaseMechanism {
  name = "piecewise";

  /**
   * @param {OneOf} domain
   * @param {number} steps
   * @param {number} window
   * @param {Weights} weights
   */
  constructor(domain, steps, window, weights) {
    const others = steps + window * Number(domain.offersNoAnswer);
    const totalWeight = window * weights.high + others * weights.low;
    const outputs = steps + window + Number(domain.offersNoAnswer);
    super(domain, weights, totalWeight, 2, outputs, []);
    this.steps = steps;
    this.window = window;
    this.places = steps + window;
    this.outputs = outputs;
    checkRange("steps", steps, 1, domain.options - 1);
    checkRange("window", window, 1, steps);
    checkTotal(totalWeight, " or a smaller window");
    Object.freeze(this);
  }

  /**
   * One output: rounded first, then by walking the outputs in ascending order.
   *
   * @param {Answer} answer
   * @param {RandomIntegers} integers
   */
  randomize(answer, integers) {
    const { steps, window, places } = this;
    const index = this.domain.check(answer);
    const last = this.domain.options - 1;
    const isMissing = index > last;
    const isUp = integers.below(last) < (index * steps) % last;
    const rounded = quotient(index * steps, last) + (isUp ? 1 : 0);
    const draw = integers.below(this.totalWeight);
    const { high, low } = this.weights;
    const start = isMissing ? places : rounded;
    const before = start * low;
    const inside = window * high;
    if (draw < before) return quotient(draw, low);
    if (isMissing) return places;
    if (draw < before + inside) return start + quotient(draw - before, high);
    return Math.min(places, start + window + quotient(draw - before - inside, low));
  }
}
