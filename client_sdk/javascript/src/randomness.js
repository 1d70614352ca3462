/** Random integers from random bytes, the same way in every language. */

import { RandomnessUnavailable } from "./errors.js";

/**
 * Gives exactly as many random bytes as it is asked for.
 *
 * @callback ReadBytes
 * @param {number} count
 * @returns {Uint8Array}
 */

const DRAW_BYTES = 6;
const CHUNK_BYTES = 65536;

export const DRAW_RANGE = 2 ** (8 * DRAW_BYTES);
export const REPORT_ID_BYTES = 16;

/**
 * Random bytes from the browser's or Node's cryptographic source.
 *
 * @type {ReadBytes}
 * @throws {RandomnessUnavailable} there is no such source here.
 */
export function systemBytes(count) {
  const source = globalThis.crypto;
  if (!source?.getRandomValues) {
    throw new RandomnessUnavailable(
      "got no crypto.getRandomValues; nothing was randomized, use a browser or runtime that has it",
    );
  }
  const drawn = new Uint8Array(count);
  // One call gives at most 65,536 bytes.
  for (let start = 0; start < count; start += CHUNK_BYTES) {
    source.getRandomValues(drawn.subarray(start, start + CHUNK_BYTES));
  }
  return drawn;
}

/** Uniform integers drawn from a reader of random bytes. */
export class RandomIntegers {
  #readBytes;

  /** @param {ReadBytes} [readBytes] */
  constructor(readBytes = systemBytes) {
    this.#readBytes = readBytes;
  }

  /**
   * A uniform integer in 0..bound-1, for a bound in 1..2^48.
   *
   * Six bytes, big-endian, are drawn again while they fall into the last,
   * incomplete run of `bound` values. How often depends on the bound alone,
   * never on an answer. Every number stays below 2^53 and is exact.
   *
   * Source: the project's wire format; see docs/WIRE_FORMAT.md.
   *
   * @param {number} bound
   */
  below(bound) {
    if (!(Number.isInteger(bound) && bound >= 1 && bound <= DRAW_RANGE)) {
      throw new RangeError(`got the bound ${bound}; allowed are 1 to ${DRAW_RANGE}`);
    }
    const limit = DRAW_RANGE - (DRAW_RANGE % bound);
    for (;;) {
      const draw = this.read(DRAW_BYTES).reduce((number, byte) => number * 256 + byte, 0);
      if (draw < limit) return draw % bound;
    }
  }

  /**
   * `count` different integers from 0..size-1, in the order drawn.
   *
   * The first places of a partial shuffle of 0, 1, ..., size - 1, with one
   * draw for each; only the places that moved are kept.
   *
   * @param {number} size
   * @param {number} count
   */
  sample(size, count) {
    /** @type {Map<number, number>} */
    const moved = new Map();
    const drawn = [];
    for (let place = 0; place < count; place += 1) {
      const chosen = place + this.below(size - place);
      drawn.push(moved.get(chosen) ?? chosen);
      moved.set(chosen, moved.get(place) ?? place);
    }
    return drawn;
  }

  /**
   * Exactly `count` random bytes.
   *
   * @param {number} count
   * @throws {RandomnessUnavailable} the reader gave something else.
   */
  read(count) {
    const drawn = this.#readBytes(count);
    // By its tag, since another frame has a Uint8Array of its own.
    const isBytes = Object.prototype.toString.call(drawn) === "[object Uint8Array]";
    if (!isBytes || drawn.length !== count) {
      const got = isBytes ? String(drawn.length) : "no Uint8Array";
      throw new RandomnessUnavailable(
        `asked for ${count} random bytes and got ${got}; nothing was randomized, try again`,
      );
    }
    return drawn;
  }
}
