/**
 * Microseconds per report in Node, beside a floor that only reads the random
 * bytes draw by draw and compares. Reads one survey per line (hex), the
 * number of draws and a label; prints a line for each.
 */
import { createInterface } from "node:readline";
import { openSurvey, randomize } from "../../client_sdk/javascript/src/index.js";

const RUNS = 15;

/** @param {number[]} values */
function median(values) {
  return [...values].sort((left, right) => left - right)[values.length >> 1] ?? 0;
}

/**
 * @param {() => unknown} action
 * @param {number} calls
 */
function microseconds(action, calls) {
  const times = [];
  for (let run = 0; run < RUNS; run += 1) {
    const begin = performance.now();
    for (let call = 0; call < calls; call += 1) action();
    times.push(((performance.now() - begin) * 1000) / calls);
  }
  return median(times);
}

/** @param {number} draws */
function floor(draws) {
  const id = new Uint8Array(16);
  const bytes = new Uint8Array(6);
  return () => {
    crypto.getRandomValues(id);
    let least = Number.POSITIVE_INFINITY;
    for (let draw = 0; draw < draws; draw += 1) {
      crypto.getRandomValues(bytes);
      let value = 0;
      for (const byte of bytes) value = value * 256 + byte;
      if (value < least) least = value;
    }
    return least;
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { label, draws, document } = JSON.parse(line);
  const survey = await openSurvey(Uint8Array.from(Buffer.from(document, "hex")));
  const answers = Object.fromEntries(survey.questions.map((question) => [question.id, "o1"]));
  const calls = Math.max(50, Math.floor(20_000 / draws));
  const took = microseconds(() => randomize(survey, answers), calls);
  const least = microseconds(floor(draws), calls);
  console.log(
    `  ${label.padEnd(20)} ${took.toFixed(1).padStart(7)} ${least.toFixed(1).padStart(8)}` +
      `   ${(took / least).toFixed(1).padStart(5)}`,
  );
}
