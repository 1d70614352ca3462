/** Records in the browser's IndexedDB, shared by all tabs of an origin. */

/** @import { Lock, Store, Stored } from "./contract.js" */

/**
 * A store in this origin's IndexedDB.
 *
 * @returns {Promise<Store>}
 * @throws whatever the browser says where it keeps nothing, as in some private
 *   windows.
 */
export async function indexedDBStore() {
  const store = new IndexedDBStore("deniable", "records");
  await store.all();
  return store;
}

/** @implements {Store} */
export class IndexedDBStore {
  isDurable = true;
  /** @type {IDBDatabase | null} */
  #database = null;
  #name;
  #records;

  /**
   * @param {string} name of the database.
   * @param {string} records the name of what it holds them in.
   */
  constructor(name, records) {
    this.#name = name;
    this.#records = records;
    this.lock = webLock(name);
  }

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
        if (request.result) this.put(records, record);
      };
      return request;
    });
    return found > 0;
  }

  /**
   * Puts a record in the place of the one with its key.
   *
   * @param {IDBObjectStore} records
   * @param {Stored} record
   */
  put(records, record) {
    records.put(record);
  }

  async clear() {
    await this.#run("readwrite", (records) => records.clear());
    await this.close();
    // Not even that there was a database stays behind. Where another tab holds
    // it open, it is empty, and goes later.
    const request = indexedDB.deleteDatabase(this.#name);
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
      const request = ask(transaction.objectStore(this.#records));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? request.error);
    });
  }

  /** @param {IDBTransactionMode} mode */
  async #begin(mode) {
    const begin = async () => {
      this.#database ??= await this.#open();
      return this.#database.transaction(this.#records, mode, { durability: "strict" });
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
      const request = indexedDB.open(this.#name, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(this.#records, { keyPath: "key" });
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

/**
 * The browser's own locks, for all its tabs; undefined where it has none.
 *
 * @param {string} store
 * @returns {Lock | undefined}
 */
export function webLock(store) {
  const locks = globalThis.navigator?.locks;
  return locks && ((name, work) =>
    locks.request(`${store} ${name}`, { ifAvailable: true }, async (held) => {
      if (held) await work();
      return held !== null;
    }));
}
