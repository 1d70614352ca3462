/** Reading a mechanism's parameters from a published survey. */

import { kind } from "../canonical.js";
import { InvalidParameters } from "./base.js";

/** @import { JSONObject, JSONValue } from "../canonical.js" */
/** @import { Weights } from "../weights.js" */

const MAX_DOMAIN_SIZE = 1000;

/**
 * @param {JSONObject} document
 * @param {string} key
 * @returns {JSONValue | undefined}
 */
function own(document, key) {
  return Object.hasOwn(document, key) ? document[key] : undefined;
}

/**
 * Refuse every key that the mechanism does not have.
 *
 * @param {JSONObject} document
 * @param {string} mechanism
 * @param {readonly string[]} parameters
 */
export function refuseUnknown(document, mechanism, parameters) {
  const unknown = Object.keys(document)
    .filter((key) => key !== "name" && !parameters.includes(key))
    .sort();
  if (unknown.length > 0) {
    throw new InvalidParameters(`${unknown[0]}: not a parameter of ${mechanism}`);
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
 * The domain size, from 2 to MAX_DOMAIN_SIZE.
 *
 * @param {JSONObject} document
 */
export function readDomainSize(document) {
  const size = readInteger(document, "domain_size");
  if (!(size >= 2 && size <= MAX_DOMAIN_SIZE)) {
    throw new InvalidParameters(`domain_size: got ${size}; allowed are 2 to ${MAX_DOMAIN_SIZE}`);
  }
  return size;
}

/**
 * The weights [favoured, base], favoured above base, both positive.
 *
 * @param {JSONObject} document
 * @returns {Weights}
 */
export function readWeights(document) {
  const value = own(document, "weights");
  const [favoured, base] = Array.isArray(value) && value.length === 2 ? value : [];
  if (!(typeof favoured === "number" && typeof base === "number")) {
    throw new InvalidParameters(
      `weights: got ${kind(value)}; allowed is a list of two whole numbers`,
    );
  }
  if (!(base >= 1 && base < favoured)) {
    throw new InvalidParameters(
      `weights: got [${favoured}, ${base}]; the first must be above the second, ` +
        "the second at least 1",
    );
  }
  return Object.freeze({ favoured, base });
}
