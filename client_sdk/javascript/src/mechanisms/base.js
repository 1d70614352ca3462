/** What every mechanism is: a channel with two integer weights. */

/** @import { JSONValue } from "../canonical.js" */
/** @import { Answer, Domain } from "./domains.js" */
/** @import { RandomIntegers } from "../randomness.js" */
/** @import { Weights } from "../weights.js" */

/**
 * How the answers of one block are randomized on the device.
 *
 * An answer is one of its domain, a value what the report carries. One value
 * spends the product of the ratios in `spends`, exactly. `fits` says whether it
 * takes exactly the answers of a domain. `randomize` throws InvalidAnswer for
 * an answer that is not of the domain. `checkValue` accepts exactly the values
 * that `randomize` can give and throws InvalidValue for all others.
 *
 * @typedef {object} Mechanism
 * @property {string} name
 * @property {Domain} domain
 * @property {readonly Weights[]} spends
 * @property {(domain: Domain) => boolean} fits
 * @property {(answer: Answer, integers: RandomIntegers) => JSONValue} randomize
 * @property {(value: JSONValue) => void} checkValue
 */

/** A published mechanism's parameters are not legal; says which and why. */
export class InvalidParameters extends Error {}

/** A reported value is not legal; names its kind, never the value. */
export class InvalidValue extends Error {}
