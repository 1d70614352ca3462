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
const WINDOW_BYTES = 512;
const LIKE_FIRST = 36;
const END_BYTES = 32;

/**
 * Whether what was read passes all tests; its end is the sample.
 *
 * @param {Uint8Array} drawn
 */
export function looksHealthy(drawn) {
  const start = drawn.length - SAMPLE_BYTES;
  const common = Array(WORD_BYTES).fill(255);
  const any = Array(WORD_BYTES).fill(0);
  let like = 0;
  for (let place = 0; place < SAMPLE_BYTES; place += 1) {
    const byte = drawn[start + place] ?? 0;
    common[place % WORD_BYTES] &= byte;
    any[place % WORD_BYTES] |= byte;
    if (place < WINDOW_BYTES && byte === drawn[start]) like += 1;
  }
  return !(
    common.some((bits) => bits > 0) ||
    any.some((bits) => bits < 255) ||
    like >= LIKE_FIRST ||
    repeats(drawn, 1, EQUAL_BYTES) ||
    repeats(drawn, WORD_BYTES, EQUAL_WORDS * WORD_BYTES) ||
    endsAsBefore(drawn)
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
  for (let place = step; place < drawn.length && run < length; place += 1) {
    run = drawn[place] === drawn[place - step] ? run + 1 : step;
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
    let place = drawn.length - 1;
    while (drawn[place] === drawn[place - step]) {
      place -= 1;
      if (place < drawn.length - END_BYTES) return true;
    }
  }
  return false;
}
