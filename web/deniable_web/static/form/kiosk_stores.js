/** Where a shared device keeps the records of one person, and reports that wait to be sent. */

/** @import { Lock, Store, Stored } from "../sdk/client/storage/contract.js" */

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
    lock: lockOf(PERSON),
    all: async () => all(),
    add: async (record) => put(record, false),
    replace: async (record) => put(record, true),
    clear: async () => sessionStorage.removeItem(PERSON),
    close: async () => {},
  };
}

/**
 * Reports that wait to be sent, of any number of people. What was sent or refused is removed.
 *
 * @returns {Store}
 */
export function unsentStore() {
  return {
    isDurable: true,
    lock: lockOf(UNSENT),
    all: () => inDatabase("readonly", (records) => records.getAll()),
    add: (record) => put(record, false),
    replace: (record) => put(record, true),
    async clear() {
      await inDatabase("readwrite", (records) => records.clear());
    },
    close: async () => {},
  };
}

/**
 * @param {Stored} record
 * @param {boolean} isThere
 */
async function put(record, isThere) {
  const found = await inDatabase("readwrite", (records) => {
    const request = records.getKey(record.key);
    request.onsuccess = () => {
      if ((request.result !== undefined) !== isThere) return;
      if ("state" in record && record.state !== "waiting") records.delete(record.key);
      else records.put(record);
    };
    return request;
  });
  return (found !== undefined) === isThere;
}

/**
 * The result of a request, once its transaction is on disk.
 *
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(records: IDBObjectStore) => IDBRequest<T>} ask
 * @returns {Promise<T>}
 */
async function inDatabase(mode, ask) {
  const database = await opened();
  const transaction = database.transaction(UNSENT, mode, { durability: "strict" });
  return new Promise((resolve, reject) => {
    const request = ask(transaction.objectStore(UNSENT));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error ?? request.error);
    // It is closed only once the transaction has ended.
    database.close();
  });
}

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(UNSENT, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(UNSENT, { keyPath: "key" });
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => resolve(request.result);
  });
}

/**
 * @param {string} store
 * @returns {Lock}
 */
function lockOf(store) {
  return (name, work) =>
    navigator.locks.request(`${store} ${name}`, { ifAvailable: true }, async (held) => {
      if (held) await work();
      return held !== null;
    });
}
