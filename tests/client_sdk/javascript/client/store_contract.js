/** What every store must do, as tests that are run on each of them, also in a browser. */

/** @import { Store } from "../../../../client_sdk/javascript/src/client.js" */

/** @typedef {Parameters<Store["add"]>[0]} Stored */

/**
 * A record of this key, different for each number.
 *
 * @param {string} key
 * @param {number} number
 * @returns {Stored}
 */
export function record(key, number) {
  return { key, holder: "a test", until: number };
}

/**
 * Fail unless two JSON values are alike.
 *
 * @param {unknown} got
 * @param {unknown} wanted
 */
function expectAlike(got, wanted) {
  const [one, other] = [got, wanted].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`got ${one}; wanted is ${other}`);
}

/**
 * Each promise of the contract, as an action on an empty store.
 *
 * @type {{ readonly [promise: string]: (store: Store) => Promise<void> }}
 */
export const PROMISES = {
  "a new store is empty": async (store) => {
    expectAlike(await store.all(), []);
  },
  "a record is kept as it was given": async (store) => {
    expectAlike(await store.add(record("a", 1)), true);
    expectAlike(await store.add(record("b ü/\\", 2)), true);
    const kept = (await store.all()).sort((one, other) => (one.key < other.key ? -1 : 1));
    expectAlike(kept, [record("a", 1), record("b ü/\\", 2)]);
  },
  "a key that is taken is told, and its record stays": async (store) => {
    await store.add(record("a", 1));
    expectAlike(await store.add(record("a", 2)), false);
    expectAlike(await store.all(), [record("a", 1)]);
  },
  "of many that add the same key at once, one does": async (store) => {
    const added = await Promise.all([1, 2, 3, 4, 5].map((n) => store.add(record("a", n))));
    expectAlike(added.filter(Boolean).length, 1);
    expectAlike(await store.all(), [record("a", added.indexOf(true) + 1)]);
  },
  "a record is replaced": async (store) => {
    await store.add(record("a", 1));
    expectAlike(await store.replace(record("a", 2)), true);
    expectAlike(await store.all(), [record("a", 2)]);
  },
  "what is not there is not replaced": async (store) => {
    expectAlike(await store.replace(record("a", 1)), false);
    expectAlike(await store.all(), []);
  },
  "what was given or got can be changed without changing the store": async (store) => {
    const given = { key: "a", holder: "a test", until: 1 };
    await store.add(given);
    given.until = 2;
    const [got] = await store.all();
    Object.assign(got ?? {}, { until: 3 });
    expectAlike(await store.all(), [record("a", 1)]);
  },
  "clearing forgets everything, and the store goes on": async (store) => {
    await store.add(record("a", 1));
    await store.clear();
    expectAlike(await store.all(), []);
    expectAlike(await store.add(record("a", 2)), true);
    expectAlike(await store.all(), [record("a", 2)]);
  },
};
