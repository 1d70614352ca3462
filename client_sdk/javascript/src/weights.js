/**
 * Epsilon as a pair of integers, and the proof that it is not exceeded.
 *
 * The guarantee of a block is exactly ln(high / low). Only integers are
 * compared: no device computes an exponential in floating point.
 */

import { quote } from "./errors.js";

/** @typedef {{ readonly high: number, readonly low: number }} Weights */
/** @typedef {{ readonly numerator: bigint, readonly denominator: bigint }} Fraction */

export const EPSILON_RANGE =
  'a decimal text like "0.5", from 0.01 to 10, with at most 30 decimals';

const SCALE_BITS = 256n;
const SHORTEST_DECIMAL = /^(\d|10)(?:\.(\d{0,29}[1-9]))?$/;

/**
 * The blocks in order, those that spend most first.
 *
 * @param {readonly (readonly Weights[])[]} blocks what each of them spends.
 */
export function byFallingRatio(blocks) {
  // As a number a difference may be rounded, but keeps its sign.
  return [...blocks].sort((left, right) =>
    Number(
      product(right, "high") * product(left, "low") -
        product(left, "high") * product(right, "low"),
    ),
  );
}

/**
 * Whether reports through all these blocks together spend at most epsilon.
 *
 * e^epsilon is rounded down, so a wrong yes is impossible.
 *
 * @param {readonly Weights[]} blocks
 * @param {Fraction} epsilon
 */
export function isWithin(blocks, epsilon) {
  const most = exponentialFloor(epsilon) * product(blocks, "low");
  return product(blocks, "high") << SCALE_BITS <= most;
}

/**
 * A lower bound of e^exponent in units of 2^-256, for exponent > 0.
 *
 * The Taylor series with every term rounded down: each term is at most its
 * true value and the terms left out are positive.
 *
 * @param {Fraction} exponent
 */
export function exponentialFloor({ numerator, denominator }) {
  let term = 1n << SCALE_BITS;
  let total = 0n;
  for (let index = 1n; term > 0n; index += 1n) {
    total += term;
    term = (term * numerator) / (denominator * index);
  }
  return total;
}

/**
 * ln(high / low) of all blocks: for people to read, not for checks.
 *
 * @param {readonly Weights[]} blocks
 */
export function epsilonForReaders(blocks) {
  const spent = blocks.reduce(
    (sum, { high, low }) => sum + Math.log(high) - Math.log(low),
    0,
  );
  return String(Number(spent.toPrecision(15)));
}

/**
 * Epsilon as an exact fraction, from its shortest decimal text.
 *
 * @param {unknown} value
 * @returns {Fraction}
 * @throws {RangeError} not the shortest text of a number in the allowed range.
 */
export function readEpsilon(value) {
  const epsilon = parseEpsilon(value);
  if (epsilon) return epsilon;
  throw new RangeError(`got ${quote(value)}; allowed is ${EPSILON_RANGE}`);
}

/**
 * The same, null where it is no such text.
 *
 * @param {unknown} value
 * @param {number} [times] how often it is taken, all of them in the range.
 * @returns {Fraction | null}
 */
export function parseEpsilon(value, times = 1) {
  const digits = typeof value === "string" ? SHORTEST_DECIMAL.exec(value) : null;
  if (!digits) return null;
  const [, whole, decimals = ""] = digits;
  const numerator = BigInt(`${whole}${decimals}`);
  const denominator = 10n ** BigInt(decimals.length);
  const isInRange = denominator <= 100n * numerator && BigInt(times) * numerator <= 10n * denominator;
  return isInRange ? { numerator, denominator } : null;
}

/**
 * A cap as an exact fraction, null where there is none.
 *
 * @param {string | number | null | undefined} cap
 */
export function readCap(cap) {
  return (cap ?? null) === null ? null : readEpsilon(String(cap));
}

/**
 * A fraction for people to read.
 *
 * @param {Fraction} fraction
 */
export function decimal({ numerator, denominator }) {
  return Number(numerator) / Number(denominator);
}

/** @param {readonly Weights[]} pairs @param {"high" | "low"} key */
function product(pairs, key) {
  return pairs.reduce((total, pair) => total * BigInt(pair[key]), 1n);
}
