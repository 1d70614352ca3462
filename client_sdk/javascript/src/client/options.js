/** What an app opens a client with, checked before anything is opened. */

import { kind } from "../canonical.js";
import { refuseUnknownKeys } from "../errors.js";
import { readCap } from "../weights.js";
import { ConsentRequired } from "./errors.js";
import { fetchTransport, readAddress } from "./transport.js";

/** @import { Fraction } from "../weights.js" */
/** @import { LogEvent } from "./sending.js" */
/** @import { Store } from "./storage/contract.js" */
/** @import { Transport } from "./transport.js" */

/**
 * The options of a client.
 *
 * @typedef {object} Options
 * @property {string} collector the collector's address, like
 *   https://example.org.
 * @property {true} consent whether the person has agreed: literally true.
 * @property {Store} [storage] IndexedDB if left out, or memory where there is
 *   none.
 * @property {Transport} [transport] fetch if left out.
 * @property {Clock} [clock] the system's if left out.
 * @property {string | number | null} [epsilonCap] the most that one survey may
 *   spend, a panel in all its waves: 4 if left out, null for no cap.
 * @property {string | number | null} [yearlyCap] the most that all surveys of
 *   365 days may spend together: 8 if left out, null for no cap.
 * @property {boolean} [sendsAtOnce] whether reports with a token are sent at once too,
 *   for web pages, which are closed soon; they wait a random time if left out.
 * @property {(event: LogEvent) => void} [log] told what happens to reports, and
 *   never an answer.
 */

/**
 * The time as a client uses it, and its timers.
 *
 * @typedef {object} Clock
 * @property {() => number} now milliseconds since 1970.
 * @property {(wait: number, work: () => void, keepsAlive?: boolean) => () => void}
 *   after does the work once, later; what it returns takes that back. In Node
 *   a timer holds the program up only if it `keepsAlive`.
 */

/** @typedef {{ epsilonCap: Fraction | null, yearlyCap: Fraction | null }} Caps */

/**
 * The options with what was left out; the log cannot throw.
 *
 * @typedef {Pick<Options, "storage"> & Required<Omit<Options, "consent" | "storage" | keyof Caps>> & Caps} CheckedOptions
 */

/** @type {Clock} */
const systemClock = {
  now: () => Date.now(),
  after(wait, work, keepsAlive = false) {
    const timer = /** @type {any} */ (setTimeout(work, wait));
    if (!keepsAlive) timer.unref?.();
    return () => clearTimeout(timer);
  },
};

/**
 * The options, with what was left out.
 *
 * @param {Options} options
 * @returns {CheckedOptions}
 * @throws {ConsentRequired} consent is anything but true.
 * @throws {InvalidAddress}
 * @throws {RangeError} a cap is not from 0.01 to 10.
 */
export function readOptions(options) {
  const { consent, collector, storage, transport, clock, log, ...more } = options;
  const { epsilonCap = 4, yearlyCap = 8, sendsAtOnce = false, ...unknown } = more;
  refuseUnknownKeys(
    unknown,
    "collector, consent, storage, transport, clock, epsilonCap, yearlyCap, sendsAtOnce, log",
  );
  if (consent !== true) {
    throw new ConsentRequired(`consent: got ${kind(consent)}; allowed is true`);
  }
  const address = readAddress(collector);
  return {
    collector: address,
    storage,
    transport: transport ?? fetchTransport(address),
    clock: clock ?? systemClock,
    epsilonCap: readCap(epsilonCap),
    yearlyCap: readCap(yearlyCap),
    sendsAtOnce,
    log(event) {
      try {
        log?.(event);
      } catch {
        // A log that fails is not a reason to lose a report.
      }
    },
  };
}
