/**
 * The interface of a device's storage; implement it to store reports elsewhere.
 *
 * Records are plain JSON under a key. Every method may be called from several
 * tabs or processes at once. What it rejects with is told to the app as
 * StorageUnavailable.
 *
 * @typedef {object} Store
 * @property {() => Promise<Stored[]>} all every record, in any order.
 * @property {(record: Stored) => Promise<boolean>} add keeps a record, durably
 *   before it resolves; false, and nothing changed, if its key is taken.
 * @property {(record: Stored) => Promise<boolean>} replace puts a record in
 *   the place of the one with its key; false, and nothing changed, if there
 *   is none.
 * @property {() => Promise<void>} clear forgets every record.
 * @property {() => Promise<void>} close closes its resources.
 * @property {boolean} isDurable whether records outlive the process.
 * @property {Lock} [lock] left out, records of the store stand for locks.
 */

/** @import { Drawn, Entry, Invitation } from "../entry.js" */

/** @typedef {Entry | Drawn | Invitation | Lease} Stored */

/**
 * Who may do something now, and until when.
 *
 * @typedef {object} Lease
 * @property {string} key
 * @property {string} holder
 * @property {number} until in milliseconds.
 */

/**
 * Runs work that nothing else may run under the same name meanwhile; false,
 * and nothing run, if something else does.
 *
 * @callback Lock
 * @param {string} name
 * @param {() => Promise<void>} work
 * @returns {Promise<boolean>}
 */

export {};
