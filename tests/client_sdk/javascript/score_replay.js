/**
 * What JavaScript makes of surveys with scores: a line of JSON in, one out.
 *
 * In: {survey, answers: [...]}. Out: {error} for a survey that is refused, else
 * {scores: [...]}, each the scores of one set of answers, or "refused".
 */

import { createInterface } from "node:readline";

import { openSurvey } from "../../../client_sdk/javascript/src/index.js";
import { computeScores } from "../../../client_sdk/javascript/src/scores.js";

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });

/** @param {() => unknown} work */
function result(work) {
  try {
    return work();
  } catch (error) {
    return error instanceof Error && error.name === "InvalidAnswer" ? "refused" : String(error);
  }
}

for await (const line of lines) {
  const { survey, answers } = JSON.parse(line);
  try {
    const opened = await openSurvey(new TextEncoder().encode(survey));
    const scores = answers.map((/** @type {any} */ given) =>
      result(() => Object.fromEntries(computeScores(opened, given))),
    );
    console.log(JSON.stringify({ scores }));
  } catch (error) {
    console.log(JSON.stringify({ error: error instanceof Error ? error.name : "?" }));
  }
}
