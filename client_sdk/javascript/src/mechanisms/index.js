/** The ways to randomize a block: one file and one line here for each. */

import { isObject } from "../canonical.js";
import { quote } from "../errors.js";
import { InvalidParameters } from "./base.js";
import { own, refuseUnknown } from "./parameters.js";
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
    subset: Subset,
    sampled_bits: SampledBits,
    privset: PrivSet,
    piecewise: Piecewise,
  }),
);

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
  const kind = MECHANISMS.get(name);
  if (!kind) {
    const allowed = [...MECHANISMS.keys()].join(", ");
    throw new InvalidParameters(`name: got ${quote(name)}; allowed: ${allowed}`);
  }
  refuseUnknown(document, kind.parameters);
  return kind.fromDocument(document);
}
