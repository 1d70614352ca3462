/** Tokens beside another implementation of the same scheme, in every role. */

import assert from "node:assert/strict";
import { KeyObject, constants, privateDecrypt } from "node:crypto";
import { test } from "node:test";

import { hex } from "../../../client_sdk/javascript/src/canonical.js";
import { systemBytes } from "../../../client_sdk/javascript/src/randomness.js";
import {
  InvalidToken,
  blind,
  finalize,
  fromBase64url,
  tokenInput,
  tokenKey,
  verify,
} from "../../../client_sdk/javascript/src/tokens.js";

const ROUNDS = 5;
// Its types are for another kind of modules than ours.
const { RSABSSA } = await import(String("@cloudflare/blindrsa-ts"));
const other = RSABSSA.SHA384.PSS.Deterministic();
const pair = await RSABSSA.SHA384.generateKey({
  modulusLength: 2048,
  publicExponent: Uint8Array.of(1, 0, 1),
});
const { n = "" } = await crypto.subtle.exportKey("jwk", pair.publicKey);
const key = await tokenKey(fromBase64url(n));

/** A new input of a token. */
function newInput() {
  return tokenInput(key, hex(systemBytes(32)), hex(Buffer.from("a survey and a group")));
}

/** @param {string} digits */
function bytes(digits) {
  return Uint8Array.from(Buffer.from(digits, "hex"));
}

/**
 * An issuer's response, by Node: the other implementation takes seconds for one.
 *
 * @param {Uint8Array} message
 */
function sign(message) {
  const key = KeyObject.from(pair.privateKey);
  return Uint8Array.from(privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, message));
}

test("the other issuer signs our message, and the other verifier accepts our tokens", async () => {
  const first = bytes((await blind(key, await newInput())).message);
  assert.deepEqual(Uint8Array.from(await other.blindSign(pair.privateKey, first)), sign(first));
  for (let round = 0; round < ROUNDS; round += 1) {
    const input = await newInput();
    const { message, inverse } = await blind(key, input);
    const signature = await finalize(key, input, inverse, hex(sign(bytes(message))));
    assert.ok(await other.verify(pair.publicKey, bytes(signature), bytes(input)));
  }
});

test("the other device's tokens are ours, finished by either", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const input = await newInput();
    const { blindedMsg, inv } = await other.blind(pair.publicKey, bytes(input));
    const response = sign(blindedMsg);
    const theirs = hex(await other.finalize(pair.publicKey, bytes(input), response, inv));
    assert.ok(await verify(key, input, theirs));
    assert.equal(await finalize(key, input, BigInt(`0x${hex(inv)}`), hex(response)), theirs);
  }
});

test("both refuse a response to another message", async () => {
  const [input, another] = [await newInput(), await newInput()];
  const { inverse } = await blind(key, input);
  const response = sign(bytes((await blind(key, another)).message));
  await assert.rejects(finalize(key, input, inverse, hex(response)), InvalidToken);
  const { inv } = await other.blind(pair.publicKey, bytes(input));
  await assert.rejects(other.finalize(pair.publicKey, bytes(input), response, inv));
});
