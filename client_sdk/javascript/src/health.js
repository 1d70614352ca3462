/**
 * Whether random bytes are of a source that is dead, stuck or repeats itself.
 *
 * Each read of a healthy source fails with a probability below 2^-100; the
 * Python twin says which test fails how often. A generator with a known seed
 * looks healthy.
 */

export const SAMPLE_BYTES = 768;
const WORD_BYTES = 6;
const EQUAL_BYTES = 17;
const EQUAL_WORDS = 4;
const FIRST_BYTES = 16;
const LIKE_FIRST = 160;
const END_BYTES = 32;

/**
 * Whether what was read passes all tests; its end is the sample.
 *
 * @param {Uint8Array} drawn
 */
export function looksHealthy(drawn) {
  const sample = drawn.subarray(-SAMPLE_BYTES);
  const first = sample.subarray(0, FIRST_BYTES);
  // The bits in which some word differs from the first: all, unless one is stuck.
  const varied = Array(WORD_BYTES).fill(0);
  sample.forEach((byte, index) => {
    varied[index % WORD_BYTES] |= byte ^ /** @type {number} */ (sample[index % WORD_BYTES]);
  });
  return (
    varied.every((bits) => bits === 255) &&
    sample.filter((byte) => first.includes(byte)).length < LIKE_FIRST &&
    !repeats(drawn, 1, EQUAL_BYTES) &&
    !repeats(drawn, WORD_BYTES, EQUAL_WORDS * WORD_BYTES) &&
    !endsAsBefore(drawn)
  );
}

/**
 * Whether so many bytes in a row are made of the same `step` bytes.
 *
 * @param {Uint8Array} drawn
 * @param {number} step
 * @param {number} length
 */
function repeats(drawn, step, length) {
  let run = step;
  for (let index = step; index < drawn.length && run < length; index += 1) {
    run = drawn[index] === drawn[index - step] ? run + 1 : step;
  }
  return run === length;
}

/**
 * Whether its last bytes came before, wherever: as in all that repeats.
 *
 * @param {Uint8Array} drawn
 */
function endsAsBefore(drawn) {
  for (let step = 1; step <= drawn.length - END_BYTES; step += 1) {
    let index = drawn.length - 1;
    while (drawn[index] === drawn[index - step]) {
      index -= 1;
      if (index < drawn.length - END_BYTES) return true;
    }
  }
  return false;
}
