/** Where a shared device keeps the records of one person, and reports that wait to be sent. */
import { IndexedDBStore, webLock } from "../sdk/client/storage/indexeddb.js";

/** @import { Store, Stored } from "../sdk/client/storage/contract.js" */

const PERSON = "deniable person";
const UNSENT = "deniable unsent";

/**
 * The records of one person. They survive a reload of the page, and end with its tab.
 *
 * @returns {Store}
 */
export function personStore() {
  const all = () => /** @type {Stored[]} */ (JSON.parse(sessionStorage.getItem(PERSON) ?? "[]"));
  const put = (/** @type {Stored} */ record, /** @type {boolean} */ isThere) => {
    const others = all().filter(({ key }) => key !== record.key);
    if (others.length < all().length !== isThere) return false;
    sessionStorage.setItem(PERSON, JSON.stringify([...others, record]));
    return true;
  };
  return {
    // A report that waits to be sent is kept elsewhere, before this store is cleared.
    isDurable: true,
    lock: webLock(PERSON),
    all: async () => all(),
    add: async (record) => put(record, false),
    replace: async (record) => put(record, true),
    clear: async () => sessionStorage.removeItem(PERSON),
    close: async () => {},
  };
}

/** Reports that wait to be sent, of any number of people. What was sent or refused is removed. */
export class UnsentStore extends IndexedDBStore {
  constructor() {
    super(UNSENT, UNSENT);
  }

  /**
   * @override
   * @param {IDBObjectStore} records
   * @param {Stored} record
   */
  put(records, record) {
    if ("state" in record && record.state !== "waiting") records.delete(record.key);
    else super.put(records, record);
  }
}
