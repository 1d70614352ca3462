/**
 * The feedback on a respondent's scores, once the report is sent or declined.
 *
 * All texts are in the page from the beginning, so that nothing is loaded. Only
 * the bands stay in this page's memory, until it is left.
 */
import { computeScores } from "../sdk/scores.js";

/** @typedef {import("../sdk/index.js").Answers} Answers */
/** @typedef {import("../sdk/index.js").PublishedSurvey} PublishedSurvey */

/** @type {readonly string[]} */
const AFTER = ["sent", "declined", "closed", "preview", "waiting", "unkept", "refused"];

export class Feedback {
  /** @type {ReadonlyMap<string, string | null>} */
  #bands = new Map();

  /**
   * @param {PublishedSurvey} survey
   * @param {Answers} answers of which only the bands are kept.
   */
  keep(survey, answers) {
    const shown = survey.questions.filter(({ feedback }) => feedback).map(({ id }) => id);
    const scores = [...computeScores(survey, answers)];
    this.#bands = new Map(scores.filter(([id]) => shown.includes(id)));
  }

  /** Nothing is left in the page, which may be shown to somebody else. */
  forget() {
    this.#bands = new Map();
    this.show("");
  }

  /** @param {string} panel the one that the page shows. */
  show(panel) {
    for (const part of document.querySelectorAll("[data-score]")) {
      const score = /** @type {HTMLElement} */ (part);
      const band = this.#bands.get(score.dataset.score ?? "") ?? null;
      score.hidden = band === null || !AFTER.includes(panel);
      for (const child of score.querySelectorAll("[data-band]")) {
        const text = /** @type {HTMLElement} */ (child);
        text.hidden = text.dataset.band !== band;
      }
    }
  }
}
