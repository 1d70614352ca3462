/** The report: what leaves the device. */

import * as canonical from "./canonical.js";

/** @import { JSONObject } from "./canonical.js" */

export const FORMAT = "deniable-report/1";

/**
 * What lets an invited person send one report to a survey: its id, and what it
 * contains of the token: group, nonce and signature, the last two in base64url.
 *
 * @typedef {object} Token
 * @property {string} survey the digest.
 * @property {string} report
 * @property {TokenDocument} document
 */

/** @typedef {{ readonly group: string, readonly nonce: string, readonly signature: string }} TokenDocument */

/** Randomized values of one respondent to one survey. */
export class Report {
  /** @type {JSONObject} without a prototype: a block may be called "constructor". */
  #values;
  #token;

  /**
   * @param {string} survey the digest of the published survey.
   * @param {string} id 32 hex digits, drawn at random; resending keeps it.
   * @param {JSONObject} values block id to randomized value.
   * @param {TokenDocument} [token] of an invited respondent.
   * @param {string} [group] that the respondent's link gave.
   */
  constructor(survey, id, values, token, group) {
    this.survey = survey;
    this.id = id;
    this.group = group;
    this.#token = token;
    this.#values = Object.freeze(Object.assign(Object.create(null), values));
    Object.freeze(this);
  }

  /** Block id to randomized value. */
  get values() {
    return this.#values;
  }

  /** The canonical bytes that are sent, the same on every try. */
  toBytes() {
    return canonical.encode({
      format: FORMAT,
      survey: this.survey,
      report: this.id,
      values: this.#values,
      ...(this.#token && { token: this.#token }),
      ...(this.group && { group: this.group }),
    });
  }
}
