/** What becomes of this respondent's report: held, kept, on its way, arrived, declined. */
import { openClient } from "../sdk/client.js";
import { AlreadyAnswered, CollectorUnreachable } from "../sdk/client/errors.js";
import { memoryStore } from "../sdk/client/storage/memory.js";

/** @import { Asked, Client, Pending, Transport } from "../sdk/client.js" */
/** @import { Answers, PublishedSurvey, Report } from "../sdk/index.js" */
/** @import { Panel } from "./panels.js" */

/**
 * Where a report stands.
 *
 * @typedef {object} Standing
 * @property {Panel} panel the one that says so; the empty one if there is no report.
 * @property {string} [variant] which of the panel's texts says so, if it has several.
 * @property {boolean} [isWaiting] whether it has still to be sent.
 * @property {boolean} [isHeld] whether it was never decided on, and is of another edition.
 * @property {string} [reason] why it was refused, in English.
 */

/**
 * What the page says of its survey.
 *
 * @typedef {object} Place
 * @property {string} slug
 * @property {string} digest
 * @property {string} document the address of the published bytes.
 * @property {boolean} isPreview whether nothing is to be sent or kept.
 */

const CLOSED = 410;

/** The way of one respondent's report to the collector that served the page. */
export class Delivery {
  #client;
  #place;
  /** Whether it is the person at this page who made the report, or decided on it. */
  #isOwn = false;
  /** The report that another one is refused for. */
  #first = "";
  /** The digest of an earlier edition whose report is held. */
  #earlier = "";

  /**
   * @param {Client} client
   * @param {Place} place
   * @param {PublishedSurvey} survey
   */
  constructor(client, place, survey) {
    this.#client = client;
    this.#place = place;
    this.survey = survey;
  }

  /**
   * The survey, verified, and the way of a report to it.
   *
   * @param {Place} place
   * @param {() => void} changed called when a report may stand elsewhere.
   * @throws {CollectorUnreachable} the survey cannot be fetched now.
   */
  static async open(place, changed) {
    // Opening the form is no consent to send: a report is held until the person decides.
    const client = await openClient({
      // Not that of the location: a preview stands at about:srcdoc.
      collector: globalThis.origin,
      consent: true,
      // The page says in words where one survey takes much.
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

  /** Whether the page will know, when it is opened again, what became of a report. */
  get isKept() {
    return this.#client.isDurable || this.#place.isPreview;
  }

  /**
   * The blocks that this respondent is asked, and the questions to show.
   *
   * @returns {Promise<Asked>}
   */
  draw() {
    return this.#client.draw(this.survey);
  }

  /**
   * The report of these answers, randomized once and held; it is not sent yet.
   *
   * @param {Answers} answers
   * @param {readonly string[]} blocks
   * @returns {Promise<Report>}
   */
  async randomize(answers, blocks) {
    try {
      const report = await this.#client.submit(this.survey, answers, blocks, { hold: true });
      this.#isOwn = true;
      return report;
    } catch (error) {
      if (error instanceof AlreadyAnswered) this.#first = error.report;
      throw error;
    }
  }

  /** The report that is held until the person decides, or null. */
  held() {
    return this.#client.held(this.survey);
  }

  /**
   * Send the report that is held.
   *
   * @returns {Promise<Standing>}
   */
  async send() {
    if (this.#place.isPreview) return { panel: "preview" };
    this.#isOwn = await this.#client.send(this.survey);
    return this.tryNow();
  }

  /**
   * Wipe the report that is held, of this edition or of an earlier one, and keep
   * no more than the mark that there was one.
   *
   * @returns {Promise<Standing>}
   */
  async decline() {
    await this.#client.decline(this.#earlier ? { digest: this.#earlier } : this.survey);
    return this.standing();
  }

  /** Send what waits, now. */
  async tryNow() {
    await this.#client.flush();
    return this.standing();
  }

  /**
   * Where this device's report to the survey stands, or that to another edition.
   *
   * @returns {Promise<Standing>}
   */
  async standing() {
    const reports = await this.#client.pending();
    const { digest, waves } = this.survey;
    const own = reports.find(({ survey }) => survey === digest);
    if (own) return this.#standingOf(own);
    // The waves of a panel may all be answered, unless the client says otherwise.
    const other = reports.find(({ report, slug }) =>
      this.#first ? report === this.#first : waves === 1 && slug === this.#place.slug,
    );
    this.#earlier = other?.state === "held" ? other.survey : "";
    if (!other) return this.#first ? { panel: "answered", variant: "other" } : { panel: "" };
    return answered(other);
  }

  /**
   * @param {Pending} entry
   * @returns {Standing}
   */
  #standingOf(entry) {
    const { state, status, reason = "" } = entry;
    if (state === "held") return { panel: "held" };
    if (state === "declined") return { panel: "declined", variant: this.isKept ? "kept" : "unkept" };
    if (state === "refused") return status === CLOSED ? { panel: "closed" } : { panel: "refused", reason };
    if (!this.#isOwn || state === "dropped") return answered(entry);
    if (state === "sent") return { panel: "sent" };
    return { panel: this.#client.isDurable ? "waiting" : "unkept", isWaiting: true };
  }
}

/**
 * @param {Pending} entry one of which the person at this page need not know.
 * @returns {Standing}
 */
function answered({ state }) {
  const variant = state === "sent" || state === "waiting" ? state : "other";
  return { panel: "answered", variant, isWaiting: state === "waiting", isHeld: state === "held" };
}

/**
 * @param {Place} place
 * @returns {Transport}
 */
function previewTransport(place) {
  return {
    async getSurvey() {
      const response = await fetch(place.document, { credentials: "omit", redirect: "error" });
      if (!response.ok) throw new CollectorUnreachable(`no draft: ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    },
    send: () => Promise.reject(new CollectorUnreachable("a preview sends nothing")),
  };
}
