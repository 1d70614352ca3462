/**
 * What JavaScript makes of tokens: a line of JSON in, one out; bytes are hexadecimal.
 *
 * In: {modulus, input, salt, factor, response}. Out: {message, signature}, where
 * the signature is null if the response is refused.
 */

import { createInterface } from "node:readline";

import { blind, finalize, tokenKey } from "../../../client_sdk/javascript/src/tokens.js";

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });

for await (const line of lines) {
  const { modulus, input, salt, factor, response } = JSON.parse(line);
  const reads = [salt, factor];
  const read = () => Buffer.from(reads.shift(), "hex");
  const key = await tokenKey(modulus);
  const { message, inverse } = await blind(key, input, read);
  let signature = null;
  try {
    signature = await finalize(key, input, inverse, response);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "InvalidToken") throw error;
  }
  console.log(JSON.stringify({ message, signature }));
}
