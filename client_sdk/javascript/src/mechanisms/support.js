/** What a reported value says, for people to read; a module of its own, because not every app shows it. */

import { quotient } from "./parameters.js";

/** @import { Mechanism } from "./base.js" */
/** @import { Piecewise } from "./piecewise.js" */

/**
 * The answers that a reported value supports, for people to read.
 *
 * @typedef {object} Support
 * @property {string} kind "one", "some", "range" or "bits": one of the answers, some of them, all in a
 *   range, or each of them with a bit.
 * @property {readonly number[]} answers by their indexes; of a range the first and the last.
 * @property {readonly number[]} [bits] 1 where the value says that the answer applies.
 */

/**
 * The answers that a reported value supports: its members, where the mechanism has no other rule.
 *
 * @param {Mechanism} mechanism
 * @param {any} value
 * @returns {Support}
 */
export function supportOf(mechanism, value) {
  if (mechanism.name === "sampled_bits") {
    /** @type {[number, number][]} */
    const pairs = value;
    return { kind: "bits", answers: pairs.map(([option]) => option), bits: pairs.map(([, bit]) => bit) };
  }
  if (mechanism.name === "piecewise") return placesAround(/** @type {Piecewise} */ (mechanism), value);
  return { kind: "atMost" in mechanism.domain ? "some" : "one", answers: [value].flat() };
}

/**
 * From the first to the last place around the positions that favour an output.
 *
 * @param {Piecewise} mechanism
 * @param {number} output
 * @returns {Support}
 */
function placesAround({ domain: { options }, places, steps, window }, output) {
  if (output === places) return { kind: "one", answers: [options] };
  const first = quotient(Math.max(0, output - window + 1) * (options - 1), steps);
  const last = Math.ceil((Math.min(steps, output) * (options - 1)) / steps);
  return { kind: "range", answers: [first, last] };
}
