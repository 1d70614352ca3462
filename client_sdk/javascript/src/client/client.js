/** A device's client of one collector. */

import { InvalidSurvey, quote, refuseUnknownKeys } from "../errors.js";
import { checkCap, openSurvey } from "../survey/published.js";
import { questionsToShow } from "../survey/routing.js";
import { ClientShutDown, ConsentRequired, StorageUnavailable } from "./errors.js";
import { entryOf, reportOf } from "./entry.js";
import { Schedule } from "./schedule.js";
import { STARTS, decided, keptBlocks, keptReport } from "./submitting.js";

/** @import { Answers } from "../survey/routing.js" */
/** @import { ReadBytes } from "../randomness.js" */
/** @import { Report } from "../report.js" */
/** @import { PublishedSurvey } from "../survey/published.js" */
/** @import { Question } from "../survey/questions/index.js" */
/** @import { State } from "./entry.js" */
/** @import { Submitting } from "./submitting.js" */
/** @import { CheckedOptions } from "./options.js" */
/** @import { Records } from "./records.js" */

/**
 * The state of a report.
 *
 * @typedef {object} ReportStatus
 * @property {string} report its id.
 * @property {string} survey the survey's digest.
 * @property {string} slug
 * @property {State} state
 * @property {number} [status] the HTTP status it was refused with, or why it still waits: 425 if
 *   the survey is not open yet, 0 if no answer came; left out before the first try.
 * @property {string} [reason] why it was refused.
 */

/**
 * What one respondent is shown.
 *
 * @typedef {object} DrawnBlocks
 * @property {readonly string[]} blocks for `submit`.
 * @property {readonly Question[]} questions those of the blocks, and those that
 *   lead to them.
 */

/**
 * What came of a flush: how many it sent and had refused, how many wait now, and
 * how many there was no room for so far.
 *
 * @typedef {{ sent: number, waiting: number, refused: number, dropped: number }} FlushResult
 */

/** The method for modules of this package; apps have no use for it. */
export const ALONE = Symbol();

/** Opened by openClient. */
export class Client {
  #parts;
  #schedule;
  /** @type {ClientShutDown | ConsentRequired | null} */
  #ended = null;

  /**
   * @param {CheckedOptions} options
   * @param {Records} records
   * @param {ReadBytes} readBytes
   */
  constructor(options, records, readBytes) {
    this.#parts = { ...options, records, readBytes };
    this.#schedule = new Schedule(this.#parts);
    this.#schedule.flushSoon();
  }

  /** Whether reports outlive the page or the process. */
  get isDurable() {
    return this.#parts.records.isDurable;
  }

