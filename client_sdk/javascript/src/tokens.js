/**
 * Tokens of invited respondents: signed by an issuer who cannot recognize them.
 *
 * RSA blind signatures (RFC 9474, RSABSSA-SHA384-PSS-Deterministic) with keys of
 * 2048 bits, over the token layout of Privacy Pass (RFC 9578, type 0x0002). A
 * device blinds what is to be signed, the issuer signs it unseen, and the
 * device takes the blinding off. Nobody can match a token with the request it
 * came from.
 *
 * Bytes are texts of hexadecimal digits here, two for each byte.
 */

import { hex } from "./canonical.js";
import { DeniableError, nameErrors } from "./errors.js";
import { REPORT_ID_BYTES, systemBytes } from "./randomness.js";

/** @import { ReadBytes } from "./randomness.js" */

/** An issuer's key or signature cannot be used, so the token is not kept. */
export class InvalidToken extends DeniableError {}

nameErrors({ InvalidToken });

/**
 * The public key of one edition and group: its modulus as a number, how many
 * digits that has, and the digest of the key as RFC 9578 encodes it.
 *
 * @typedef {{ readonly number: bigint, readonly digits: number, readonly id: string }} TokenKey
 */

/**
 * What only the device knows of a token on its way to the issuer. Whoever has
 * the inverse, which takes the blinding off, can match message and token.
 *
 * @typedef {{ readonly message: string, readonly inverse: bigint }} Blinded
 */

// The exponent is 65537, which is 2 to the 16th, and 1.
const SQUARINGS = 16;
const TYPE = "0002";
const REPORT_ID_LABEL = hex(new TextEncoder().encode("deniable-invited/1"));
const HASH_DIGITS = 96;
const SALT_BYTES = 48;
// SubjectPublicKeyInfo of RSASSA-PSS with SHA-384, MGF1 with SHA-384 and a salt of 48 bytes: the
// bytes before a modulus of 2048 bits, and those of the exponent 65537 after it.
const KEY_HEAD =
  "30820152303d06092a864886f70d01010a3030a00d300b0609608648016503040202a11a301806092a864886f7" +
  "0d010108300b0609608648016503040202a2030201300382010f003082010a0282010100";
const KEY_TAIL = "0203010001";
// A draw is below the modulus, which has its highest bit, at least every other time.
const MOST_TRIES = 128;

/**
 * The key with this modulus.
 *
 * @param {string} modulus of an opened survey: odd, with 2048 bits.
 * @returns {Promise<TokenKey>}
 */
export async function tokenKey(modulus) {
  const id = await sha(256, KEY_HEAD + modulus + KEY_TAIL);
  return { number: numberOf(modulus), digits: modulus.length, id };
}

/**
 * What a token signs, 98 bytes, as RFC 9578 has them for type 0x0002.
 *
 * @param {TokenKey} key
 * @param {string} nonce 32 random bytes.
 * @param {string} challenge what the token is for.
 */
export async function tokenInput({ id }, nonce, challenge) {
  return TYPE + nonce + (await sha(256, challenge)) + id;
}

/**
 * The id of the one report that a token is good for.
 *
 * @param {string} input from tokenInput.
 */
export async function reportId(input) {
  return (await sha(256, REPORT_ID_LABEL + input)).slice(0, 2 * REPORT_ID_BYTES);
}

/**
 * A token's input, encoded and blinded (RFC 9474, section 4.2).
 *
 * @param {TokenKey} key
 * @param {string} input from tokenInput.
 * @param {ReadBytes} readBytes source of random bytes.
 * @returns {Promise<Blinded>}
 * @throws {InvalidToken} the modulus has a small factor, or the source is faulty.
 */
export async function blind(key, input, readBytes = systemBytes) {
  const { number, digits } = key;
  const encoded = numberOf(await encode(key, input, hex(readBytes(SALT_BYTES))));
  let factor = number;
  for (let tries = 0; factor >= number && tries < MOST_TRIES; tries += 1) {
    factor = numberOf(hex(readBytes(digits / 2)));
  }
  // The inverse of the product gives that of the factor, and there is none unless both have one.
  const product = factor < number ? encoded * factor : 0n;
  const inverse = (inverted(product, number) * encoded) % number;
  return { message: digitsOf((encoded * power(factor, number)) % number, digits), inverse };
}

