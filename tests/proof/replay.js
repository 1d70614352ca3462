/**
 * Replays cases of mechanisms in JavaScript, for the proof's tests in Python.
 *
 * Reads a list of {mechanism, answer, tape} and writes, for each of them, its
 * value and how many bytes of the tape are left, or null if it has none.
 */

import { text } from "node:stream/consumers";

import { RandomnessUnavailable } from "../../client_sdk/javascript/src/errors.js";
import { mechanismFromDocument } from "../../client_sdk/javascript/src/mechanisms/index.js";
import { RandomIntegers } from "../../client_sdk/javascript/src/randomness.js";
import { fromHex } from "../client_sdk/javascript/vectors.js";

/** @param {{ mechanism: any, answer: any, tape: string }} spelled */
function replayed({ mechanism, answer, tape }) {
  const bytes = fromHex(tape);
  let position = 0;
  /** @param {number} count */
  const read = (count) => {
    position += count;
    return bytes.slice(position - count, position);
  };
  try {
    const value = mechanismFromDocument(mechanism).randomize(answer, new RandomIntegers(read));
    return { value, left: bytes.length - position };
  } catch (error) {
    // Too few bytes, or too many that were rejected.
    if (!(error instanceof RandomnessUnavailable)) throw error;
    return null;
  }
}

const cases = JSON.parse(await text(process.stdin));
process.stdout.write(JSON.stringify(cases.map(replayed)));
