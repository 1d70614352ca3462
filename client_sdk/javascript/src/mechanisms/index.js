/** The ways to randomize a block: one file and one line here for each. */

import { isObject } from "../canonical.js";
import { quote } from "../errors.js";
import { InvalidParameters } from "./base.js";
import { PrivSet } from "./privset.js";
import { SampledBits } from "./sampled_bits.js";
import { Sign } from "./sign.js";
import { SquareWave } from "./square_wave.js";
import { Subset } from "./subset.js";

/** @import { JSONObject, JSONValue } from "../canonical.js" */
/** @import { Mechanism } from "./base.js" */

/** @type {readonly (readonly [string, (document: JSONObject) => Mechanism])[]} */
const ALL = [
  ["subset", Subset.fromDocument],
  ["sampled_bits", SampledBits.fromDocument],
  ["privset", PrivSet.fromDocument],
  ["square_wave", SquareWave.fromDocument],
  ["sign", Sign.fromDocument],
];
const MECHANISMS = new Map(ALL);

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
  const name = Object.hasOwn(document, "name") ? document.name : undefined;
  const read = typeof name === "string" ? MECHANISMS.get(name) : undefined;
  if (!read) {
    const allowed = [...MECHANISMS.keys()].join(", ");
    throw new InvalidParameters(`name: got ${quote(name)}; allowed: ${allowed}`);
  }
  return read(document);
}