  /**
   * The survey of this slug, with all that it claims recomputed.
   *
   * @param {string} slug
   * @param {{ digest?: string }} [expected] the digest it must have, where it
   *   is known beforehand.
   * @throws {CollectorUnreachable} no answer came.
   * @throws {CollectorRefused} there is no such survey.
   * @throws {InvalidSurvey} what came is no published survey, another one, or
   *   spends more than it claims or than the epsilonCap.
   */
  async getSurvey(slug, { digest } = {}) {
    this.#check();
    const { transport, epsilonCap } = this.#parts;
    const bytes = await transport.getSurvey(slug, digest ?? null, this.#schedule.signal);
    const survey = await openSurvey(bytes, { digest });
    if (survey.slug !== slug) {
      throw new InvalidSurvey(
        `the collector gave ${quote(survey.slug)} instead of ${quote(slug)}; do not answer it`,
      );
    }
    checkCap(survey, epsilonCap);
    return survey;
  }

  /**
   * The blocks that this respondent is asked, and the questions to show.
   *
   * They are drawn once and stored: the same survey returns the same blocks,
   * whatever was filled in. Fixed questions that this device has reported of
   * before are not shown again, unless they lead to others.
   *
   * @param {PublishedSurvey} survey
   * @returns {Promise<DrawnBlocks>}
   * @throws {BudgetExceeded} it spends more than the epsilonCap.
   * @throws {YearlyCapExceeded} it could spend more than is left of the yearlyCap.
   * @throws {StorageUnavailable} nothing was kept.
   */
  async draw(survey) {
    const { blocks, kept } = await this[ALONE]((parts) => keptBlocks(parts, survey));
    return { blocks, questions: questionsToShow(survey, blocks.filter((id) => !kept.has(id))) };
  }

  /**
   * The report of these answers, stored on the device and on its way.
   *
   * It is randomized once; what is kept and sent are its bytes. Sending goes
   * on by itself, now or when the collector can be reached. What an earlier
   * edition reported of fixed questions is reported again, without a new draw
   * and without regard to their answers.
   *
   * @param {PublishedSurvey} survey
   * @param {Answers} answers
   * @param {readonly string[]} [blocks] what `draw` gave.
   * @param {{ again?: "first" | "edition", hold?: boolean, collected?: number, group?: string }} [more]
   *   `again` is what to do if the survey was answered before: "first" gives the first report,
   *   "edition" allows another edition of it, which the waves of one panel need
   *   not be allowed. With `hold` the report is kept and not sent, until the
   *   person decides: `send` or `decline`. `collected` is the number that they
   *   were shown after FewCollected. `group` is the one that the person's link gave; show it before
   *   the first question.
   * @returns {Promise<Report>}
   * @throws {AlreadyAnswered}
   * @throws {BudgetExceeded} it spends more than the epsilonCap, or than its
   *   panel has promised.
   * @throws {YearlyCapExceeded}
   * @throws {InvalidAnswer} nothing was drawn or stored.
   * @throws {FewCollected} nothing was drawn or stored; show its `count`, and ask again.
   * @throws {StorageUnavailable} nothing was kept, and nothing will be sent.
   */
  async submit(survey, answers, blocks, { again, hold = false, collected, group, ...unknown } = {}) {
    refuseUnknownKeys(unknown, "again, hold, collected, group");
    const start = hold ? {} : await STARTS[0]?.(this, survey, collected);
    const report = await this[ALONE]((parts) =>
      keptReport(parts, { survey, answers, blocks, again, hold, start, group }),
    );
    this.#schedule.flushSoon();
    return report;
  }

  /**
   * The report that is held until the person decides; null if none is.
   * @param {PublishedSurvey} survey
   */
  async heldReport(survey) {
    this.#check();
    const entry = entryOf(await this.#parts.records.entries(), survey);
    return entry?.state === "held" ? reportOf(entry) : null;
  }

  /**
   * Send the report that was held.
   *
   * @param {PublishedSurvey} survey
   * @param {{ collected?: number }} [more] as for `submit`.
   * @returns {Promise<boolean>} false, and nothing done, if none is held.
   * @throws {FewCollected} the report is still held.
   */
  async send(survey, { collected } = {}) {
    const start = await STARTS[0]?.(this, survey, collected, "held");
    const isDone = await this[ALONE]((parts) => decided(parts, survey, "waiting", start));
    this.#schedule.flushSoon();
    return isDone;
  }

  /**
   * Wipe the report that was held. It counts as spent, and the survey is not
   * answered again on this device.
   *
   * @param {{ readonly digest: string }} survey also one that is known by its digest alone.
   * @returns {Promise<boolean>} false, and nothing done, if none is held.
   */
  async decline(survey) {
    return this[ALONE]((parts) => decided(parts, survey, "declined"));
  }

  /**
   * Try to send what waits, now.
   *
   * Reports that the collector has asked to come back with later still wait.
   *
   * @returns {Promise<FlushResult>}
   */
  async flush() {
    this.#check();
    const { sent, refused } = await this.#schedule.flush(true);
    const entries = await this.#entries();
    const count = (/** @type {State} */ wanted) =>
      entries.filter(({ state }) => state === wanted).length;
    return { sent, waiting: count("waiting"), refused, dropped: count("dropped") };
  }

  /**
   * The state of every report to this collector, in order.
   * @returns {Promise<ReportStatus[]>}
   */
  async reports() {
    this.#check();
    const entries = await this.#entries();
    return entries.map(({ report, survey, slug, state, status, reason }) => {
      const why = { refused: { status, reason }, waiting: status !== undefined && { status } };
      return { report, survey, slug, state, .../** @type {any} */ (why)[state] };
    });
  }

  /**
   * Forget everything on the device: reports that wait, and what was spent.
   *
   * Reports that were sent cannot be found again by anybody.
   */
  async optOut() {
    this.#ended = new ConsentRequired("the person has opted out; open another once they agree");
    await this.#schedule.end();
    await this.#parts.records.clear();
    await this.#parts.records.close();
  }

  /** Stop sending; what waits stays on the device for the next client. */
  async shutDown() {
    this.#ended ??= new ClientShutDown("the client was shut down; open another");
    await this.#schedule.end();
    await this.#parts.records.close();
  }

  /**
   * What work on the ledger gives, while nothing else works on it.
   *
   * @template T
   * @param {(parts: Submitting) => Promise<T>} work
   */
  async [ALONE](work) {
    this.#check();
    const parts = this.#parts;
    const done = await parts.records.alone("ledger", () => work(parts));
    if (done === undefined) {
      throw new StorageUnavailable("another tab or process is at work; try again");
    }
    if (this.#ended instanceof ConsentRequired) {
      // The person opted out meanwhile.
      await this.#parts.records.clear();
      throw this.#ended;
    }
    return done;
  }

  /** Those of this collector. */
  async #entries() {
    const { records, collector } = this.#parts;
    return (await records.entries()).filter((entry) => entry.collector === collector);
  }

  #check() {
    if (this.#ended) throw this.#ended;
  }
}
