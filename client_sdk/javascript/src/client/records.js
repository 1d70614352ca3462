/** What a device keeps, whichever store it is in, and one client at a time that changes it. */

import { encode, hex } from "../canonical.js";
import { StorageUnavailable } from "./errors.js";

/** @import { ReadBytes } from "../randomness.js" */
/** @import { Drawn, Entry, Invitation } from "./entry.js" */
/** @import { Clock } from "./options.js" */
/** @import { Lease, Lock, Store } from "./storage/contract.js" */

const POLL_MS = 100;
const POLLS = 50;
const LEASE_MS = 3_000;
const HOLDER_BYTES = 8;

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

/**
 * The lock of a store: its own, or one that is kept in it as a lease.
 *
 * A lease is renewed while the work lasts. If its holder ends or falls asleep,
 * it runs out; whoever wakes up then may do the same as another, which is no
 * harm: collectors tell reports apart by their id.
 *
 * @param {Store} store
 * @param {Clock} clock
 * @param {ReadBytes} readBytes
 * @returns {Lock}
 */
function lockOf(store, clock, readBytes) {
  if (store.lock) return store.lock.bind(store);
  const holder = hex(readBytes(HOLDER_BYTES));
  return async (name, work) => {
    const key = `lease ${name}`;
    const lease = () => ({ key, holder, until: clock.now() + LEASE_MS });
    if (!(await take(store, lease(), clock.now()))) return false;
    let stop = () => {};
    const renew = () => {
      stop = clock.after(LEASE_MS / 3, () => {
        store.replace(lease()).catch(() => {});
        renew();
      });
    };
    renew();
    try {
      await work();
    } finally {
      stop();
      await store.replace({ ...lease(), until: 0 });
    }
    return true;
  };
}

/**
 * @param {Store} store
 * @param {Lease} lease
 * @param {number} now
 */
async function take(store, lease, now) {
  if (await store.add(lease)) return true;
  const records = await store.all();
  const held = records.find(({ key }) => key === lease.key);
  const until = held && "until" in held ? held.until : 0;
  // One that seems to last longer than any was made before the clock was set back.
  const isHeld = until > now && until <= lease.until;
  return !isHeld && store.replace(lease);
}
