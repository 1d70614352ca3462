/** The ways to randomize a block: one file and one line here for each. */

import { isObject } from "../canonical.js";
import { quote } from "../errors.js";
import { InvalidParameters } from "./base.js";
import {
  own,
  readDomainSize,
  readGrid,
  readInteger,
  readSelection,
  readWeights,
  refuseUnknown,
} from "./parameters.js";
import { Piecewise } from "./piecewise.js";
import { PrivSet } from "./privset.js";
import { SampledBits } from "./sampled_bits.js";
import { Subset } from "./subset.js";

/** @import { JSONObject, JSONValue } from "../canonical.js" */
/** @import { Mechanism } from "./base.js" */

/**
 * What reads a mechanism, and the parameters it has.
 *
 * @typedef {object} Kind
 * @property {readonly string[]} parameters
 * @property {(document: JSONObject) => Mechanism} fromDocument
 */

/** @type {Map<unknown, Kind>} */
export const MECHANISMS = new Map(
  Object.entries({
    subset: kind(Subset, readDomainSize, ["domain_size"], "size"),
    sampled_bits: kind(SampledBits, readSelection, ["options", "at_most"], "sampled"),
    privset: kind(PrivSet, readSelection, ["options", "at_most"], "size"),
    piecewise: kind(Piecewise, readGrid, ["cells", "no_answer"], "steps", "window"),
  }),
);

/**
 * A kind of mechanism that is made from its domain, whole numbers and weights.
 *
 * @param {new (...given: any[]) => Mechanism} Made
 * @param {(document: JSONObject) => unknown} readDomain
 * @param {readonly string[]} keys those of the domain.
 * @param {...string} numbers the keys of whole numbers.
 * @returns {Kind}
 */
function kind(Made, readDomain, keys, ...numbers) {
  return {
    parameters: [...keys, ...numbers, "weights"],
    fromDocument(document) {
      const domain = readDomain(document);
      const read = numbers.map((key) => readInteger(document, key));
      return new Made(domain, ...read, readWeights(document));
    },
  };
}

/**
 * The mechanism that a block of a published survey describes.
 *
 * @param {JSONValue | undefined} document
 * @returns {Mechanism}
 * @throws {InvalidParameters} the name is unknown or a parameter is illegal.
 */
export function mechanismFromDocument(document) {
  if (!isObject(document)) {
    throw new InvalidParameters("got no object; allowed is an object with a name");
  }
  const name = own(document, "name");
  const found = MECHANISMS.get(name);
  if (!found) {
    const allowed = [...MECHANISMS.keys()].join(", ");
    throw new InvalidParameters(`name: got ${quote(name)}; allowed: ${allowed}`);
  }
  refuseUnknown(document, found.parameters);
  return found.fromDocument(document);
}
