/**
 * Sign: the answer rounded to one end of the scale, and that end randomized.
 *
 * The ends, and "no answer" where there is one, are told apart by randomized
 * response, after the answer was rounded up with a probability equal to its
 * place on the scale.
 *
 * Guarantee: epsilon = ln(favoured / base) exactly, between any two answers of
 * one respondent: rounding mixes rows of the channel, and a mixture of rows is
 * within the same ratio. Two draws, whatever the answer.
 *
 * Source: Duchi, Jordan and Wainwright 2018 (JASA 113), section 3.2; j is the
 * answer, m is cells - 1, e^epsilon is favoured / base.
 */

import { BaseMechanism } from "./base.js";
import { checkTotal, quotient, readGrid, readWeights } from "./parameters.js";

/** @import { JSONObject } from "../canonical.js" */
/** @import { RandomIntegers } from "../randomness.js" */
/** @import { Weights } from "../weights.js" */
/** @import { Answer, OneOf } from "./domains.js" */

const LOW = 0;
const HIGH = 1;
const NONE = 2;

/**
 * Outputs 0 for the low end, 1 for the high end, 2 for no answer.
 *
 * @extends {BaseMechanism<OneOf>}
 */
export class Sign extends BaseMechanism {
  static parameters = ["cells", "no_answer", "weights"];

  name = "sign";

  /**
   * @param {OneOf} domain
   * @param {Weights} weights
   */
  constructor(domain, weights) {
    const outputs = domain.hasNoAnswer ? 3 : 2;
    const totalWeight = weights.favoured + (outputs - 1) * weights.base;
    super(domain, weights, totalWeight, 2);
    this.outputs = outputs;
    checkTotal(totalWeight, " or smaller weights");
    Object.freeze(this);
  }

  /**
   * The mechanism that a published survey describes.
   *
   * @param {JSONObject} document
   */
  static fromDocument(document) {
    return new Sign(readGrid(document), readWeights(document));
  }

  /**
   * One end, or no answer: rounded first, then kept or replaced.
   *
   * @param {Answer} answer
   * @param {RandomIntegers} integers
   * @throws {InvalidAnswer} the answer is not of the domain.
   */
  randomize(answer, integers) {
    const place = this.domain.check(answer);
    const cells = this.domain.options;
    const rounded = integers.below(cells - 1) < place ? HIGH : LOW;
    const end = place === cells ? NONE : rounded;
    const draw = integers.below(this.totalWeight);
    if (draw < this.weights.favoured) return end;
    const other = quotient(draw - this.weights.favoured, this.weights.base);
    return other + (other >= end ? 1 : 0);
  }
}
