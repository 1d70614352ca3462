/** The ways to randomize a block: one file and one line here for each. */

import { isObject } from "../canonical.js";
import { quote } from "../errors.js";
import { InvalidParameters } from "./base.js";
import { Subset } from "./subset.js";

/** @import { JSONObject, JSONValue } from "../canonical.js" */
/** @import { Mechanism } from "./base.js" */

/** @type {ReadonlyMap<string, (document: JSONObject) => Mechanism>} */
const MECHANISMS = new Map([["subset", Subset.fromDocument]]);

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
