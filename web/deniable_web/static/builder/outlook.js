/**
 * The problems and the forecast of the draft, updated a moment after each change.
 *
 * A response is dropped if the draft has changed since.
 */
import { Refusal, sendJson } from "../manage/access.js";
import { element } from "./dom.js";
import { numberOrText } from "./numbers.js";
import { LANGUAGE } from "./texts.js";

/** @import { Draft } from "./draft.js" */
/**
 * A problem; `field` is the path of the field that it is about, if that is not its own path.
 * What is unfinished could be published by other means.
 *
 * @typedef {{
 *   code: string, facts: { [name: string]: string | number }, path: (string | number)[], field?: (string | number)[],
 *   place: string, message: string, is_unfinished: boolean,
 * }} Problem
 */
/** @typedef {{ estimate: string, question: string | null, unit: string, margin: number, respondents_for_margin: number }} Estimate */
/** @typedef {{ block: string, questions: string[], in_words: string, estimates: Estimate[] }} Block */
/** @typedef {{ warning: string, blocks: string[], message: string, numbers: { [name: string]: number | null } }} Warning */
/** @typedef {{ prior: number, low: number, high: number }} Belief */
/**
 * @typedef {{
 *   epsilon: string, asked: number, optional: string[], respondents: number, wanted_margin: number, beliefs: Belief[], blocks: Block[],
 *   stop_when: { margin: number, questions: string[] } | null, warnings: Warning[],
 * }} Forecast
 */
/** @typedef {{ epsilon: number, margins: { [question: string]: number } }} Offer */
/** What the forecast means, in the language of the page. @typedef {{ closed_file: string, design: { about: string, text: string }[] }} Words */
/** @typedef {{ problems: Problem[], redrawn: string[], is_too_large: boolean, forecast: Forecast | null, words: Words | null, incomplete: number[], trade_off: Offer[] }} Outlook */

const CHECK = "manage/definitions/check";
const PAUSE_MS = 350;
/** A server with too much to do is asked again. */
const BUSY = [429, 503];
const AGAIN_MS = 3_000;

export class Watch extends EventTarget {
  #draft;
  /** @type {AbortController | undefined} */
  #asking;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Outlook | undefined} */
  latest;
  /** Why there is no response; empty if there is one. */
  failure = "";

  /** @param {Draft} draft */
  constructor(draft) {
    super();
    this.#draft = draft;
    for (const change of ["edited", "restructured"]) draft.addEventListener(change, () => this.#soon());
    for (const id of ["respondents", "margin"]) element(id).addEventListener("input", () => this.#soon());
  }

  #soon(pauseMs = PAUSE_MS) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.look(), pauseMs);
  }

  /** Asks the server now. */
  async look() {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    try {
      const asked = { definition: this.#draft.document, language: LANGUAGE, ...wishes() };
      const found = await sendJson(CHECK, asked, asking.signal);
      if (asking.signal.aborted) return;
      this.latest = found;
      this.failure = "";
    } catch (error) {
      if (asking.signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      this.failure = error.message;
      if (BUSY.includes(error.status)) this.#soon(AGAIN_MS);
    }
    this.dispatchEvent(new Event("looked"));
  }
}

/** The number of respondents, and the margin, for the forecast. */
function wishes() {
  const isCount = (/** @type {number} */ number) => Number.isInteger(number) && number >= 1 && number <= 1e12;
  const isMargin = (/** @type {number} */ number) => number > 0 && number < 100;
  return { respondents: wished("respondents", isCount, 1000), margin: wished("margin", isMargin, 5) / 100 };
}

/**
 * The number in a field; if it does not fit, the field says so, and another one is used.
 *
 * @param {string} id
 * @param {(number: number) => boolean} fits
 * @param {number} other
 */
function wished(id, fits, other) {
  const field = element(id, HTMLInputElement);
  const number = numberOrText(field.value);
  const isFit = typeof number === "number" && fits(number);
  field.setAttribute("aria-invalid", String(!isFit));
  element(`${id}-problem`).hidden = isFit;
  return isFit ? number : other;
}
