/** One at a time, also across tabs and processes that share a store. */

import { hex } from "../canonical.js";

/** @import { ReadBytes } from "../randomness.js" */
/** @import { Clock } from "./options.js" */
/** @import { Lease, Lock, Store } from "./storage/contract.js" */

const LEASE_MS = 3_000;
const HOLDER_BYTES = 8;

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
export function lockOf(store, clock, readBytes) {
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
