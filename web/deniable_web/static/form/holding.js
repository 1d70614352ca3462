/**
 * A device's store in which a new report waits in memory until the respondent
 * has looked at it: nothing that was not sent on its way is kept.
 */

/** @import { Lock, Store, Stored } from "../sdk/client/storage/contract.js" */
/** @import { Entry } from "../sdk/client/entry.js" */

/** @implements {Store} */
export class HoldingStore {
  #store;
  /** @type {Entry | null} */
  #held = null;
  #isForAnother = false;

  /** @param {Store} store where reports are kept once they are released. */
  constructor(store) {
    this.#store = store;
    this.isDurable = store.isDurable;
    /** @type {Lock | undefined} */
    this.lock = store.lock;
  }

  all() {
    return this.#store.all();
  }

  /** @param {Stored} record */
  async add(record) {
    if (!("report" in record)) return this.#store.add(record);
    this.#held = record;
    return true;
  }

  /** @param {Stored} record */
  replace(record) {
    return this.#store.replace(record);
  }

  clear() {
    return this.#store.clear();
  }

  close() {
    return this.#store.close();
  }

  /**
   * Keep the report that is held, so that it is sent.
   *
   * @returns {Promise<boolean>} false, and nothing kept, if another tab has
   *   made one meanwhile.
   */
  async release() {
    const held = this.#held;
    this.#held = null;
    if (held === null) return false;
    const key = this.#isForAnother ? `${held.key} ${held.report}` : held.key;
    return this.#store.add({ ...held, key });
  }

  /** Forget the report that is held. */
  discard() {
    this.#held = null;
  }

  /**
   * Let another person answer: earlier reports to this survey count as somebody
   * else's, and are still sent.
   *
   * @param {string} slug
   */
  async beginAnew(slug) {
    for (const record of await this.#store.all()) {
      if ("report" in record && record.slug === slug) {
        const survey = `${record.survey} (somebody else)`;
        await this.#store.replace({ ...record, survey, slug: `${slug} (somebody else)` });
      }
    }
    this.#isForAnother = true;
  }
}
