/** When to try again: full jitter between 1 second and 1 hour. */

/** @import { ReadBytes } from "../randomness.js" */
/** @import { Entry } from "./entry.js" */

const FIRST_MS = 1_000;
const LONGEST_MS = 3_600_000;
const LONGEST_ASKED_MS = 24 * LONGEST_MS;
const RANGE = 2 ** 32;

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
  const drawn = new DataView(readBytes(4).slice().buffer).getUint32(0);
  const wait = Math.min((asked ?? 0) + Math.ceil((most * drawn) / RANGE), LONGEST_ASKED_MS);
  const tries = entry.tries + 1;
  return { ...entry, tries, nextTry: now + wait, isAsked: asked !== null };
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
  return wait > (isAsked ? LONGEST_ASKED_MS : LONGEST_MS) ? 0 : wait;
}
