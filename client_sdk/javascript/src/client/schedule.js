/** When the queue is gone through: now, after a wait, when the network is back. */

import { sendDue, waitingFor } from "./sending.js";
import { waitOf } from "./retry.js";

/** @import { Parts } from "./sending.js" */

const SHORTEST_MS = 1_000;
// Timers cannot count more.
const LONGEST_MS = 2 ** 31 - 1;
const BUSY_MS = 5_000;
const FAILED_MS = 60_000;

/** Passes over the queue, one after the other, until it is ended. */
export class Schedule {
  #parts;
  #ending = new AbortController();
  /** Aborted when it is ended. */
  signal = this.#ending.signal;
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  #cancel = () => {};

  /** @param {Omit<Parts, "signal">} parts */
  constructor(parts) {
    const { signal } = this;
    this.#parts = { ...parts, signal };
    globalThis.addEventListener?.("online", () => this.flushSoon(true), { signal });
  }

  /**
   * How many reports were sent and refused by one pass, after those under way.
   *
   * @param {boolean} isUrgent whether to try those that wait by our own choice.
   */
  flush(isUrgent) {
    const pass = this.#last.then(() => this.#pass(isUrgent));
    this.#last = pass.catch(() => {});
    return pass;
  }

  /**
   * The same, without anybody waiting for it: a failure is only logged.
   *
   * @param {boolean} [isUrgent]
   */
  flushSoon(isUrgent = false) {
    this.flush(isUrgent).catch(({ name }) => this.#parts.log({ event: "failed", error: name }));
  }

  /** Stop, and wait for what is under way. */
  async end() {
    this.#ending.abort();
    this.#cancel();
    await this.#last;
  }

  /** @param {boolean} isUrgent */
  async #pass(isUrgent) {
    const parts = this.#parts;
    const counts = { sent: 0, refused: 0 };
    if (this.signal.aborted) return counts;
    this.#cancel();
    try {
      const work = () => sendDue(parts, isUrgent, counts);
      // Another tab that is at it sends what is here; it may end before it has.
      const least = (await parts.records.alone("flush", work)) ? SHORTEST_MS : BUSY_MS;
      const waiting = waitingFor(await parts.records.entries(), parts.collector);
      const waits = waiting.map((entry) => waitOf(entry, parts.clock.now()));
      if (waits.length > 0) this.#wake(Math.max(least, Math.min(LONGEST_MS, ...waits)));
      return counts;
    } catch (error) {
      // A storage that fails now may work again later.
      this.#wake(FAILED_MS);
      throw error;
    }
  }

  /** @param {number} wait */
  #wake(wait) {
    if (this.signal.aborted) return;
    this.#cancel = this.#parts.clock.after(wait, () => this.flushSoon());
  }
}
