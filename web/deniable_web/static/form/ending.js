/** Until when a survey is open, in the respondent's own time, and how long that still is. */
import { accepted, ask, membersOf } from "../sdk/client/transport.js";
import { numberLocale, sayVariant } from "./page.js";
import { HOSTING } from "./served.js";
import { fullMoment, timeLeft, untilNextWords } from "./time_left.js";

/** @import { PublishedSurvey } from "../sdk/index.js" */

const PATIENCE_MS = 5_000;
// What a collector says of a survey that accepts reports, now or later.
const GOING_ON = ["open", "not_open"];

export class Ending {
  /** @type {() => unknown} called when the end has come while the page is shown. */
  onOver = () => {};
  #digest = "";
  // In milliseconds since 1970; not a number if the survey has no end.
  #closes = NaN;
  // The end after which the collector was asked, and until its answer is there.
  #askedAfter = NaN;
  /** @type {Promise<void> | undefined} */
  #asking;
  #isExtended = false;
  #state = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {PublishedSurvey} survey
   * @param {boolean} mayAsk whether there is a collector to ask.
   */
  learn({ digest, window }, mayAsk) {
    if (this.#digest) return;
    this.#digest = digest;
    this.#closes = Date.parse(window?.closes ?? "");
    if (!mayAsk) this.#askedAfter = this.#closes;
  }

  /**
   * Whether the survey is over, by the device's clock and then by its collector.
   *
   * Its owner may have extended it, so the collector is asked, once for each end.
   */
  async isOver() {
    if (!(Date.now() >= this.#closes)) return false;
    if (this.#askedAfter !== this.#closes) {
      this.#askedAfter = this.#closes;
      this.#asking = this.#ask();
    }
    await this.#asking;
    return !GOING_ON.includes(this.#state);
  }

  /** Show the end if it is still to come, and again whenever the time that is left changes. */
  show() {
    clearTimeout(this.#timer);
    const part = document.getElementById("ends");
    if (!part || Number.isNaN(this.#closes)) return;
    const left = this.#closes - Date.now();
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
    const isOver = await this.isOver();
    this.show();
    // Without an answer nobody knows, and a report can still be tried.
    if (isOver && this.#state) this.onOver();
  }

  async #ask() {
    this.#state = "";
    const address = `${HOSTING.collector}/api/surveys/by-digest/${this.#digest}/fieldwork`;
    try {
      const body = accepted(await ask(address, { signal: AbortSignal.timeout(PATIENCE_MS) }));
      const { state, closes } = membersOf(body);
      this.#state = String(state ?? "");
      if (!(Date.parse(closes) > this.#closes)) return;
      this.#closes = Date.parse(closes);
      this.#isExtended = true;
    } catch {
      // An older collector, or no connection: the published end is all that is known.
    }
  }
}
