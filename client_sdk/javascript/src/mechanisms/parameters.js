/** Reading a mechanism's parameters from a published survey. */

import { kind } from "../canonical.js";
import { DRAW_RANGE } from "../randomness.js";
import { InvalidParameters } from "./base.js";
import { OneOf, SomeOf } from "./domains.js";

/** @import { JSONObject, JSONValue } from "../canonical.js" */
/** @import { Weights } from "../weights.js" */

export const MAX_DOMAIN_SIZE = 1000;
export const MAX_CELLS = 5000;

/**
 * The value under a key of the document itself, never an inherited one.
 *
 * @param {JSONObject} document
 * @param {string} key
 * @returns {JSONValue | undefined}
 */
export function own(document, key) {
  return Object.hasOwn(document, key) ? document[key] : undefined;
}

/**
 * Refuse every key that the mechanism does not have.
 *
 * @param {JSONObject} document
 * @param {readonly string[]} parameters
 */
export function refuseUnknown(document, parameters) {
  for (const key of Object.keys(document).sort()) {
    if (key !== "name" && !parameters.includes(key)) {
      throw new InvalidParameters(`${key}: not a parameter of ${document.name}`);
    }
  }
}

/**
 * The whole number under a key.
 *
 * @param {JSONObject} document
 * @param {string} key
 * @returns {number}
 */
export function readInteger(document, key) {
  const value = own(document, key);
  if (typeof value !== "number") {
    throw new InvalidParameters(`${key}: got ${kind(value)}; allowed is a whole number`);
  }
  return value;
}

/**
 * The whole number under a key, in a range.
 *
 * @param {JSONObject} document
 * @param {string} key
 * @param {number} lowest
 * @param {number} highest
 */
export function readCount(document, key, lowest, highest) {
  const count = readInteger(document, key);
  checkRange(key, count, lowest, highest);
  return count;
}

/**
 * Nothing, if a parameter is in its range.
 *
 * @param {string} key
 * @param {number} number
 * @param {number} lowest
 * @param {number} highest
 */
export function checkRange(key, number, lowest, highest) {
  if (!(number >= lowest && number <= highest)) {
    throw new InvalidParameters(`${key}: got ${number}; allowed are ${lowest} to ${highest}`);
  }
}

/**
 * The weights [high, low], high above low, both positive.
 *
 * @param {JSONObject} document
 * @returns {Weights}
 */
export function readWeights(document) {
  const value = own(document, "weights");
  const [high, low] = Array.isArray(value) && value.length === 2 ? value : [];
  if (!(typeof high === "number" && typeof low === "number")) {
    throw new InvalidParameters(`weights: got ${kind(value)}; allowed is a list of two whole numbers`);
  }
  if (!(low >= 1 && low < high)) {
    throw new InvalidParameters(
      `weights: got [${high}, ${low}]; the first must be above the second, ` +
        "the second at least 1",
    );
  }
  return Object.freeze({ high, low });
}

/** The number of answers. @param {JSONObject} document */
export function readDomainSize(document) {
  return readCount(document, "domain_size", 2, MAX_DOMAIN_SIZE);
}

/**
 * The options to choose any or at most some of.
 *
 * @param {JSONObject} document
 */
export function readSelection(document) {
  const options = readCount(document, "options", 2, MAX_DOMAIN_SIZE);
  const atMost = readCount(document, "at_most", 1, options);
  return new SomeOf(options, atMost);
}

/**
 * The places of a scale or number, and whether there is "no answer".
 *
 * @param {JSONObject} document
 */
export function readGrid(document) {
  const cells = readCount(document, "cells", 2, MAX_CELLS);
  const noAnswer = own(document, "no_answer");
  if (typeof noAnswer !== "boolean") {
    throw new InvalidParameters(`no_answer: got ${kind(noAnswer)}; allowed is true or false`);
  }
  return new OneOf(cells, noAnswer);
}

/**
 * Nothing, if one draw can tell a total weight apart.
 *
 * Beyond 2^53 a total is rounded, but never down across 2^48.
 *
 * @param {number | bigint} total
 * @param {string} instead what else to change than epsilon.
 */
export function checkTotal(total, instead) {
  if (total > DRAW_RANGE) {
    throw new InvalidParameters(
      `weights: their total is beyond 2^48, the range of one draw; ` +
        `take a smaller epsilon${instead}`,
    );
  }
}

/**
 * How often a divisor goes into a number, without a rounded division.
 *
 * @param {number} number from 0 to 2^53 - 1.
 * @param {number} divisor
 */
export function quotient(number, divisor) {
  return (number - (number % divisor)) / divisor;
}

/**
 * The number of ways to choose `chosen` of `count`, or something beyond 2^48.
 *
 * C(count, i) grows with i up to the middle, so what is beyond 2^48 once has
 * no need to be finished; and no factor of a total weight is 0.
 *
 * @param {number} count
 * @param {number} chosen
 */
export function combinations(count, chosen) {
  const steps = Math.min(chosen, count - chosen);
  let ways = 1n;
  for (let step = 0; step < steps && ways <= DRAW_RANGE; step += 1) {
    ways = (ways * BigInt(count - step)) / BigInt(step + 1);
  }
  return ways;
}
