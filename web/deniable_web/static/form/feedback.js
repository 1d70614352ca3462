/**
 * The feedback on a respondent's scores, once the report is sent or declined.
 *
 * The page contains all texts from the beginning, so that nothing is loaded. Only the bands
 * stay in the page's memory, until the person leaves it.
 */
import { computeScores } from "../sdk/scores.js";
import { all } from "./page.js";

/** @import { Answers, PublishedSurvey } from "../sdk/index.js" */

/** @type {readonly string[]} */
const AFTER = ["sent", "declined", "closed", "preview", "waiting", "unkept", "refused"];

export class Feedback {
  /** @type {ReadonlyMap<string, string | null>} */
  #bands = new Map();

  /**
   * @param {PublishedSurvey} survey
   * @param {Answers} answers only the bands of their scores are kept.
   */
  keep(survey, answers) {
    const shown = survey.questions.filter(({ feedback }) => feedback).map(({ id }) => id);
    const scores = [...computeScores(survey, answers)];
    this.#bands = new Map(scores.filter(([id]) => shown.includes(id)));
  }

  /** Removes all feedback from the page, which somebody else may see next. */
  forget() {
    this.#bands = new Map();
    this.show("");
  }

  /** @param {string} panel the panel that the page shows. */
  show(panel) {
    for (const score of all("[data-score]")) {
      const id = score.dataset.score ?? "";
      const band = this.#bands.get(id) ?? null;
      // Links are there without a band too: a visit to one must say nothing about an answer.
      const isThere = band !== null || score.querySelector("a") !== null;
      score.hidden = !this.#bands.has(id) || !isThere || !AFTER.includes(panel);
      for (const text of all("[data-band]", score)) text.hidden = text.dataset.band !== band;
    }
  }
}