/**
 * The signature of a token, 256 bytes, from the issuer's response.
 *
 * @param {TokenKey} key
 * @param {string} input that was blinded.
 * @param {bigint} inverse from blind.
 * @param {string} response the issuer's signature of the message.
 * @throws {InvalidToken} it does not verify: keep nothing, and send nothing.
 */
export async function finalize(key, input, inverse, response) {
  const { number, digits } = key;
  const signed = numberOf(response);
  if (response.length === digits && signed < number) {
    const signature = digitsOf((signed * inverse) % number, digits);
    if (await verify(key, input, signature)) return signature;
  }
  throw new InvalidToken("the issuer's signature does not fit the key in the survey");
}

/**
 * Whether a key's owner signed this input (RFC 8017, section 8.1.2).
 *
 * @param {TokenKey} key
 * @param {string} input from tokenInput.
 * @param {string} signature of the modulus's length.
 */
export async function verify(key, input, signature) {
  const { number, digits } = key;
  const signed = numberOf(signature);
  const encoded = digitsOf(power(signed, number), digits);
  const end = digits - HASH_DIGITS - 2;
  const padded = await underMask(encoded.slice(0, end), encoded.slice(end, -2));
  // The encoding is a function of the input and the salt, so another one with this salt is false.
  return signed < number && (await encode(key, input, padded.slice(-HASH_DIGITS))) === encoded;
}

/**
 * EMSA-PSS of a message, for one bit less than the modulus has.
 *
 * @param {TokenKey} key
 * @param {string} message
 * @param {string} salt as long as a hash.
 */
async function encode({ digits }, message, salt) {
  const hash = await sha(384, digitsOf(0, 16) + (await sha(384, message)) + salt);
  const padded = digitsOf(1, digits - 2 * HASH_DIGITS - 2) + salt;
  return `${await underMask(padded, hash)}${hash}bc`;
}

/**
 * Data under the mask of MGF1, the highest bit cleared.
 *
 * @param {string} data
 * @param {string} seed
 */
async function underMask(data, seed) {
  // All at once, because each waits for another thread.
  const masks = [];
  while (masks.length * HASH_DIGITS < data.length) {
    masks.push(sha(384, seed + digitsOf(masks.length, 8)));
  }
  const mask = (await Promise.all(masks)).join("").slice(0, data.length);
  const bits = 4 * data.length - 1;
  return digitsOf(BigInt.asUintN(bits, numberOf(data) ^ numberOf(mask)), data.length);
}

/** @param {256 | 384} bits @param {string} data */
async function sha(bits, data) {
  return hex(new Uint8Array(await crypto.subtle.digest(`SHA-${bits}`, bytesOf(data))));
}

/** @param {string} digits */
export function bytesOf(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/**
 * Bytes in base64url without padding.
 *
 * @param {string} digits
 */
export function base64url(digits) {
  const text = btoa(String.fromCharCode(...bytesOf(digits)));
  return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}

/**
 * The bytes of a text in base64url; none if it is another text.
 *
 * @param {string} text
 */
export function fromBase64url(text) {
  const plain = text.replace(/-/g, "+").replace(/_/g, "/");
  try {
    return hex(Uint8Array.from(atob(plain), (character) => character.charCodeAt(0)));
  } catch {
    return "";
  }
}

/** @param {string} digits */
function numberOf(digits) {
  return BigInt(`0x0${digits}`);
}

/** @param {bigint | number} number @param {number} count */
function digitsOf(number, count) {
  return number.toString(16).padStart(count, "0");
}

/** @param {bigint} base @param {bigint} modulus */
function power(base, modulus) {
  let square = base;
  for (let count = 0; count < SQUARINGS; count += 1) square = (square * square) % modulus;
  return (square * base) % modulus;
}

/**
 * @param {bigint} value
 * @param {bigint} modulus
 * @throws {InvalidToken} it has a factor in common with the modulus.
 */
function inverted(value, modulus) {
  let [divisor, rest, left, right] = [modulus, value % modulus, 0n, 1n];
  while (rest > 0n) {
    const times = divisor / rest;
    [divisor, rest, left, right] = [rest, divisor - times * rest, right, left - times * right];
  }
  if (divisor !== 1n) {
    throw new InvalidToken("the issuer's key cannot be used; nothing was sent");
  }
  return left + modulus;
}
