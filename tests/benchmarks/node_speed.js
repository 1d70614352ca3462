/**
 * Microseconds per report in Node, and how many times the floor that is: a
 * loop that only reads as many random bytes, draw by draw (a) or all in one
 * call (b), and compares integers. Reads one survey per line, as JSON.
 */
import { createInterface } from "node:readline";
import { openSurvey, randomize } from "../../client_sdk/javascript/src/index.js";
import "../../client_sdk/javascript/src/scores.js";

const RUNS = 60;
const ID_BYTES = 16;
const DRAW_BYTES = 6;

/** @param {number[]} values */
function median(values) {
  return [...values].sort((left, right) => left - right)[values.length >> 1] ?? 0;
}

/**
 * The microseconds of one call of each action, in runs that take turns.
 *
 * @param {(() => unknown)[]} actions
 * @param {number} calls
 */
function interleaved(actions, calls) {
  /** @type {number[][]} */
  const times = actions.map(() => []);
  for (let run = 0; run < RUNS; run += 1) {
    actions.forEach((action, place) => {
      const begin = performance.now();
      for (let call = 0; call < calls; call += 1) action();
      times[place]?.push(((performance.now() - begin) * 1000) / calls);
    });
  }
  return times;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} from
 */
function integer(bytes, from) {
  let value = 0;
  for (let place = from; place < from + DRAW_BYTES; place += 1) value = value * 256 + (bytes[place] ?? 0);
  return value;
}

/** @param {number} draws */
function floor(draws) {
  return () => {
    crypto.getRandomValues(new Uint8Array(ID_BYTES));
    let least = Number.POSITIVE_INFINITY;
    for (let draw = 0; draw < draws; draw += 1) {
      const value = integer(crypto.getRandomValues(new Uint8Array(DRAW_BYTES)), 0);
      if (value < least) least = value;
    }
    return least;
  };
}

/** @param {number} draws */
function strictFloor(draws) {
  return () => {
    const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES + DRAW_BYTES * draws));
    let least = Number.POSITIVE_INFINITY;
    for (let from = ID_BYTES; from < bytes.length; from += DRAW_BYTES) {
      const value = integer(bytes, from);
      if (value < least) least = value;
    }
    return least;
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { label, draws, answers, document } = JSON.parse(line);
  const survey = await openSurvey(Uint8Array.from(Buffer.from(document, "hex")));
  const report = () => randomize(survey, answers);
  const written = () => randomize(survey, answers).toBytes();
  const calls = Math.max(5, Math.floor(200 / draws));
  const actions = [report, written, floor(draws), strictFloor(draws)];
  interleaved(actions, calls); // so that all of it is compiled
  const [took = [], wrote = [], loose = [], strict = []] = interleaved(actions, calls);
  /** @param {number[]} floors */
  const ratio = (floors) => median(took.map((time, run) => time / (floors[run] ?? 1))).toFixed(1);
  console.log(
    `  ${label.padEnd(22)} ${median(took).toFixed(1).padStart(7)}` +
      ` ${median(wrote).toFixed(1).padStart(8)}   ${ratio(loose).padStart(5)}  ${ratio(strict).padStart(5)}`,
  );
}
