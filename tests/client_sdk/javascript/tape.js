/** A tape: fixed bytes that stand for randomness, so that tests can replay it. */

import assert from "node:assert/strict";

/** A reader of random bytes that gives fixed ones, in order, once. */
export class Tape {
  #bytes;
  #position = 0;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  /**
   * The next `count` bytes; too few left is a failure.
   *
   * @param {number} count
   */
  read = (count) => {
    const end = this.#position + count;
    assert.ok(end <= this.#bytes.length, "the tape is exhausted");
    const drawn = this.#bytes.slice(this.#position, end);
    this.#position = end;
    return drawn;
  };

  /** Fail unless every byte was asked for. */
  assertAllRead() {
    assert.equal(this.#position, this.#bytes.length, "bytes of the tape were never read");
  }
}
