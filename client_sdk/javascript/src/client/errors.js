/** What can go wrong between an app, a device's storage and a collector. */

import { DeniableError, nameErrors } from "../errors.js";

/** The client was opened without consent, or after the person opted out. */
export class ConsentRequired extends DeniableError {}

/** The client was shut down; open another one. */
export class ClientShutDown extends DeniableError {}

/** The address is not the address of a collector. */
export class InvalidAddress extends DeniableError {}

/** No answer came from the collector; trying again is safe. */
export class CollectorUnreachable extends DeniableError {}

/** The collector answered with an error; `status` is its HTTP status. */
export class CollectorRefused extends DeniableError {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** This device has a report to this survey already; `report` is its id. */
export class AlreadyAnswered extends DeniableError {
  /**
   * @param {string} report
   * @param {string} message
   */
  constructor(report, message) {
    super(message);
    this.report = report;
  }
}

/** All surveys of a year together would spend more than the cap allows. */
export class YearlyCapExceeded extends DeniableError {}

/** The device's storage cannot be read or written. */
export class StorageUnavailable extends DeniableError {}

nameErrors({
  ConsentRequired,
  ClientShutDown,
  InvalidAddress,
  CollectorUnreachable,
  CollectorRefused,
  AlreadyAnswered,
  YearlyCapExceeded,
  StorageUnavailable,
});
