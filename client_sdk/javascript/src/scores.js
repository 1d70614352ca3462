/**
 * Surveys with scores: import this module once, before openSurvey.
 *
 * It is a module of its own, so that apps without such surveys do not load it.
 */

import { answersThatCount, readAnswers } from "./survey/routing.js";
import { QUESTION_TYPES } from "./survey/questions/index.js";
import { ScoreQuestion } from "./survey/questions/score.js";

/** @import { Answers } from "./survey/routing.js" */
/** @import { PublishedSurvey } from "./survey/published.js" */

QUESTION_TYPES.set("score", ScoreQuestion);

/**
 * The scores that these answers come to, for feedback on the device: never send them.
 *
 * @param {PublishedSurvey} survey
 * @param {Answers} answers
 * @returns {Map<string, string | null>} score id to band or number; null without
 *   enough answers.
 * @throws {InvalidAnswer} an answer does not fit. The message leaves it out.
 */
export function computeScores(survey, answers) {
  const found = answersThatCount(survey.questions, readAnswers(survey, answers));
  const scores = survey.questions.filter(({ id, rule }) => rule && found.has(id));
  return new Map(scores.map(({ id }) => [id, /** @type {string | null} */ (found.get(id))]));
}
