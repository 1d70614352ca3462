/** What becomes of this respondent's report: held, kept, on its way, arrived. */
import { openClient } from "../sdk/client.js";
import { AlreadyAnswered, CollectorUnreachable } from "../sdk/client/errors.js";
import { indexedDBStore } from "../sdk/client/storage/indexeddb.js";
import { memoryStore } from "../sdk/client/storage/memory.js";
import { questionsToShow } from "../sdk/index.js";
import { HoldingStore } from "./holding.js";

/** @import { Client, Store, Transport } from "../sdk/client.js" */
/** @import { Answers, PublishedSurvey, Report } from "../sdk/index.js" */
/** @import { Panel } from "./panels.js" */

/**
 * Where a report stands.
 *
 * @typedef {object} Standing
 * @property {Panel} panel the one that says so; the empty one if there is no report.
 * @property {boolean} [isWaiting] whether it has still to be sent.
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
  #store;
  #place;
  /** @type {Report | null} */
  #report = null;
  #isAnew = false;
  #isAnswered = false;

  /**
   * @param {Client} client
   * @param {HoldingStore} store
   * @param {Place} place
   * @param {PublishedSurvey} survey
   */
  constructor(client, store, place, survey) {
    this.#client = client;
    this.#store = store;
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
    const store = new HoldingStore(place.isPreview ? memoryStore() : await browserStore());
    // Opening the form is no consent to send: nothing is sent before it is released.
    const client = await openClient({
      // Not that of the location: a preview stands at about:srcdoc.
      collector: globalThis.origin,
      consent: true,
      // The page says in words where one survey takes much.
      epsilonCap: null,
      storage: store,
      ...(place.isPreview && { transport: previewTransport(place) }),
      log: changed,
    });
    const survey = await client.getSurvey(place.slug, { digest: place.digest });
    return new Delivery(client, store, place, survey);
  }

  /** The blocks that this respondent is asked, and the questions to show. */
  async draw() {
    const { blocks, questions } = await this.#client.draw(this.survey);
    // Facts that were reported before are somebody else's.
    return { blocks, questions: this.#isAnew ? questionsToShow(this.survey, blocks) : questions };
  }

  /**
   * The report of these answers, randomized once; it is not sent yet.
   *
   * @param {Answers} answers
   * @param {readonly string[]} blocks
   */
  async randomize(answers, blocks) {
    try {
      this.#report = await this.#client.submit(this.survey, answers, blocks);
    } catch (error) {
      this.#isAnswered = error instanceof AlreadyAnswered;
      throw error;
    }
    return this.#report;
  }

  /**
   * Keep the report on the device and send it.
   *
   * @returns {Promise<Standing>}
   */
  async send() {
    if (this.#place.isPreview) return { panel: "preview" };
    if (await this.#store.release()) return this.tryNow();
    this.#report = null;
    return this.standing();
  }

  /** Let go of the report that was not sent. */
  discard() {
    this.#store.discard();
  }

  /** Send what waits, now. */
  async tryNow() {
    await this.#client.flush();
    return this.standing();
  }

  /**
   * Where the report of this page stands, or an earlier one of this device.
   *
   * @returns {Promise<Standing>}
   */
  async standing() {
    const entries = await this.#client.pending();
    const own = this.#report?.id;
    // The waves of a panel may all be answered, unless the client says otherwise.
    const isAny = this.survey.waves === 1 || this.#isAnswered;
    const entry = entries.find(({ report, survey, slug }) =>
      own ? report === own : slug === this.#place.slug && (isAny || survey === this.survey.digest),
    );
    if (!entry) return { panel: "" };
    const { state, status, reason = "" } = entry;
    if (state === "refused" && status === CLOSED) return { panel: "closed" };
    if (state === "refused") return { panel: "refused", reason };
    const isWaiting = state === "waiting";
    if (own === undefined) return { panel: "answered", isWaiting };
    if (!isWaiting) return { panel: "sent" };
    return { panel: this.#client.isDurable ? "waiting" : "unkept", isWaiting };
  }

  /** Let another person answer on this device. */
  async beginAnew() {
    this.#report = null;
    this.#isAnew = true;
    this.#isAnswered = false;
    await this.#store.beginAnew(this.#place.slug);
  }
}

/** @returns {Promise<Store>} */
async function browserStore() {
  try {
    return await indexedDBStore();
  } catch {
    return memoryStore();
  }
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
