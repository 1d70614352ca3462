/** One pass over the queue: every report that is due is tried once. */

import { postponed, waitOf } from "./retry.js";
import { askedWait, concernsAll, reasonOf, verdictOf } from "./verdict.js";

/** @import { ReadBytes } from "../randomness.js" */
/** @import { Clock } from "./clock.js" */
/** @import { Entry } from "./entry.js" */
/** @import { Records } from "./records.js" */
/** @import { Outcome, Transport } from "./transport.js" */

/**
 * What a debug log is told: never an answer, nor what a report says.
 *
 * @typedef {object} LogEvent
 * @property {"held" | "waiting" | "sent" | "refused" | "declined" | "postponed" | "dropped" | "failed"} event
 * @property {string} [report] the report's id.
 * @property {number} [status] what the collector answered; 0 for nothing.
 * @property {string} [error] the name of what went wrong.
 */

/**
 * What sending works with.
 *
 * @typedef {object} Parts
 * @property {string} collector
 * @property {Records} records
 * @property {Transport} transport
 * @property {Clock} clock
 * @property {ReadBytes} readBytes
 * @property {(event: LogEvent) => void} log
 * @property {AbortSignal} signal
 */

/**
 * The reports that wait for this collector.
 *
 * @param {readonly Entry[]} entries
 * @param {string} collector
 */
export function waitingFor(entries, collector) {
  return entries.filter((entry) => entry.state === "waiting" && entry.collector === collector);
}

/**
 * How many reports were sent and refused.
 *
 * One is sent at a time: several in one request would show that one device
 * made them. The queue is read again for each, as other tabs add to it.
 *
 * @param {Parts} parts
 * @param {boolean} isUrgent whether to try those that wait by our own choice.
 */
export async function sendDue(parts, isUrgent) {
  const { collector, records, clock, signal } = parts;
  const counts = { sent: 0, refused: 0 };
  const tried = new Set();
  const isDue = (/** @type {Entry} */ entry) =>
    !tried.has(entry.report) &&
    ((isUrgent && !entry.isAsked) || waitOf(entry, clock.now()) <= 0);
  while (!signal.aborted) {
    const due = waitingFor(await records.entries(), collector).filter(isDue);
    // One that nothing gets through for must not hold up the others.
    due.sort((one, other) => one.tries - other.tries);
    const [next, ...rest] = due;
    if (next === undefined) break;
    tried.add(next.report);
    const { outcome, entry } = await sendOne(parts, next);
    if (entry.state === "sent") counts.sent += 1;
    if (entry.state === "refused") counts.refused += 1;
    if (entry.state === "waiting" && concernsAll(outcome)) {
      // Nor would they be taken now; they wait as long as this one.
      const { nextTry, isAsked } = entry;
      for (const other of rest) await records.replace({ ...other, nextTry, isAsked });
      break;
    }
  }
  return counts;
}

/**
 * @param {Parts} parts
 * @param {Entry} before
 */
async function sendOne({ records, transport, clock, readBytes, log, signal }, before) {
  const body = new TextEncoder().encode(before.body ?? "");
  const outcome = await answerTo(transport, body, signal);
  const { status } = outcome;
  const state = verdictOf(outcome, before);
  const reason = state === "refused" ? reasonOf(outcome) : "";
  const settled = { ...before, state, status, reason };
  // Who ends a try has not failed at it.
  if (state === "waiting" && signal.aborted) return { outcome, entry: before };
  const now = clock.now();
  const entry =
    state === "waiting" ? postponed(settled, now, askedWait(outcome, now), readBytes) : settled;
  await records.replace(entry);
  log({ event: state === "waiting" ? "postponed" : state, report: entry.report, status });
  return { outcome, entry };
}

/**
 * @param {Transport} transport
 * @param {Uint8Array<ArrayBuffer>} body
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome>}
 */
async function answerTo(transport, body, signal) {
  try {
    return await transport.send(body, signal);
  } catch {
    return { status: 0 };
  }
}
