/** Texts that people read: one string, or one string for each language. */

import { isObject } from "../canonical.js";
import { quote } from "../errors.js";

/** @import { Section } from "./reading.js" */

/** @typedef {string | { readonly [language: string]: string }} Text */

const MAX_TEXT_LENGTH = 4000;
const RULE = `a text of 1 to ${MAX_TEXT_LENGTH} characters without controls, or one for each language`;
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;
/** The wire format lists what counts as blank, in a text without controls; \s is another list. */
const BLANK = /^\p{White_Space}*$/u;
/** Line breaks and tabs may stand; a page would obey the others, and what overrides the direction of writing. */
const CONTROL = /[^\P{Cc}\t\n]|[\u202a-\u202e]/u;

const MAX_SHORT_TEXT_LENGTH = 200;
export const SHORT_TEXT_RULE = `a text of 1 to ${MAX_SHORT_TEXT_LENGTH} characters without controls`;

/**
 * Whether a value is a text of 1 to `longest` characters that shows something.
 *
 * A character is a Unicode code point.
 *
 * @param {unknown} value
 * @param {number} longest
 */
function isShownText(value, longest) {
  if (typeof value !== "string" || BLANK.test(value) || CONTROL.test(value)) return false;
  return value.length <= longest || [...value].length <= longest;
}

/**
 * The text under a key; a bad or missing one is a problem, and "".
 *
 * @param {Section} section
 * @param {string} key
 * @returns {Text}
 */
export function readText(section, key) {
  const value = section.value(key);
  if (!isObject(value) || Object.keys(value).length === 0) {
    return section.read(key, RULE, isText, "");
  }
  const inner = section.inner(key);
  const texts = Object.keys(value).map((language) => {
    if (!LANGUAGE.test(language)) {
      section.refuse(`got the language ${quote(language)}; allowed are tags like en or pt-BR`, key);
    }
    return [language, inner.read(language, RULE, isText, "")];
  });
  return Object.freeze(Object.fromEntries(texts));
}

/**
 * The text under a key, or null where the key is missing.
 *
 * @param {Section} section
 * @param {string} key
 */
export function readOptionalText(section, key) {
  return section.has(key) ? readText(section, key) : null;
}

/**
 * The text in a language, or in the first one it is given in.
 *
 * @param {Text} text
 * @param {string} language
 * @returns {string}
 */
export function inLanguage(text, language) {
  if (typeof text === "string") return text;
  const found = Object.hasOwn(text, language) ? text[language] : Object.values(text)[0];
  return found ?? "";
}

/**
 * @param {unknown} value
 * @returns {value is string}
 */
export function isShortText(value) {
  return isShownText(value, MAX_SHORT_TEXT_LENGTH);
}

/** @param {unknown} value */
function isText(value) {
  return isShownText(value, MAX_TEXT_LENGTH);
}
