/** What a device keeps, whichever store it is in. */

import { encode } from "../canonical.js";
import { StorageUnavailable } from "./errors.js";
import { lockOf } from "./locks.js";

/** @import { ReadBytes } from "../randomness.js" */
/** @import { Clock } from "./options.js" */
/** @import { Drawn, Entry, Invitation } from "./entry.js" */
/** @import { Lock, Store } from "./storage/contract.js" */

const POLL_MS = 100;
const POLLS = 50;

/** The answered surveys in a store; its failures become StorageUnavailable. */
export class Records {
  #store;
  #clock;
  /** @type {Lock} */
  #lock;

  /**
   * @param {Store} store
   * @param {Clock} clock
   * @param {ReadBytes} readBytes
   */
  constructor(store, clock, readBytes) {
    this.#store = store;
    this.#clock = clock;
    this.#lock = lockOf(store, clock, readBytes);
  }

  get isDurable() {
    return this.#store.isDurable;
  }

  /**
   * All of them, the first one first.
   *
   * @returns {Promise<Entry[]>}
   */
  async entries() {
    const records = await this.#all();
    const entries = records.flatMap((record) => ("report" in record ? record : []));
    return entries.sort((one, other) => one.order - other.order);
  }

  /**
   * What this device has of a survey: the blocks that were drawn, or its
   * invitation; null if there is none.
   *
   * @param {string} digest
   * @param {"blocks" | "invitation"} name
   */
  async keptOf(digest, name) {
    const records = await this.#all();
    const found = records.map(Object).find((record) => name in record && record.survey === digest);
    return found?.[name] ?? null;
  }

  /** @param {Entry | Drawn | Invitation} record */
  add(record) {
    return told(this.#store.add(summed(record)));
  }

  /** @param {Entry | Invitation} record */
  replace(record) {
    return told(this.#store.replace(summed(record)));
  }

  clear() {
    return told(this.#store.clear());
  }

  close() {
    return told(this.#store.close());
  }

  /** Every record, unless one is not as it was kept: nothing is guessed then. */
  async #all() {
    const records = await told(this.#store.all());
    for (const record of records) {
      // Those of earlier versions and of locks have none.
      if ("sum" in record && record.sum !== summed(record).sum) {
        throw new StorageUnavailable("a kept record has changed; restore it, or opt out");
      }
    }
    return records;
  }

  /**
   * What work gives that one client of the store does at a time.
   *
   * @template T
   * @param {string} name
   * @param {() => Promise<T>} work
   * @returns {Promise<T | undefined>} undefined, and nothing done, if another
   *   one takes too long.
   */
  async alone(name, work) {
    /** @type {Promise<T> | undefined} */
    let working;
    const run = async () => {
      working = work();
      // The caller gets the error, not the lock.
      await working.catch(() => {});
    };
    for (let poll = 0; poll < POLLS; poll += 1) {
      if (await told(this.#lock(name, run))) return /** @type {Promise<T>} */ (working);
      await new Promise((resolve) => this.#clock.after(POLL_MS, () => resolve(null), true));
    }
    return undefined;
  }
}

/**
 * The record with a check sum (FNV-1a) of all but when and why the last try failed.
 *
 * Each step is one to one, so any change of a single byte changes the sum.
 *
 * @template {Entry | Drawn | Invitation} T
 * @param {T} record
 * @returns {T}
 */
function summed(record) {
  const kept = { ...record, status: 0, reason: 0, nextTry: 0, sum: 0 };
  const sum = encode(kept).reduce((sum, byte) => Math.imul(sum ^ byte, 16777619));
  return { ...record, sum };
}

/**
 * @template T
 * @param {Promise<T>} asked
 * @returns {Promise<T>}
 */
async function told(asked) {
  try {
    return await asked;
  } catch (error) {
    // Its message may say anything, so only its name is passed on.
    const { name } = Object(error);
    throw new StorageUnavailable(
      `the device's storage failed (${name}); make room, or allow this page to store data`,
    );
  }
}
