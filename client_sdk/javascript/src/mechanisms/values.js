/**
 * Which values a mechanism can produce: for servers that accept reports.
 *
 * Devices make values and never check them, so this is apart from the
 * mechanisms, and pages do not load it.
 */

import { kind } from "../canonical.js";
import { ascends, isIndex } from "./domains.js";

/** @import { JSONValue } from "../canonical.js" */
/** @import { Mechanism } from "./base.js" */

/** A reported value is not legal; names its kind, never the value. */
export class InvalidValue extends Error {}

/**
 * Accept exactly the values that the mechanism's `randomize` can give.
 *
 * @param {Mechanism} mechanism
 * @param {JSONValue} value
 * @throws {InvalidValue} the value is none of them.
 */
export function checkValue({ members, shape }, value) {
  const [length, width] = shape;
  if (length === undefined) {
    if (isValue(value, members)) return;
    throw new InvalidValue(
      `got ${kind(value)} that is no output; allowed is a whole number from 0 to ${members - 1}`,
    );
  }
  const listed = width ? "pairs" : "options";
  if (!(Array.isArray(value) && value.length === length)) {
    throw new InvalidValue(`got ${kind(value)}; allowed is a list of ${length} ${listed}`);
  }
  const options = width ? optionsOfPairs(value) : value;
  if (!options.every((option) => isValue(option, members))) {
    throw new InvalidValue(
      "got a list with a member that is no option; allowed are whole numbers " +
        `from 0 to ${members - 1}`,
    );
  }
  if (!ascends(options)) throw new InvalidValue("got a list that is not strictly ascending");
}

/** @param {JSONValue[]} pairs */
function optionsOfPairs(pairs) {
  return pairs.map((pair) => {
    if (!(Array.isArray(pair) && pair.length === 2)) {
      throw new InvalidValue("got a list with a member that is no pair [option, bit]");
    }
    if (!isValue(pair[1], 2)) {
      throw new InvalidValue("got a pair whose bit is not allowed; bits are 0 or 1");
    }
    return pair[0];
  });
}

/**
 * Whether a value is an index as devices write it, which is never -0.
 *
 * @param {unknown} value
 * @param {number} size
 */
function isValue(value, size) {
  return isIndex(value, size) && !Object.is(value, -0);
}
