/**
 * For tests of apps only: nothing is sent, time is fixed, draws repeat.
 *
 * The entry that apps ship with has no way in here: it takes its random bytes
 * from the system and nowhere else.
 */

import { digest as digestOf } from "./canonical.js";
import { Client } from "./client/client.js";
import { CollectorRefused } from "./client/errors.js";
import { readOptions } from "./client/options.js";
import { Records } from "./client/records.js";
import { memoryStore } from "./client/storage/memory.js";
import { systemBytes } from "./randomness.js";

/** @import { ReadBytes } from "./randomness.js" */
/** @import { Clock, Options } from "./client/options.js" */
/** @import { Outcome, Transport } from "./client/transport.js" */

export { memoryStore };

/**
 * A client in memory, its randomness replaced where it is given; without caps,
 * unless they are given.
 *
 * @param {Options & { readBytes?: ReadBytes }} options
 */
export async function openTestClient({ readBytes = systemBytes, ...options }) {
  const checked = readOptions({ epsilonCap: null, yearlyCap: null, ...options });
  const store = checked.storage ?? memoryStore();
  return new Client(checked, new Records(store, checked.clock, readBytes), readBytes);
}

/**
 * A transport that sends nothing and keeps what it was given in `sent`.
 *
 * @param {object} script
 * @param {readonly Uint8Array<ArrayBuffer>[]} [script.surveys] published bytes, found by slug or
 *   digest.
 * @param {(body: Uint8Array, count: number) => Outcome} [script.answer] what
 *   the collector says to the report of this number, counted from 1; that it
 *   is stored if left out. Throw for no answer.
 */
export function recordingTransport({ surveys = [], answer = stored }) {
  /** @type {Uint8Array[]} */
  const sent = [];
  /** @type {Transport} */
  const transport = {
    async getSurvey(slug, digest) {
      for (const bytes of surveys) {
        const { slug: name } = JSON.parse(new TextDecoder().decode(bytes));
        if (digest === null ? name === slug : (await digestOf(bytes)) === digest) return bytes;
      }
      throw new CollectorRefused(404, "the collector answered 404: no such survey");
    },
    async send(body) {
      sent.push(body.slice());
      return answer(body, sent.length);
    },
  };
  return { ...transport, sent };
}

/**
 * The answer of a collector that stores every report.
 *
 * @param {Uint8Array} body
 * @returns {Outcome}
 */
export function stored(body) {
  return { status: 201, report: JSON.parse(new TextDecoder().decode(body)).report };
}

/**
 * A clock that moves only when a test moves it.
 *
 * @implements {Clock}
 */
export class ManualClock {
  /** @type {Set<{ at: number, work: () => void }>} */
  #timers = new Set();
  #now;

  /** @param {number} [now] milliseconds since 1970. */
  constructor(now = 0) {
    this.#now = now;
  }

  now = () => this.#now;

  /**
   * @param {number} wait
   * @param {() => void} work
   */
  after = (wait, work) => {
    const timer = { at: this.#now + wait, work };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  /** How long until the next timer, in milliseconds; null if there is none. */
  get untilNext() {
    const waits = Array.from(this.#timers, ({ at }) => at - this.#now);
    return waits.length > 0 ? Math.min(...waits) : null;
  }

  /**
   * Move on, and do what is due.
   *
   * @param {number} wait in milliseconds.
   */
  advance(wait) {
    this.#now += wait;
    for (const timer of [...this.#timers]) {
      if (timer.at <= this.#now && this.#timers.delete(timer)) timer.work();
    }
  }

  /**
   * Show another time, as if a person had set the clock; timers do not notice.
   *
   * @param {number} now
   */
  set(now) {
    const moved = now - this.#now;
    this.#now = now;
    for (const timer of this.#timers) timer.at += moved;
  }
}

/**
 * A source of fixed bytes, returned in order, once.
 *
 * @param {Uint8Array} bytes
 * @returns {ReadBytes}
 */
export function tape(bytes) {
  let position = 0;
  return (count) => {
    if (position + count > bytes.length) {
      throw new RangeError(
        `asked for ${count} bytes at position ${position}; the tape holds ${bytes.length}: ` +
          "give it more, or draw less",
      );
    }
    position += count;
    return bytes.slice(position - count, position);
  };
}
