/** The SDK's records in the system's key-value storage, which outlives the web view's own. */

/** @import { Store } from "deniable/client" */
/** @import { Preferences } from "./preferences.js" */

const PREFIX = "deniable ";

/**
 * A store whose records stand among an app's preferences.
 *
 * @param {Preferences} preferences
 * @returns {Store}
 */
export function preferencesStore(preferences) {
  /** @type {Promise<any>} */
  let last = Promise.resolve();
  /**
   * One change at a time: nothing may come between a look and a write.
   *
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  const inTurn = (work) => (last = last.then(work, work));
  const put = (/** @type {{ key: string }} */ record, /** @type {boolean} */ isThere) =>
    inTurn(async () => {
      const key = PREFIX + record.key;
      const { value } = await preferences.get({ key });
      if ((value !== null) !== isThere) return false;
      await preferences.set({ key, value: JSON.stringify(record) });
      return true;
    });
  const ours = async () => {
    const { keys } = await preferences.keys();
    return keys.filter((key) => key.startsWith(PREFIX));
  };
  return {
    isDurable: true,
    all: () =>
      inTurn(async () => {
        const kept = await Promise.all((await ours()).map((key) => preferences.get({ key })));
        return kept.flatMap(({ value }) => (value === null ? [] : JSON.parse(value)));
      }),
    add: (record) => put(record, false),
    replace: (record) => put(record, true),
    clear: () =>
      inTurn(async () => {
        await Promise.all((await ours()).map((key) => preferences.remove({ key })));
      }),
    close: async () => {},
  };
}
