/** Reading the vectors that Python replays too. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/**
 * The cases in a file of vectors, of which there are some: none would check nothing.
 *
 * @param {string} name
 * @returns {any[]}
 */
export function read(name) {
  const cases = JSON.parse(readFileSync(new URL(`../../vectors/${name}`, import.meta.url), "ascii"));
  assert.ok(cases.length > 0, name);
  return cases;
}

/**
 * The bytes of a case, which is spelled as a text or as hex digits.
 *
 * @param {{ text?: string, hex?: string }} spelled
 */
export function unspell({ text, hex = "" }) {
  return text === undefined ? fromHex(hex) : new TextEncoder().encode(text);
}

/**
 * Bytes from hex digits.
 *
 * @param {string} digits
 */
export function fromHex(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
