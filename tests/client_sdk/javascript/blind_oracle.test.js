/** Tokens beside another implementation of the same scheme, in every role. */

import assert from "node:assert/strict";
import { KeyObject, constants, privateDecrypt } from "node:crypto";
import { test } from "node:test";

import { systemBytes } from "../../../client_sdk/javascript/src/randomness.js";
import {
  InvalidToken,
  blind,
  finalize,
  fromBase64url,
  readTokenKey,
  tokenInput,
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
const key = await readTokenKey(fromBase64url(n));

/** A new input of a token. */
function newInput() {
  const nonce = Uint8Array.from(systemBytes(32));
  return tokenInput(key, nonce, new TextEncoder().encode("a survey and a group"));
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
  const first = await blind(key, await newInput());
  assert.deepEqual(
    Uint8Array.from(await other.blindSign(pair.privateKey, first.message)),
    sign(first.message),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    const blinded = await blind(key, await newInput());
    const signature = await finalize(blinded, sign(blinded.message));
    assert.ok(await other.verify(pair.publicKey, signature, blinded.tokenInput));
  }
});

test("the other device's tokens are ours, finished by either", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const input = await newInput();
    const { blindedMsg, inv } = await other.blind(pair.publicKey, input);
    const response = sign(blindedMsg);
    const theirs = await other.finalize(pair.publicKey, input, response, inv);
    assert.ok(await verify(key, input, Uint8Array.from(theirs)));
    const inverse = BigInt(`0x${Buffer.from(inv).toString("hex")}`);
    const message = Uint8Array.from(blindedMsg);
    const ours = await finalize({ key, tokenInput: input, message, inverse }, response);
    assert.deepEqual(ours, Uint8Array.from(theirs));
  }
});

test("both refuse a response to another message", async () => {
  const [first, second] = [await blind(key, await newInput()), await blind(key, await newInput())];
  const response = sign(second.message);
  await assert.rejects(finalize(first, response), InvalidToken);
  const { inv } = await other.blind(pair.publicKey, first.tokenInput);
  await assert.rejects(other.finalize(pair.publicKey, first.tokenInput, response, inv));
});
