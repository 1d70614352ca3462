/** A mechanism from the tests alone is used by the whole SDK after one line. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { checkReport } from "../../../client_sdk/javascript/src/check.js";
import { randomize } from "../../../client_sdk/javascript/src/index.js";
import { inspect } from "../../../client_sdk/javascript/src/inspect.js";
import { BaseMechanism } from "../../../client_sdk/javascript/src/mechanisms/base.js";
import { OneOf } from "../../../client_sdk/javascript/src/mechanisms/domains.js";
import { MECHANISMS } from "../../../client_sdk/javascript/src/mechanisms/index.js";
import { readCount, readWeights } from "../../../client_sdk/javascript/src/mechanisms/parameters.js";
import { YES_NO, open } from "./building.js";

/** The answer, or any option. @extends {BaseMechanism<OneOf>} */
class Toy extends BaseMechanism {
  static parameters = ["options", "weights"];
  name = "toy";

  /** @param {any} document */
  static fromDocument(document) {
    return new Toy(readCount(document, "options", 2, 1000), readWeights(document));
  }

  /**
   * @param {number} options
   * @param {import("../../../client_sdk/javascript/src/weights.js").Weights} weights
   */
  constructor(options, weights) {
    const total = weights.high + (options - 1) * weights.low;
    super(new OneOf(options), weights, total, 1, options, []);
    this.outputs = options;
  }

  /** @param {any} answer @param {any} integers */
  randomize(answer, integers) {
    const draw = integers.below(this.totalWeight) - this.weights.high;
    const other = Math.floor(draw / this.weights.low);
    return draw < 0 ? answer : other + (other >= answer ? 1 : 0);
  }

  /**
   * @override
   * @param {any} domain
   */
  fits(domain) {
    return domain.size === this.domain.size;
  }
}

const { asked, block } = YES_NO;
const question = {
  asked,
  block: { ...block, mechanism: { name: "toy", options: 3, weights: block.mechanism.weights } },
};

test("without its line a mechanism is unknown", async () => {
  await assert.rejects(open(undefined, [question]), /got "toy"; allowed: subset/);
});

describe("with its line", () => {
  before(() => MECHANISMS.set("toy", Toy));
  after(() => MECHANISMS.delete("toy"));

  test("a survey is read, answered, checked and shown", async () => {
    const survey = await open(undefined, [question]);
    const report = randomize(survey, { asthma: "yes" });
    checkReport(report, survey);
    assert.match(inspect(report, survey).words[0] ?? "", /Reported: one of: (yes|no|no_answer)$/);
  });

  test("a value of another form is refused", async () => {
    const survey = await open(undefined, [question]);
    const report = { ...randomize(survey, { asthma: "yes" }), values: { asthma: 3 } };
    assert.throws(
      () => checkReport(/** @type {any} */ (report), survey),
      /allowed is a whole number from 0 to 2/,
    );
  });
});
