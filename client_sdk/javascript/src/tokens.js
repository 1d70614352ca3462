/**
 * Tokens of invited respondents: signed by an issuer who cannot recognize them.
 *
 * RSA blind signatures (RFC 9474, RSABSSA-SHA384-PSS-Deterministic) with keys of
 * 2048 bits, over the token layout of Privacy Pass (RFC 9578, type 0x0002). A
 * device blinds what is to be signed, the issuer signs it unseen, and the
 * device takes the blinding off. Nobody can match a token with the request it
 * came from.
 */

import { hex } from "./canonical.js";
import { DeniableError, nameErrors } from "./errors.js";
import { REPORT_ID_BYTES, systemBytes } from "./randomness.js";

/** @import { ReadBytes } from "./randomness.js" */

/** An issuer's key or signature cannot be used, so the token is not kept. */
export class InvalidToken extends DeniableError {}

nameErrors({ InvalidToken });

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/**
 * The public key of one edition and group: its modulus as big-endian bytes and
 * as a number, and the digest of the key as RFC 9578 encodes it, 32 bytes.
 *
 * @typedef {{ readonly modulus: Bytes, readonly number: bigint, readonly id: Bytes }} TokenKey
 */

/**
 * A token's input on its way to the issuer. Whoever has the inverse, which
 * takes the blinding off, can match the message and the token.
 *
 * @typedef {object} Blinded
 * @property {TokenKey} key
 * @property {Bytes} tokenInput
 * @property {Bytes} message for the issuer.
 * @property {bigint} inverse
 */

const KEY_BYTES = 256;
export const NONCE_BYTES = 32;
const EXPONENT = 65_537n;
const TYPE = Uint8Array.of(0, 2);
const REPORT_ID_LABEL = new TextEncoder().encode("deniable-invited/1");
const HASH_BYTES = 48;
const SALT_BYTES = HASH_BYTES;
// SubjectPublicKeyInfo of RSASSA-PSS with SHA-384, MGF1 with SHA-384 and a salt of 48 bytes: the
// bytes before a modulus of 2048 bits, and those of the exponent 65537 after it.
const KEY_HEAD = bytesOf(
  "30820152303d06092a864886f70d01010a3030a00d300b0609608648016503040202a11a301806092a864886f7" +
    "0d010108300b0609608648016503040202a2030201300382010f003082010a0282010100",
);
const KEY_TAIL = bytesOf("0203010001");
// A draw is below the modulus, which has its highest bit, at least every other time.
const MOST_TRIES = 128;

/**
 * The key with this modulus.
 *
 * @param {Bytes} modulus 256 bytes, big-endian: odd, with the highest bit.
 * @returns {Promise<TokenKey>}
 * @throws {InvalidToken} it is no such modulus.
 */
export async function readTokenKey(modulus) {
  const [first = 0] = modulus;
  if (modulus.length !== KEY_BYTES || first < 128 || (modulus.at(-1) ?? 0) % 2 === 0) {
    throw new InvalidToken(
      `got a modulus of ${modulus.length} bytes; allowed are odd ones of 2048 bits`,
    );
  }
  return makeTokenKey(modulus);
}

/**
 * The same for a modulus of any length; for tests.
 *
 * @param {Bytes} modulus
 * @returns {Promise<TokenKey>}
 */
export async function makeTokenKey(modulus) {
  const id = await sha(256, KEY_HEAD, modulus, KEY_TAIL);
  return { modulus, number: numberOf(modulus), id };
}

/**
 * What a token signs, 98 bytes, as RFC 9578 has them for type 0x0002.
 *
 * @param {TokenKey} key
 * @param {Bytes} nonce 32 random bytes.
 * @param {Bytes} challenge what the token is for.
 */
export async function tokenInput(key, nonce, challenge) {
  return joined(TYPE, nonce, await sha(256, challenge), key.id);
}

/**
 * The id of the one report that a token is good for: 32 hex digits.
 *
 * @param {Bytes} input from tokenInput.
 */
export async function reportId(input) {
  return hex(await sha(256, REPORT_ID_LABEL, input)).slice(0, 2 * REPORT_ID_BYTES);
}

/**
 * A token's input, encoded and blinded (RFC 9474, section 4.2).
 *
 * @param {TokenKey} key
 * @param {Bytes} input from tokenInput.
 * @param {ReadBytes} readBytes source of random bytes.
 * @returns {Promise<Blinded>}
 * @throws {InvalidToken} the modulus has a small factor, or the source is faulty.
 */
