/** When a survey is open, by its collector's clock; and how long it still is, in words. */
import { accepted, ask, membersOf } from "../sdk/client/transport.js";
import { numberLocale, sayVariant } from "./page.js";
import { HOSTING } from "./served.js";
import { fullMoment, timeLeft, untilNextWords } from "./time_left.js";

/** @import { PublishedSurvey } from "../sdk/index.js" */

/** @typedef {"early" | "open" | "closed"} Phase */

const PATIENCE_MS = 5_000;
/** @type {{ readonly [state: string]: Phase }} what a collector says of a survey; all else is an end. */
const PHASES = { not_open: "early", open: "open" };

export class Times {
  /** @type {() => unknown} called when the end has come while the page is shown. */
  onOver = () => {};
  /** @type {PublishedSurvey | undefined} */
  #survey;
  #mayAsk = false;
  // In milliseconds since 1970; not a number if the survey has no end.
  #closes = NaN;
  // How far the device's clock is ahead of the collector's, in milliseconds.
  #ahead = 0;
  // The end after which the collector was asked; undefined before the first question.
  /** @type {number | undefined} */
  #askedAfter;
  /** @type {Promise<void> | undefined} */
  #asking;
  #isExtended = false;
  #state = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** The time by the collector's clock, as far as it is known. */
  get now() {
    return Date.now() - this.#ahead;
  }

  /**
   * @param {PublishedSurvey} survey
   * @param {boolean} mayAsk whether there is a collector to ask.
   */
  learn(survey, mayAsk) {
    if (this.#survey) return;
    this.#survey = survey;
    this.#mayAsk = mayAsk && Boolean(survey.window);
    this.#closes = Date.parse(survey.window?.closes ?? "");
  }

  /**
   * Whether the survey is open: what the collector says, else by the device's clock.
   *
   * The collector is asked before the first question, whatever the device's clock shows, so that
   * nobody answers in vain; and again when an end has come, which its owner may have moved.
   */
  async phase() {
    const end = this.now >= this.#closes ? this.#closes : NaN;
    if (this.#mayAsk && !Object.is(this.#askedAfter, end)) {
      this.#askedAfter = end;
      this.#asking = this.#ask();
    }
    await this.#asking;
    if (this.#state) return PHASES[this.#state] ?? "closed";
    if (this.now >= this.#closes) return "closed";
    return this.now < Date.parse(this.#survey?.window?.opens ?? "") ? "early" : "open";
  }

  /** Show the end if it is still to come, and again whenever the time that is left changes. */
  show() {
    clearTimeout(this.#timer);
    const part = document.getElementById("ends");
    if (!part || Number.isNaN(this.#closes)) return;
    const left = this.#closes - this.now;
    part.hidden = left <= 0;
    if (part.hidden) return;
    const closes = fullMoment(new Date(this.#closes), part);
    sayVariant("until", this.#isExtended ? "extended" : "published", { closes });
    // At least so much: nobody should be late for having read it.
    sayVariant("left", "text", { left: timeLeft(left, numberLocale(part)) });
    this.#timer = setTimeout(() => void this.#pass(), untilNextWords(left));
  }

  /** Some time has passed. */
  async #pass() {
    const phase = await this.phase();
    this.show();
    // Without an answer nobody knows, and a report can still be tried.
    if (phase === "closed" && this.#state) this.onOver();
  }

  async #ask() {
    this.#state = "";
    const address = `${HOSTING.collector}/api/surveys/by-digest/${this.#survey?.digest}/fieldwork`;
    try {
      const body = accepted(await ask(address, { signal: AbortSignal.timeout(PATIENCE_MS) }));
      const { state, now, closes } = membersOf(body);
      this.#state = String(state ?? "");
      const then = Date.parse(now);
      if (!Number.isNaN(then)) this.#ahead = Date.now() - then;
      if (!(Date.parse(closes) > this.#closes)) return;
      this.#closes = Date.parse(closes);
      this.#isExtended = true;
    } catch {
      // No connection: the device's clock and the published times are all that is known.
    }
  }
}
