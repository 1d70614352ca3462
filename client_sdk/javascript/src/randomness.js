/** Random integers from random bytes, the same way in every language. */

import { RandomnessUnavailable } from "./errors.js";
import { SAMPLE_BYTES, looksHealthy } from "./health.js";

/**
 * Gives exactly as many random bytes as it is asked for.
 *
 * @callback ReadBytes
 * @param {number} count
 * @returns {Uint8Array}
 */

const DRAW_BYTES = 6;
/** One call of getRandomValues gives no more. */
const CHUNK_BYTES = 65536;
/** Each is rejected with a probability below 1/2, so all are below 2^-128. */
const MOST_TRIES = 128;

export const DRAW_RANGE = 2 ** (8 * DRAW_BYTES);
export const REPORT_ID_BYTES = 16;

/**
 * Random bytes from the browser's or Node's cryptographic source, checked for
 * health with a sample that is thrown away.
 *
 * @type {ReadBytes}
 * @throws {RandomnessUnavailable} there is no such source here, or it repeats
 *   itself or hardly varies.
 */
export function systemBytes(count) {
  const source = globalThis.crypto;
  if (!source?.getRandomValues) {
    throw new RandomnessUnavailable("got no crypto.getRandomValues; use a newer browser");
  }
  const drawn = new Uint8Array(count + SAMPLE_BYTES);
  for (let start = 0; start < drawn.length; start += CHUNK_BYTES) {
    source.getRandomValues(drawn.subarray(start, start + CHUNK_BYTES));
  }
  if (!looksHealthy(drawn)) throw faulty("repeat themselves or hardly vary");
  return drawn.slice(0, count);
}

/** @param {string} what */
function faulty(what) {
  return new RandomnessUnavailable(
    `the random bytes ${what}; nothing was randomized; ` +
      "restart the device, and do not answer on it if this happens again",
  );
}

/**
 * Uniform integers drawn from a reader of random bytes.
 *
 * Make one for each report and let go of it: bytes read ahead must not outlive
 * the report. All that is read ahead is read at once, which is much faster.
 */
export class RandomIntegers {
  #readBytes;
  #ahead;
  #position;

  /**
   * @param {ReadBytes} [readBytes]
   * @param {number} [draws] how many are needed in any case, to be read ahead.
   * @param {number} [lead] how many bytes to read before them, for `lead`.
   * @throws {RandomnessUnavailable} the reader gave something else.
   */
  constructor(readBytes = systemBytes, draws = 0, lead = 0) {
    this.#readBytes = readBytes;
    this.#ahead = this.#read(lead + DRAW_BYTES * draws);
    this.#position = lead;
    this.lead = new Uint8Array(this.#ahead.buffer, this.#ahead.byteOffset, lead);
  }

  /**
   * A uniform integer in 0..bound-1, for a bound in 1..2^48.
   *
   * Six bytes, big-endian, are drawn again while they fall into the last,
   * incomplete run of `bound` values: while what is left from the start of
   * their run is less than `bound`. How often depends on the bound alone,
   * never on an answer. Every number stays below 2^53 and is exact.
   *
   * Source: the project's wire format; see docs/WIRE_FORMAT.md.
   *
   * @param {number} bound
   * @throws {RandomnessUnavailable} so many draws in a row were rejected as
   *   random ones are with a probability below 2^-128.
   */
  below(bound) {
    if (!(Number.isInteger(bound) && bound >= 1 && bound <= DRAW_RANGE)) {
      throw new RangeError(`got the bound ${bound}; allowed are 1 to ${DRAW_RANGE}`);
    }
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const draw = this.#draw();
      const value = draw % bound;
      if (draw - value <= DRAW_RANGE - bound) return value;
    }
    throw faulty(`were rejected ${MOST_TRIES} times in a row`);
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
    for (let index = 0; index < count; index += 1) {
      const chosen = index + this.below(size - index);
      drawn.push(moved.get(chosen) ?? chosen);
      moved.set(chosen, moved.get(index) ?? index);
    }
    return drawn;
  }

  /** The next six bytes as one integer, read only where none are left. */
  #draw() {
    if (this.#position === this.#ahead.byteLength) {
      this.#ahead = this.#read(DRAW_BYTES);
      this.#position = 0;
    }
    const upper = this.#ahead.getUint16(this.#position);
    const lower = this.#ahead.getUint32(this.#position + 2);
    this.#position += DRAW_BYTES;
    return upper * 2 ** 32 + lower;
  }

  /**
   * Exactly so many bytes, told by their tag: another frame has a Uint8Array
   * of its own.
   *
   * @param {number} count
   */
  #read(count) {
    const drawn = this.#readBytes(count);
    const isBytes = tagOf(drawn) === "Uint8Array";
    if (!isBytes || drawn.length !== count) {
      const got = isBytes ? drawn.length : "no Uint8Array";
      throw new RandomnessUnavailable(
        `asked for ${count} random bytes and got ${got}; nothing was randomized, try again`,
      );
    }
    return new DataView(drawn.buffer, drawn.byteOffset, count);
  }
}

/**
 * What an object is, told by its tag.
 *
 * @param {unknown} value
 */
export function tagOf(value) {
  return Object.prototype.toString.call(value).slice(8, -1);
}
