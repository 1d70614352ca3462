/**
 * Opens surveys and makes reports for the test across both languages.
 *
 * Reads lines of {survey, reports: [{answers, tape}]} and writes, for each, a
 * line of {error} or {digest, reports}: the reports' bytes as texts.
 */

import { createInterface } from "node:readline";

import { checkReport } from "../../../client_sdk/javascript/src/check.js";
import { openSurvey, randomize } from "../../../client_sdk/javascript/src/index.js";
import { errorOf } from "./errors.js";
import { Tape } from "./tape.js";
import { fromHex } from "./vectors.js";

/** @typedef {{ answers: Record<string, any>, tape: string }} Given */

/** @param {{ survey: string, reports: Given[] }} given */
async function replay({ survey: text, reports }) {
  /** @type {import("../../../client_sdk/javascript/src/index.js").PublishedSurvey | undefined} */
  let survey;
  const error = await errorOf(async () => {
    survey = await openSurvey(new TextEncoder().encode(text));
  });
  if (!survey) return { error };
  const { digest } = survey;
  return { digest, reports: reports.map(({ answers, tape }) => report(survey, answers, tape)) };
}

/**
 * @param {any} survey
 * @param {Record<string, any>} answers
 * @param {string} digits
 */
function report(survey, answers, digits) {
  const tape = new Tape(fromHex(digits));
  const made = randomize(survey, answers, null, tape.read);
  tape.assertAllRead();
  checkReport(made, survey);
  return new TextDecoder().decode(made.toBytes());
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await replay(JSON.parse(line)))}\n`);
}
