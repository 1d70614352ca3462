/** What a collector's answer means for the report that was sent. */

/** @import { Entry } from "./entry.js" */
/** @import { Outcome } from "./transport.js" */

const SECOND_MS = 1_000;
const UNAVAILABLE = 503;
// A timeout, too early, too many.
const PASSING = [408, 425, 429];
const LONGEST_REASON = 300;

/**
 * What becomes of the report: it is stored, never will be, or is tried again.
 *
 * An answer that does not name the report did not come from the collector.
 *
 * @param {Outcome} outcome
 * @param {Entry} entry
 * @returns {"sent" | "refused" | "waiting"}
 */
export function verdictOf({ status, report }, entry) {
  if (status === 200 || status === 201) return report === entry.report ? "sent" : "waiting";
  const isFinal = status >= 400 && status < 500 && !PASSING.includes(status);
  return isFinal ? "refused" : "waiting";
}

/**
 * Whether other reports would fare no better than one that is tried again: no
 * answer, or too busy. That a survey is not open yet concerns no other one.
 *
 * @param {Outcome} outcome
 */
export function concernsAll({ status }) {
  return (status < 500 && status !== 425) || status === UNAVAILABLE;
}

/**
 * How many milliseconds the collector wants to be left alone; null for none.
 *
 * @param {Outcome} outcome
 * @param {number} now
 */
export function askedWait({ retryAfter }, now) {
  if (!retryAfter) return null;
  const wait = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * SECOND_MS
    : Date.parse(retryAfter) - now;
  return wait >= 0 ? wait : null;
}

/**
 * Why a report was refused, in the collector's words where it has some.
 *
 * @param {Outcome} outcome
 */
export function reasonOf({ status, detail }) {
  return (detail ?? `the collector answered ${status}`).slice(0, LONGEST_REASON);
}
