/** A seeded reader of bytes, so that sampled checks repeat. */

/**
 * A reader that gives the same bytes for the same seed.
 *
 * Source: Chris Doty-Humphrey, PractRand, generator sfc32.
 *
 * @param {number} seed
 * @returns {(count: number) => Uint8Array}
 */
export function seededBytes(seed) {
  const state = new Uint32Array([seed, 0, 0, 1]);
  const next = () => {
    const [a = 0, b = 0, c = 0, counter = 0] = state;
    const sum = a + b + counter;
    state[0] = b ^ (b >>> 9);
    state[1] = c + (c << 3);
    state[2] = ((c << 21) | (c >>> 11)) + sum;
    state[3] = counter + 1;
    return sum;
  };
  for (let turn = 0; turn < 20; turn += 1) next();
  return (count) => Uint8Array.from({ length: count }, () => next() >>> 24);
}
