/** When to try again: full jitter between 1 second and 1 hour. */

/** @import { ReadBytes } from "../randomness.js" */
/** @import { Entry } from "./entry.js" */

const FIRST_MS = 1_000;
const LONGEST_MS = 3_600_000;
export const LONGEST_ASKED_MS = 24 * LONGEST_MS;
// The longest wait for a survey to open, and for the spread after it.
const LONGEST_FIRST_MS = 32 * LONGEST_ASKED_MS;

/**
 * An entry as it is after a try that came to nothing.
 *
 * @param {Entry} entry
 * @param {number} now
 * @param {number | null} asked how long the collector wants to be left alone.
 * @param {ReadBytes} readBytes
 * @returns {Entry}
 */
export function postponed(entry, now, asked, readBytes) {
  const doubled = Math.min(FIRST_MS * 2 ** entry.tries, LONGEST_MS);
  // Those who were sent away together must not come back together.
  const most = asked === null ? doubled : Math.max(asked, FIRST_MS);
  const wait = Math.min((asked ?? 0) + partOf(most, readBytes), LONGEST_ASKED_MS);
  return { ...entry, tries: entry.tries + 1, nextTry: now + wait, isAsked: asked !== null };
}

/**
 * A random part of a time, above 0 and up to all of it.
 *
 * @param {number} most
 * @param {ReadBytes} readBytes
 */
export function partOf(most, readBytes) {
  return Math.ceil(most * readBytes(4).reduceRight((part, byte) => (part + byte) / 256, 1));
}

/**
 * How many milliseconds an entry still waits; at most 0 if it is due.
 *
 * A wait that is longer than any that we set means that the clock was set
 * back, and holds nothing up.
 *
 * @param {Entry} entry
 * @param {number} now
 */
export function waitOf({ nextTry, isAsked }, now) {
  const wait = nextTry - now;
  return wait > (isAsked ? LONGEST_FIRST_MS : LONGEST_MS) ? 0 : wait;
}
