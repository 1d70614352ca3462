/** What every mechanism is: a channel with two integer weights. */

/** @import { JSONValue } from "../canonical.js" */
/** @import { RandomIntegers } from "../randomness.js" */
/** @import { Weights } from "../weights.js" */

/**
 * How the answers of one block are randomized on the device.
 *
 * An answer is a 0-based index into the block's domain, a value what the
 * report carries. `checkValue` accepts exactly the values that `randomize` can
 * give and throws InvalidValue for all others.
 *
 * @typedef {object} Mechanism
 * @property {string} name
 * @property {number} domainSize
 * @property {Weights} weights
 * @property {(answer: number, integers: RandomIntegers) => JSONValue} randomize
 * @property {(value: JSONValue) => void} checkValue
 */

/** A published mechanism's parameters are not legal; says which and why. */
export class InvalidParameters extends Error {}

/** A reported value is not legal; names its kind, never the value. */
export class InvalidValue extends Error {}
