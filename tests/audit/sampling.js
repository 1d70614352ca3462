/**
 * Samples from JavaScript devices, for the audit in Python.
 *
 * Reads {device, survey, answers, tries, count} and writes, for each of the
 * answers, a line of `count` samples: all that left at one time, as texts of
 * one sign for each byte.
 */

import { text } from "node:stream/consumers";

import { DeniableError, openSurvey } from "../../client_sdk/javascript/src/index.js";
import "../../client_sdk/javascript/src/scores.js";
import { DEVICES } from "./twins.js";

/**
 * What an error tells: its texts, and those of the errors it was raised from.
 *
 * @param {unknown} error
 * @returns {string}
 */
function told(error) {
  if (!(error instanceof Error)) return String(error);
  const fields = JSON.stringify(Object.entries(error));
  return `${error.name}: ${error.message} ${fields} ${error.cause ? told(error.cause) : ""}`;
}

/** @param {Uint8Array} bytes */
const signs = (bytes) => Buffer.from(bytes).toString("latin1");

const job = JSON.parse(await text(process.stdin));
const survey = await openSurvey(new TextEncoder().encode(job.survey));
const device = await DEVICES.get(job.device)?.(survey);
if (!device) throw new RangeError(`got the device ${job.device}, which twins.js does not have`);
for (const answers of job.answers) {
  const samples = Array.from({ length: job.count }, () => {
    try {
      return device(answers, job.tries).map(signs);
    } catch (error) {
      if (!(error instanceof DeniableError)) throw error;
      return [signs(new TextEncoder().encode(told(error)))];
    }
  });
  process.stdout.write(`${JSON.stringify(samples)}\n`);
}
