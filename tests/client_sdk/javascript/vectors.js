/** Reading the vectors that Python replays too. */

import { readFileSync } from "node:fs";

/**
 * The cases in a file of vectors.
 *
 * @param {string} name
 * @returns {any[]}
 */
export function read(name) {
  return JSON.parse(readFileSync(new URL(`../../vectors/${name}`, import.meta.url), "ascii"));
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
