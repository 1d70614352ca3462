/** One pass over the queue: every report that is due is tried once. */

import { postponed, waitOf } from "./retry.js";

/** @import { Entry } from "./entry.js" */
/** @import { Records } from "./records.js" */
/** @import { Submitting } from "./submitting.js" */
/** @import { Outcome } from "./transport.js" */

/**
 * An event of the debug log: never an answer, nor a report's values.
 *
 * @typedef {object} LogEvent
 * @property {"held" | "waiting" | "sent" | "refused" | "declined" | "postponed" | "dropped" | "failed"} event
 * @property {string} [report] the report's id.
 * @property {number} [status] what the collector answered; 0 for nothing.
 * @property {string} [error] the name of what went wrong.
 */

/** @typedef {Submitting & { signal: AbortSignal }} Parts what sending works with. */

const SECOND_MS = 1_000;
const UNAVAILABLE = 503;
// A timeout, too early, too many.
const TOO_EARLY = 425;
const PASSING = [408, TOO_EARLY, 429];
const LONGEST_REASON = 300;

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
 * Try what is due, and count what was sent and refused.
 *
 * One is sent at a time: several in one request would show that one device
 * made them. The queue is read again for each, as other tabs add to it.
 *
 * @param {Parts} parts
 * @param {boolean} isUrgent whether to try those that wait by our own choice.
 * @param {{ sent: number, refused: number }} counts
 */
export async function sendDue(parts, isUrgent, counts) {
  const { collector, records, clock, log, signal } = parts;
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
    const outcome = await answerTo(parts, next);
    const entry = settled(parts, next, outcome);
    const { report, state, status, nextTry, isAsked } = entry;
    const waits = state === "waiting";
    // Who ends a try has not failed at it.
    if (waits && signal.aborted) break;
    // No answer, or too busy: the others would not be accepted now either, and wait as long.
    // If a survey is not open yet, the others do not wait.
    const isOver = waits && ((outcome.status < 500 && outcome.status !== TOO_EARLY) || outcome.status === UNAVAILABLE);
    const others = isOver ? rest.map((other) => ({ ...other, nextTry, isAsked })) : [];
    await keep(records, [entry, ...others]);
    log({ event: waits ? "postponed" : state, report, status });
    if (state === "sent") counts.sent += 1;
    if (state === "refused") counts.refused += 1;
    if (isOver) break;
  }
  return true;
}

/**
 * @param {Parts} parts
 * @param {Entry} before
 * @param {Outcome} outcome
 * @returns {Entry}
 */
function settled({ clock, readBytes }, before, outcome) {
  const { status, detail } = outcome;
  const state = verdictOf(outcome, before);
  // The collector's own reason, if it sent one.
  const reason = () => (detail ?? `the collector answered ${status}`).slice(0, LONGEST_REASON);
  const entry = { ...before, state, status, ...(state === "refused" && { reason: reason() }) };
  const now = clock.now();
  return state === "waiting" ? postponed(entry, now, askedWait(outcome, now), readBytes) : entry;
}

/**
 * Write what became of entries, unless they were wiped or settled meanwhile.
 *
 * @param {Records} records
 * @param {readonly Entry[]} changed
 */
function keep(records, changed) {
  return records.alone("ledger", async () => {
    const entries = await records.entries();
    for (const entry of changed) {
      const now = entries.find(({ report }) => report === entry.report);
      if (now?.state === "waiting") await records.replace(entry);
    }
  });
}

/**
 * @param {Parts} parts
 * @param {Entry} entry
 * @returns {Promise<Outcome>}
 */
async function answerTo({ transport, signal }, { body }) {
  try {
    return await transport.send(new TextEncoder().encode(body ?? ""), signal);
  } catch {
    return { status: 0 };
  }
}

/**
 * What becomes of the report: it is stored, never will be, or is tried again.
 *
 * An answer that does not name the report did not come from the collector.
 *
 * @param {Outcome} outcome
 * @param {Entry} entry
 * @returns {"sent" | "refused" | "waiting"}
 */
function verdictOf({ status, report }, entry) {
  if (status === 200 || status === 201) return report === entry.report ? "sent" : "waiting";
  const isFinal = status >= 400 && status < 500 && !PASSING.includes(status);
  return isFinal ? "refused" : "waiting";
}

/**
 * How many milliseconds the collector wants to be left alone; null for none.
 *
 * @param {Outcome} outcome
 * @param {number} now
 */
function askedWait({ retryAfter }, now) {
  if (!retryAfter) return null;
  const wait = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * SECOND_MS
    : Date.parse(retryAfter) - now;
  return wait >= 0 ? wait : null;
}
