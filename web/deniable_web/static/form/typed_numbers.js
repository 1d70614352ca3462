/**
 * Numbers as people write them, in the digits and with the signs of any language.
 *
 * deniable_web/simulation/typed_numbers.py does the same in tables, with the same patterns.
 */

/** Stands for a text that some people read as thousands, and others as decimals. */
export const UNCLEAR = "unclear";

/** Stands for a text that is no number. */
export const NO_NUMBER = "no number";

// The directions of writing that some languages put around a number.
const MARKS = /[\u061c\u200e\u200f\u2066-\u2069]/g;
/** @type {readonly [RegExp, string][]} */
const SAME = [
  [/[\u2212\u2013\uff0d\ufe63]/g, "-"],
  [/[\u2019\u2018\u02bc\uff07]/g, "'"],
  [/[\t\xa0\u2007\u2008\u2009\u202f\u3000]/g, " "],
  [/\uff0e/g, "."],
  [/\uff0c/g, ","],
];
// Thousands in one language, decimals in another.
const THOUSANDS_OR_DECIMALS = /^-?(?!0+[.,])\d{1,3}[.,]\d{3}$/;
const FORMS = [
  // Without groups; in groups of three digits; and as in India, with pairs before the last group.
  /^(-?)(\d*)(?:[.,\u066b](\d+))?$/,
  /^(-?)([1-9]\d{0,2}([.,'\u066c ])\d{3}(?:\3\d{3})*)(?:(?!\3)[.,\u066b](\d+))?$/,
  /^(-?)([1-9]\d?([,\u066c])\d\d(?:\3\d\d)*\3\d{3})(?:[.\u066b](\d+))?$/,
];

/**
 * The number that everybody reads in a text, with a decimal point; UNCLEAR or NO_NUMBER if there
 * is none.
 *
 * @param {string} written
 */
export function decimalText(written) {
  let text = written.replace(MARKS, "").replace(/\p{Nd}/gu, latinDigit);
  for (const [signs, sign] of SAME) text = text.replace(signs, sign);
  text = text.replace(/^ +| +$/g, "");
  if (THOUSANDS_OR_DECIMALS.test(text)) return UNCLEAR;
  const found = FORMS.map((form) => form.exec(text)).find((match) => match !== null);
  if (!found || !/\d/.test(text)) return NO_NUMBER;
  const [sign, whole = ""] = found.slice(1);
  const decimals = found.at(-1);
  return `${sign}${whole.replace(/\D/g, "") || "0"}${decimals ? `.${decimals}` : ""}`;
}

/** @param {string} digit of any script; the ten of each stand in a row, from zero. */
function latinDigit(digit) {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++;
  return String(before % 10);
}
