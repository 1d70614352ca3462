/** Canonical JSON: one document, one sequence of bytes, one digest. */

import { InsecureContext } from "./errors.js";

/** @typedef {null | boolean | number | string | JSONList | JSONObject} JSONValue */
/** @typedef {readonly JSONValue[]} JSONList */
/** @typedef {{ readonly [key: string]: JSONValue }} JSONObject */

const MAX_DEPTH = 32;
const NOT_ASCII = /[^\x00-\x7f]/;
const HALF_SURROGATE_PAIR = /\p{Surrogate}/u;
const TEXTS = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
const DECIMALS = /\d[.eE]/;

/** A value or byte sequence has no canonical JSON form. */
export class NotCanonical extends Error {}

/**
 * What a JSON value is, in words, without telling the value.
 *
 * @param {unknown} value
 */
export function kind(value) {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (typeof value === "string") return "a text";
  if (typeof value === "boolean") return "true or false";
  if (typeof value === "number") {
    return Number.isInteger(value) ? "a whole number" : "a number with decimals";
  }
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : "something that is not JSON";
}

/**
 * Whether a value is an object as JSON knows it: keys and values, no class.
 *
 * @param {unknown} value
 * @returns {value is JSONObject}
 */
export function isObject(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const parent = Object.getPrototypeOf(value);
  return parent === null || Object.getPrototypeOf(parent) === null;
}

/**
 * The canonical bytes of a JSON value.
 *
 * @param {unknown} value
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {NotCanonical} something inside has no canonical form.
 */
export function encode(value) {
  return new TextEncoder().encode(write(value));
}

/**
 * The value whose canonical form is exactly these bytes.
 *
 * @param {Uint8Array} bytes
 * @throws {NotCanonical} the bytes are not JSON, or not in canonical form.
 */
export function decode(bytes) {
  const text = decodeText(bytes);
  const value = parseText(text);
  if (write(value) !== text) {
    throw new NotCanonical("not canonical JSON");
  }
  return value;
}

/**
 * The value of JSON bytes in any layout, decimals and -0 refused.
 *
 * @param {Uint8Array} bytes
 * @returns {JSONValue}
 * @throws {NotCanonical} not UTF-8, not JSON, or a value without a canonical
 *   form.
 */
export function parse(bytes) {
  const value = parseText(decodeText(bytes));
  write(value);
  return value;
}

/**
 * SHA-256 of the bytes, as 64 lower-case hex digits.
 *
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @throws {InsecureContext} the page may not use cryptography.
 */
export async function digest(bytes) {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) {
    throw new InsecureContext("got no crypto.subtle; serve the page over HTTPS");
  }
  return hex(new Uint8Array(await subtle.digest("SHA-256", bytes)));
}

/**
 * Bytes as lower-case hex digits.
 *
 * @param {Uint8Array} bytes
 */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Uint8Array} bytes */
function decodeText(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NotCanonical("the bytes are not UTF-8");
  }
}

/** @param {string} text @returns {JSONValue} */
function parseText(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    // The engine's own message may repeat a part of the text.
    throw new NotCanonical("not JSON");
  }
  // JSON.parse reads 1.0 as 1, so decimals are looked for in the text.
  if (DECIMALS.test(text.replace(TEXTS, ""))) {
    throw new NotCanonical("got a number with decimals; only JSON without decimals is allowed");
  }
  return value;
}

/**
 * @param {unknown} value
 * @param {number} [depth]
 * @returns {string}
 */
function write(value, depth = MAX_DEPTH) {
  if (depth === 0) throw new NotCanonical(`nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    return `[${Array.from(value, (member) => write(member, depth - 1)).join(",")}]`;
  }
  if (!isObject(value)) return writeScalar(value);
  const keys = Object.keys(value).sort();
  if (keys.some((key) => NOT_ASCII.test(key))) {
    throw new NotCanonical("got a key that is not plain ASCII text");
  }
  const members = keys.map((key) => `${JSON.stringify(key)}:${write(value[key], depth - 1)}`);
  return `{${members.join(",")}}`;
}

/** @param {unknown} value */
function writeScalar(value) {
  if (typeof value === "string") {
    if (HALF_SURROGATE_PAIR.test(value)) {
      throw new NotCanonical("got a text with half a surrogate pair");
    }
    return JSON.stringify(value);
  }
  const isWhole = Number.isSafeInteger(value) && !Object.is(value, -0);
  if (value === null || typeof value === "boolean" || isWhole) return String(value);
  throw new NotCanonical(`got ${kind(value)}; only JSON without decimals is allowed, within 2^53 and no -0`);
}
