/** Sampled: reports come from the channel that the weights declare. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { randomize } from "../../../client_sdk/javascript/src/index.js";
import { Subset } from "../../../client_sdk/javascript/src/mechanisms/subset.js";
import { RandomIntegers } from "../../../client_sdk/javascript/src/randomness.js";
import { ALPHA, pValue } from "./binomial.js";
import { WEIGHTS_AT_ONE, open, question } from "./building.js";
import { seededBytes } from "./seeded_bytes.js";

const SEED = 1965; // the year of Warner's paper
// Enough to see the probability shift by 0.01 with power 0.99 at ALPHA.
const TRIALS = 102_434;
const [FAVOURED = 0, BASE = 0] = WEIGHTS_AT_ONE;
const KEEP = FAVOURED / (FAVOURED + BASE);

test("the exact binomial test gives known p-values", () => {
  assert.ok(Math.abs(pValue(0, 10, 0.5) - 2 / 1024) < 1e-15);
  assert.ok(Math.abs(pValue(5, 10, 0.5) - 1) < 1e-12);
  // 0.7^3 = 0.343 and 0.3^3 = 0.027 stand beside 0.441 and 0.189.
  assert.ok(Math.abs(pValue(2, 3, 0.3) - 0.216) < 1e-12);
  assert.ok(Math.abs(pValue(0, 3, 0.3) - 0.559) < 1e-12);
});

test("whoever always answers yes reports yes as often as the weights say", async () => {
  const survey = await open(undefined, [question("asthma", "yes_no", ["yes", "no"], true)]);
  const readBytes = seededBytes(SEED);
  let hits = 0;
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const report = randomize(survey, { asthma: true }, ["asthma"], readBytes);
    if (report.values.asthma === 0) hits += 1;
  }
  assert.ok(pValue(hits, TRIALS, KEEP) >= ALPHA, `${hits} of ${TRIALS} at ${KEEP}`);
});

test("a mechanism that keeps the answer 0.01 less often is rejected", () => {
  const shifted = KEEP - 0.01;
  const high = Math.floor((BASE * shifted) / (1 - shifted));
  const broken = new Subset(2, 1, { high, low: BASE });
  const integers = new RandomIntegers(seededBytes(SEED));
  let hits = 0;
  for (let trial = 0; trial < TRIALS; trial += 1) {
    if (broken.randomize(0, integers) === 0) hits += 1;
  }
  assert.ok(pValue(hits, TRIALS, KEEP) < ALPHA);
});
