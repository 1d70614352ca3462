/** Time, as tests can replace it. */

/**
 * The time as a client uses it, and its timers.
 *
 * @typedef {object} Clock
 * @property {() => number} now milliseconds since 1970.
 * @property {(wait: number, work: () => void, keepsAlive?: boolean) => () => void}
 *   after does the work once, later; what it returns takes that back. In Node
 *   a timer holds the program up only if it `keepsAlive`.
 */

/** @type {Clock} */
export const systemClock = {
  now: () => Date.now(),
  after(wait, work, keepsAlive = false) {
    const timer = /** @type {any} */ (setTimeout(work, wait));
    if (!keepsAlive) timer.unref?.();
    return () => clearTimeout(timer);
  },
};
