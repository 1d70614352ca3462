/** A client for apps: get a survey, submit a report once, see it arrive. */

import * as opened from "./client/client.js";
import { readOptions } from "./client/options.js";
import { Records } from "./client/records.js";
import { indexedDBStore } from "./client/storage/indexeddb.js";
import { memoryStore } from "./client/storage/memory.js";
import { systemBytes } from "./randomness.js";

export {
  AlreadyAnswered,
  ClientShutDown,
  CollectorRefused,
  CollectorUnreachable,
  ConsentRequired,
  InvalidAddress,
  StorageUnavailable,
  YearlyCapExceeded,
} from "./client/errors.js";

/** @typedef {opened.Client} Client */
/** @typedef {import("./client/client.js").DrawnBlocks} DrawnBlocks */
/** @typedef {import("./client/client.js").FlushResult} FlushResult */
/** @typedef {import("./client/client.js").ReportStatus} ReportStatus */
/** @typedef {import("./client/options.js").Clock} Clock */
/** @typedef {import("./client/sending.js").LogEvent} LogEvent */
/** @typedef {import("./client/options.js").Options} Options */
/** @typedef {import("./client/storage/contract.js").Store} Store */
/** @typedef {import("./client/transport.js").Transport} Transport */

/**
 * A client of one collector; reports that wait from before are sent.
 *
 * @param {Options} options
 * @returns {Promise<Client>}
 * @throws {ConsentRequired} consent is anything but true.
 * @throws {InvalidAddress} the collector is no http or https address.
 */
export async function openClient(options) {
  const checked = readOptions(options);
  // Memory where the browser keeps nothing.
  const store = checked.storage ?? (await indexedDBStore().catch(() => memoryStore()));
  return new opened.Client(checked, new Records(store, checked.clock, systemBytes), systemBytes);
}
