/**
 * Which values a mechanism can produce: for servers that accept reports.
 *
 * Devices make values and never check them, so this stands apart from the
 * mechanisms, and pages do not load it.
 */

import { kind } from "../canonical.js";
import { ascends, isIndex } from "./domains.js";

/** @import { JSONValue } from "../canonical.js" */
/** @import { Mechanism } from "./base.js" */

/** A reported value is not legal; names its kind, never the value. */
export class InvalidValue extends Error {}

/** @typedef {(value: JSONValue, mechanism: any) => void} Check */

/** @type {{ readonly [mechanism: string]: Check }} */
const CHECKS = {
  subset(value, { size, domainSize }) {
    if (size === 1) checkIndex(value, domainSize, "option");
    else checkIndexList(value, size, domainSize);
  },
  sampled_bits: checkPairs,
  privset: (value, { size, padded }) => checkIndexList(value, size, padded),
  piecewise: (value, { outputs }) => checkIndex(value, outputs, "output"),
};

/**
 * Accept exactly the values that the mechanism's `randomize` can give.
 *
 * @param {Mechanism} mechanism
 * @param {JSONValue} value
 * @throws {InvalidValue} the value is none of them.
 */
export function checkValue(mechanism, value) {
  // A mechanism without a line here fails, and never passes.
  /** @type {Check} */ (CHECKS[mechanism.name])(value, mechanism);
}

/**
 * @param {JSONValue} value
 * @param {{ sampled: number, domain: { options: number } }} mechanism
 */
function checkPairs(value, { sampled, domain: { options } }) {
  if (!(Array.isArray(value) && value.length === sampled)) {
    throw new InvalidValue(`got ${kind(value)}; allowed is a list of ${sampled} pairs`);
  }
  for (const pair of value) {
    if (!(Array.isArray(pair) && pair.length === 2)) {
      throw new InvalidValue("got a list with a member that is no pair [option, bit]");
    }
    if (!(isValue(pair[0], options) && isValue(pair[1], 2))) {
      throw new InvalidValue(
        "got a pair whose option or bit is not allowed; options are whole numbers " +
          `from 0 to ${options - 1}, bits are 0 or 1`,
      );
    }
  }
  if (!ascends(value.map((pair) => pair[0]))) {
    throw new InvalidValue("got pairs whose options are not strictly ascending");
  }
}

/**
 * Accept exactly the ascending lists of so many indexes below size.
 *
 * @param {JSONValue} value
 * @param {number} length
 * @param {number} size
 * @throws {InvalidValue} the value is none of them.
 */
function checkIndexList(value, length, size) {
  if (!(Array.isArray(value) && value.length === length)) {
    throw new InvalidValue(`got ${kind(value)}; allowed is a list of ${length} options`);
  }
  if (!value.every((member) => isValue(member, size))) {
    throw new InvalidValue(
      "got a list with a member that is no option; allowed are whole numbers " +
        `from 0 to ${size - 1}`,
    );
  }
  if (!ascends(value)) throw new InvalidValue("got a list that is not strictly ascending");
}

/**
 * Accept exactly the indexes below size.
 *
 * @param {JSONValue} value
 * @param {number} size
 * @param {string} what
 * @throws {InvalidValue} the value is none of them.
 */
function checkIndex(value, size, what) {
  if (!isValue(value, size)) {
    throw new InvalidValue(
      `got ${kind(value)} that is no ${what}; allowed is a whole number from 0 to ${size - 1}`,
    );
  }
}

/**
 * Whether a value is an index as devices write it, which is never -0.
 *
 * @param {unknown} value
 * @param {number} size
 * @returns {value is number}
 */
function isValue(value, size) {
  return isIndex(value, size) && !Object.is(value, -0);
}
