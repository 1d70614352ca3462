/** Records in the browser's IndexedDB, shared by all tabs of an origin. */

/** @import { Lock, Store, Stored } from "./contract.js" */

const NAME = "deniable";
const RECORDS = "records";

/**
 * A store in this origin's IndexedDB.
 *
 * @returns {Promise<Store>}
 * @throws whatever the browser says where it keeps nothing, as in some private
 *   windows.
 */
export async function indexedDBStore() {
  const store = new IndexedDBStore();
  await store.all();
  return store;
}

/** @implements {Store} */
class IndexedDBStore {
  isDurable = true;
  /** @type {Lock | undefined} */
  lock = globalThis.navigator?.locks && lock;
  /** @type {IDBDatabase | null} */
  #database = null;

  /** @returns {Promise<Stored[]>} */
  async all() {
    return this.#run("readonly", (records) => records.getAll());
  }

  /** @param {Stored} record */
  async add(record) {
    try {
      await this.#run("readwrite", (records) => records.add(record));
      return true;
    } catch (error) {
      if (Object(error).name === "ConstraintError") return false;
      throw error;
    }
  }

  /** @param {Stored} record */
  async replace(record) {
    const found = await this.#run("readwrite", (records) => {
      const request = records.count(record.key);
      request.onsuccess = () => {
        if (request.result) records.put(record);
      };
      return request;
    });
    return found > 0;
  }

  async clear() {
    await this.#run("readwrite", (records) => records.clear());
    await this.close();
    // Not even that there was a database stays behind. Where another tab holds
    // it open, it is empty, and goes later.
    const request = indexedDB.deleteDatabase(NAME);
    await new Promise((resolve) => {
      request.onsuccess = request.onerror = request.onblocked = resolve;
    });
  }

  async close() {
    this.#database?.close();
    this.#database = null;
  }

  /**
   * What a request gives, once its transaction is on disk.
   *
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(records: IDBObjectStore) => IDBRequest<T>} ask
   * @returns {Promise<T>}
   */
  async #run(mode, ask) {
    const transaction = await this.#begin(mode);
    return new Promise((resolve, reject) => {
      const request = ask(transaction.objectStore(RECORDS));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? request.error);
    });
  }

  /** @param {IDBTransactionMode} mode */
  async #begin(mode) {
    const begin = async () => {
      this.#database ??= await this.#open();
      return this.#database.transaction(RECORDS, mode, { durability: "strict" });
    };
    return begin().catch(() => {
      // The browser closed it meanwhile, or another tab deleted it.
      this.#database = null;
      return begin();
    });
  }

  /** @returns {Promise<IDBDatabase>} */
  #open() {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(RECORDS, { keyPath: "key" });
      };
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const database = request.result;
        database.onversionchange = () => database.close();
        resolve(database);
      };
    });
  }
}

/** @type {Lock} */
async function lock(name, work) {
  return navigator.locks.request(`deniable ${name}`, { ifAvailable: true }, async (held) => {
    if (held) await work();
    return held !== null;
  });
}
