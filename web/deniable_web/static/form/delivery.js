/** The states of this respondent's report: held, stored, being sent, sent, declined. */
import { openClient } from "../sdk/client.js";
import { AlreadyAnswered, CollectorUnreachable } from "../sdk/client/errors.js";
import { memoryStore } from "../sdk/client/storage/memory.js";
import { HOSTING } from "./served.js";

/** @import { Client, ReportStatus, Transport } from "../sdk/client.js" */
/** @import { Answers, PublishedSurvey, Report } from "../sdk/index.js" */
/** @import { Panel } from "./panels.js" */

/**
 * The state of a report, as the page shows it.
 *
 * @typedef {object} Standing
 * @property {Panel} panel the panel for this state; empty if there is no report.
 * @property {string} [variant] which of the panel's texts fits, if it has several.
 * @property {boolean} [isWaiting] whether it must still be sent.
 * @property {boolean} [isHeld] whether it belongs to another edition and the person has not
 *     decided on it.
 * @property {string} [reason] the reason for a refusal, in English.
 * @property {number} [status] the HTTP status of a refusal.
 */

/**
 * The page's data on its survey.
 *
 * @typedef {object} Place
 * @property {string} slug
 * @property {string} digest
 * @property {string} document the address of the published bytes.
 * @property {boolean} isPreview whether nothing may be sent or stored.
 */

const CLOSED = 410;
const TOO_EARLY = 425;

/** Delivers one respondent's report to the collector that served the page. */
export class Delivery {
  place;
  /** Whether the person at this page made the report, or decided on it. */
  #isOwn = false;
  /** The earlier report because of which a new one is refused. */
  #first = "";
  /** The digest of an earlier edition with a report that is held. */
  #earlier = "";

  /**
   * @param {Client} client
   * @param {Place} place
   * @param {PublishedSurvey} survey
   */
  constructor(client, place, survey) {
    this.client = client;
    this.place = place;
    this.survey = survey;
  }

  /**
   * Fetches and verifies the survey, and prepares the delivery of a report.
   *
   * @param {Place} place
   * @param {() => void} changed called when the state of a report may have changed.
   * @throws {CollectorUnreachable} the survey cannot be fetched now.
   */
  static async open(place, changed) {
    // Opening the form is not consent to send: a report is held until the person decides.
    const client = await openClient({
      ...HOSTING,
      consent: true,
      // The page itself warns if one survey spends much.
      epsilonCap: null,
      ...(place.isPreview && {
        yearlyCap: null,
        storage: memoryStore(),
        transport: previewTransport(place),
      }),
      log: changed,
    });
    const survey = await client.getSurvey(place.slug, { digest: place.digest });
    return new Delivery(client, place, survey);
  }

  /** Whether the state of a report will be known when the page is opened again. */
  get isKept() {
    return this.client.isDurable || this.place.isPreview;
  }

  /**
   * The report of these answers, randomized once and held, but not sent yet.
   *
   * @param {Answers} answers
   * @param {readonly string[]} blocks
   * @param {string} [group] that the link gave, and the person agreed to.
   * @returns {Promise<Report>}
   */
  async randomize(answers, blocks, group) {
    try {
      const report = await this.client.submit(this.survey, answers, blocks, { hold: true, group });
      this.#isOwn = true;
      return report;
    } catch (error) {
      if (error instanceof AlreadyAnswered) this.#first = error.report;
      throw error;
    }
  }

  /** Send the report that is held. @returns {Promise<Standing>} */
  async send() {
    if (this.place.isPreview) return { panel: "preview" };
    this.#isOwn = await this.client.send(this.survey);
    return this.tryNow();
  }

  /**
   * Delete the held report, of this edition or of an earlier one, and keep only a mark that
   * there was one.
   */
  async decline() {
    await this.client.decline(this.#earlier ? { digest: this.#earlier } : this.survey);
    return this.standing();
  }

  /** Send waiting reports now. */
  async tryNow() {
    await this.client.flush();
    return this.standing();
  }

  /**
   * The state of this device's report to the survey, or to another edition.
   *
   * @returns {Promise<Standing>}
   */
  async standing() {
    const reports = await this.client.reports();
    const { digest, waves } = this.survey;
    const own = reports.find(({ survey }) => survey === digest);
    if (own) return this.#standingOf(own);
    // All waves of a panel may be answered, unless the client refuses it.
    const other = reports.find(({ report, slug }) =>
      this.#first ? report === this.#first : waves === 1 && slug === this.place.slug,
    );
    this.#earlier = other?.state === "held" ? other.survey : "";
    if (!other) return this.#first ? { panel: "answered", variant: "other" } : { panel: "" };
    return answered(other);
  }

  /** @param {ReportStatus} entry @returns {Standing} */
  #standingOf(entry) {
    const { state, status, reason = "" } = entry;
    if (state === "held") return { panel: "held" };
    if (state === "declined") return { panel: "declined", variant: this.isKept ? "kept" : "unkept" };
    if (state === "refused") {
      return status === CLOSED ? { panel: "closed" } : { panel: "refused", reason, status };
    }
    if (!this.#isOwn || state === "dropped") return answered(entry);
    if (state === "sent") return { panel: "sent" };
    return { panel: this.client.isDurable ? "waiting" : "unkept", variant: waitingFor(entry), isWaiting: true };
  }
}

/**
 * @param {ReportStatus} entry a report whose details the person at this page need not know.
 * @returns {Standing}
 */
function answered(entry) {
  const { state } = entry;
  const variant = state === "sent" ? state : state === "waiting" ? waitingFor(entry) : "other";
  return { panel: "answered", variant, isWaiting: state === "waiting", isHeld: state === "held" };
}

/** What a report waits for: a connection, or the opening of its survey. @param {ReportStatus} entry */
function waitingFor({ status }) {
  return status === TOO_EARLY ? "early" : "waiting";
}

/** @param {Place} place @returns {Transport} */
function previewTransport(place) {
  return {
    async getSurvey() {
      const response = await fetch(place.document, { credentials: "omit", redirect: "error" });
      if (!response.ok) throw new CollectorUnreachable(`draft: ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    },
    send: () => Promise.reject(new CollectorUnreachable("")),
  };
}
