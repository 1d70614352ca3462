/** Numbers as people write them: read as everybody reads them, or refused. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { NO_NUMBER, UNCLEAR, decimalText } from "../../../web/deniable_web/static/form/typed_numbers.js";

/** @type {{ read: [string, string][], unclear: string[], refused: string[] }} */
const CASES = JSON.parse(readFileSync(new URL("typed_numbers.json", import.meta.url), "utf8"));

// Languages that group or mark digits in different ways, and some with digits of their own.
const LANGUAGES = [
  "en", "de", "es", "ar", "zh", "de-CH", "de-AT", "de-LI", "fr", "fr-CH", "it", "it-CH", "pl", "pt", "pt-PT", "en-IN",
  "en-ZA", "hi", "bn", "mr", "ne", "gu", "ta", "te", "fa", "ur", "ur-IN", "ps", "ckb", "ar-EG", "ar-MA", "he", "ja",
  "ko", "th", "my", "km", "lo", "dz", "bo", "ru", "uk", "bg", "cs", "sk", "sl", "hr", "sr", "hu", "ro", "el", "tr", "sv",
  "da", "nb", "fi", "et", "lv", "lt", "is", "nl", "nl-BE", "ca", "eu", "gl", "mt", "sq", "hy", "ka", "az", "kk", "uz", "mn",
  "vi", "id", "ms", "fil", "sw", "am", "zu", "af", "gsw", "rm", "lb", "es-MX", "es-AR", "pa-Arab", "sd", "ff-Adlm", "sat",
];
const DIGITS = ["latn", "arab", "arabext", "deva", "beng", "fullwide", "native"];
const NUMBERS = [
  0, 2, 10, 999, 1000, 2000, 12345, 99999, 100000, 1234567, 12345678, 999999999, -5, -2000, -1234567,
  0.5, 2.5, 0.125, 2.125, 12.345, 123.456, 1234.5, 1234.567, 2000.25, 1234567.891, -0.5, -2.125, -1234.567,
];
/** @type {any[]} the types of Intl have no "always" yet. */
const STYLES = [
  { maximumFractionDigits: 4 },
  { maximumFractionDigits: 4, useGrouping: false },
  { maximumFractionDigits: 4, useGrouping: "always" },
  { minimumFractionDigits: 1, maximumFractionDigits: 4 },
  { minimumFractionDigits: 3, maximumFractionDigits: 4 },
];

test("a number is read from its digits and its signs", () => {
  for (const [written, decimal] of CASES.read) assert.equal(decimalText(written), decimal, written);
});

test("a point or comma before the last three digits can mean two numbers", () => {
  for (const written of CASES.unclear) assert.equal(decimalText(written), UNCLEAR, written);
});

test("other texts are no numbers", () => {
  for (const written of CASES.refused) assert.equal(decimalText(written), NO_NUMBER, written);
});

test("what any language prints for a number is read as that number or refused", () => {
  let read = 0;
  let printed = 0;
  for (const language of LANGUAGES) {
    for (const digits of DIGITS) {
      for (const style of STYLES) {
        const format = new Intl.NumberFormat(`${language}-u-nu-${digits}`, style);
        for (const number of NUMBERS) {
          const written = format.format(number);
          const decimal = decimalText(written);
          printed += 1;
          if (decimal === UNCLEAR || decimal === NO_NUMBER) continue;
          assert.equal(Number(decimal), number, `${format.resolvedOptions().locale}: ${written}`);
          read += 1;
        }
      }
    }
  }
  assert.ok(read > 0.75 * printed, `${read} of ${printed}`);
});

test("without groups every language's numbers are read, but for three decimals", () => {
  for (const language of LANGUAGES) {
    const format = new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 4 });
    for (const number of [0, 2, 10, 2000, 12345, -5, 0.5, 2.5, 0.125, 1234.5, 1234.567]) {
      assert.equal(Number(decimalText(format.format(number))), number, `${language}: ${format.format(number)}`);
    }
  }
});
