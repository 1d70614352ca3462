/**
 * Decimal texts: exact numbers in documents that hold no floats.
 *
 * Inside, a number is an integer in units of 10^-4, the smallest step a
 * question can have; with 9 digits before the point it stays below 2^53.
 */

/** @import { Section } from "./reading.js" */

const DECIMALS = 4;
const IN_RANGE = /^(-?)(?=\d{1,15}(?:\.\d{1,15})?$)0*(\d{1,9})(?:\.(\d{1,4})0*)?$/;

export const DECIMAL_RULE = 'a decimal text like "0.5"';

/**
 * The units of a decimal text in its one canonical form, else NaN.
 *
 * @param {unknown} text
 */
export function parseCanonical(text) {
  const units = parseNumber(text);
  return formatUnits(units) === text ? units : NaN;
}

/** @param {unknown} text whether it is such a decimal text. */
export function isDecimal(text) {
  return !Number.isNaN(parseCanonical(text));
}

/**
 * The units of the decimal text under a key; NaN and a problem where it is none.
 *
 * @param {Section} section
 * @param {string} key
 */
export function readUnits(section, key) {
  return parseCanonical(section.read(key, DECIMAL_RULE, isDecimal, ""));
}

/**
 * The units of a number or its text; NaN where it is none, too fine, or beyond
 * what a question can take.
 *
 * A number's shortest text is what its author wrote, in every language.
 *
 * @param {unknown} value
 */
export function parseNumber(value) {
  const text = typeof value === "number" ? String(value) : value;
  const written = typeof text === "string" ? IN_RANGE.exec(text) : null;
  if (!written) return NaN;
  const [, sign, whole = "", decimals = ""] = written;
  const units = Number(whole + decimals.padEnd(DECIMALS, "0"));
  return sign ? 0 - units : units;
}

/**
 * The canonical decimal text of so many units.
 *
 * @param {number} units
 */
export function formatUnits(units) {
  const digits = String(Math.abs(units)).padStart(DECIMALS + 1, "0");
  const text = `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
  return `${units < 0 ? "-" : ""}${text.replace(/\.?0+$/, "")}`;
}
