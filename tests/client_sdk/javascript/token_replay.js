/**
 * What JavaScript makes of tokens: a line of JSON in, one out; bytes are hexadecimal.
 *
 * In: {modulus, input, salt, factor, response}. Out: {message, signature}, where
 * the signature is null if the response is refused.
 */

import { createInterface } from "node:readline";

import { hex } from "../../../client_sdk/javascript/src/canonical.js";
import { blind, finalize, makeTokenKey } from "../../../client_sdk/javascript/src/tokens.js";

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });

/** @param {string} digits */
function bytes(digits) {
  return new Uint8Array(Buffer.from(digits, "hex"));
}

for await (const line of lines) {
  const { modulus, input, salt, factor, response } = JSON.parse(line);
  const reads = [bytes(salt), bytes(factor)];
  const read = () => reads.shift() ?? new Uint8Array();
  const blinded = await blind(await makeTokenKey(bytes(modulus)), bytes(input), read);
  let signature = null;
  try {
    signature = hex(await finalize(blinded, bytes(response)));
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "InvalidToken") throw error;
  }
  console.log(JSON.stringify({ message: hex(blinded.message), signature }));
}
