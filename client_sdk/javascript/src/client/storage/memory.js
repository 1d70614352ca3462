/** Records in memory: what is left where a browser keeps nothing. */

/** @import { Store, Stored } from "./contract.js" */

/**
 * A store that forgets everything when the page or the process ends.
 *
 * @returns {Store}
 */
export function memoryStore() {
  /** @type {Map<string, string>} texts, so that nobody holds a record itself. */
  const records = new Map();
  const put = (/** @type {Stored} */ record, /** @type {boolean} */ isThere) => {
    if (records.has(record.key) !== isThere) return false;
    records.set(record.key, JSON.stringify(record));
    return true;
  };
  return {
    isDurable: false,
    all: async () => Array.from(records.values(), (text) => JSON.parse(text)),
    add: async (record) => put(record, false),
    replace: async (record) => put(record, true),
    clear: async () => records.clear(),
    close: async () => {},
  };
}
