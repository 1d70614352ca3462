/** What a mechanism refuses to randomize, and what several blocks spend. */

import assert from "node:assert/strict";
import { test } from "node:test";

import * as canonical from "../../../client_sdk/javascript/src/canonical.js";
import { OneOf, SomeOf } from "../../../client_sdk/javascript/src/mechanisms/domains.js";
import { mechanismFromDocument } from "../../../client_sdk/javascript/src/mechanisms/index.js";
import { InvalidValue, checkValue } from "../../../client_sdk/javascript/src/mechanisms/values.js";
import { byFallingRatio } from "../../../client_sdk/javascript/src/weights.js";
import { throwsExactly } from "./throws_exactly.js";

const SECRET = "an-answer-nobody-may-read";
const weights = [3, 1];
/** @type {any[]} */
const DESCRIBED = [
  { name: "subset", domain_size: 4, size: 1, weights },
  { name: "sampled_bits", options: 4, at_most: 2, sampled: 2, weights },
  { name: "privset", options: 4, at_most: 2, size: 1, weights },
  { name: "piecewise", cells: 3, no_answer: true, steps: 2, window: 2, weights },
  { name: "piecewise", cells: 4, no_answer: false, steps: 2, window: 1, weights },
];

test("an answer outside the domain is refused and never repeated", async () => {
  for (const answer of [SECRET, 4, [4], -1, 0.5, NaN, null, undefined, [, 1], { [SECRET]: 1 }]) {
    await throwsExactly(
      () => new OneOf(4).check(answer),
      "InvalidAnswer",
      'allowed is {"options":4,"offersNoAnswer":false,"size":4}; the answer given is none of them and ' +
        "was not used",
    );
    await throwsExactly(
      () => new SomeOf(4, 2).check(answer),
      "InvalidAnswer",
      'allowed is {"options":4,"atMost":2}; the answer given is none of them and was not used',
    );
  }
});

test("a mechanism fits its own domain and no other", () => {
  const domains = [new OneOf(4), new OneOf(4, true), new OneOf(3, true), new SomeOf(4, 2), new SomeOf(4, 3)];
  const fitting = DESCRIBED.map((document) =>
    domains.map((domain) => mechanismFromDocument(document).fits(domain)),
  );
  assert.deepEqual(fitting, [
    [true, false, true, false, false],
    [false, false, false, true, false],
    [false, false, false, true, false],
    [false, false, true, false, false],
    [true, false, false, false, false],
  ]);
});

test("every drawn bit spends, and a block spends the product of its ratios", () => {
  const [, bits] = DESCRIBED.map((document) => mechanismFromDocument(document).spends);
  assert.deepEqual(bits, [
    { high: 3, low: 1 },
    { high: 3, low: 1 },
  ]);
  const eight = [{ high: 8, low: 1 }];
  const ten = [{ high: 10, low: 1 }];
  const nine = /** @type {typeof eight} */ (bits);
  assert.deepEqual(byFallingRatio([eight, nine, ten]), [ten, nine, eight]);
});

test("-0 is no value, in bytes or in memory", () => {
  assert.throws(() => canonical.encode([-0]), canonical.NotCanonical);
  const [described, ...others] = DESCRIBED;
  assert.ok(others.length > 0);
  const mechanism = mechanismFromDocument({ ...described, weights });
  checkValue(mechanism, 0);
  assert.throws(() => checkValue(mechanism, -0), InvalidValue);
});