export async function blind(key, input, readBytes = systemBytes) {
  const { number, modulus } = key;
  const encoded = numberOf(await encode(input, Uint8Array.from(readBytes(SALT_BYTES)), modulus.length));
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const factor = numberOf(readBytes(modulus.length));
    const inverse = factor > 0n && factor < number ? inverted(factor, number) : null;
    if (inverse === null) continue;
    if (inverted(encoded, number) === null) {
      throw new InvalidToken("the issuer's key has a factor that can be seen; nothing was sent");
    }
    const message = bytesOfNumber((encoded * power(factor, EXPONENT, number)) % number, modulus.length);
    return { key, tokenInput: input, message, inverse };
  }
  throw new InvalidToken("no random number fits the issuer's key; nothing was sent");
}

/**
 * The signature of a token, 256 bytes, from the issuer's response.
 *
 * @param {Blinded} blinded from blind.
 * @param {Bytes} response the issuer's signature of the message.
 * @throws {InvalidToken} it does not verify: keep nothing, and send nothing.
 */
export async function finalize({ key, tokenInput: input, inverse }, response) {
  const { number, modulus } = key;
  const signed = numberOf(response);
  if (response.length === modulus.length && signed < number) {
    const signature = bytesOfNumber((signed * inverse) % number, modulus.length);
    if (await verify(key, input, signature)) return signature;
  }
  throw new InvalidToken("the issuer's signature does not fit the key in the survey");
}

/**
 * Whether a key's owner signed this input (RFC 8017, section 8.1.2).
 *
 * @param {TokenKey} key
 * @param {Bytes} input from tokenInput.
 * @param {Bytes} signature
 */
export async function verify({ number, modulus }, input, signature) {
  const signed = numberOf(signature);
  if (signature.length !== modulus.length || signed >= number) return false;
  const encoded = bytesOfNumber(power(signed, EXPONENT, number), modulus.length);
  const end = encoded.length - HASH_BYTES - 1;
  const padded = await underMask(encoded.slice(0, end), encoded.slice(end, -1));
  // The encoding is a function of the input and the salt, so another one with this salt is false.
  const own = await encode(input, padded.slice(-SALT_BYTES), modulus.length);
  return hex(own) === hex(encoded);
}

/**
 * EMSA-PSS of a message, for one bit less than the modulus has.
 *
 * @param {Bytes} message
 * @param {Bytes} salt
 * @param {number} size of the modulus in bytes.
 */
async function encode(message, salt, size) {
  const hash = await hashOf(message, salt);
  const padding = new Uint8Array(size - SALT_BYTES - HASH_BYTES - 1);
  padding[padding.length - 1] = 1;
  return joined(await underMask(joined(padding, salt), hash), hash, Uint8Array.of(0xbc));
}

/**
 * @param {Bytes} message
 * @param {Bytes} salt
 */
async function hashOf(message, salt) {
  return sha(384, new Uint8Array(8), await sha(384, message), salt);
}

/**
 * Data under the mask of MGF1, the highest bit cleared.
 *
 * @param {Bytes} data
 * @param {Bytes} seed
 */
async function underMask(data, seed) {
  const masks = [];
  for (let counter = 0; counter * HASH_BYTES < data.length; counter += 1) {
    masks.push(await sha(384, seed, Uint8Array.of(0, 0, 0, counter)));
  }
  const mask = joined(...masks);
  const masked = data.map((byte, place) => byte ^ (mask[place] ?? 0));
  masked[0] = (masked[0] ?? 0) & 127;
  return masked;
}

/**
 * @param {256 | 384} bits
 * @param {Bytes[]} parts
 * @returns {Promise<Bytes>}
 */
async function sha(bits, ...parts) {
  return new Uint8Array(await crypto.subtle.digest(`SHA-${bits}`, joined(...parts)));
}

/** @param {Uint8Array[]} parts */
function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

/** @param {string} digits hexadecimal. */
function bytesOf(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/**
 * Bytes in base64url without padding.
 *
 * @param {Uint8Array} bytes
 */
export function base64url(bytes) {
  const text = btoa(String.fromCharCode(...bytes));
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
    return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** @param {Uint8Array} bytes */
function numberOf(bytes) {
  return BigInt(`0x0${hex(bytes)}`);
}

/**
 * @param {bigint} number
 * @param {number} size
 */
function bytesOfNumber(number, size) {
  return bytesOf(number.toString(16).padStart(2 * size, "0"));
}

/**
 * @param {bigint} base
 * @param {bigint} exponent
 * @param {bigint} modulus
 */
function power(base, exponent, modulus) {
  let result = 1n;
  for (let left = exponent, square = base; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/**
 * The inverse of a number, null where it has a factor in common with the modulus.
 *
 * @param {bigint} value
 * @param {bigint} modulus
 */
function inverted(value, modulus) {
  let [divisor, rest, left, right] = [modulus, value % modulus, 0n, 1n];
  while (rest > 0n) {
    const times = divisor / rest;
    [divisor, rest] = [rest, divisor - times * rest];
    [left, right] = [right, left - times * right];
  }
  if (divisor !== 1n) return null;
  return left < 0n ? left + modulus : left;
}
