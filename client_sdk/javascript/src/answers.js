/** Answers as an app gives them, before they have a place in a domain. */

import { isObject, kind } from "./canonical.js";
import { InvalidAnswer } from "./errors.js";

/** @import { PublishedSurvey } from "./survey/published.js" */

/**
 * An option's id, or null for no answer; for yes_no also true or false, for
 * scale also the level as a number. For multiple a list of options' ids, for
 * number a number or its text.
 *
 * @typedef {string | boolean | number | readonly string[] | null | undefined} Answer
 */

/**
 * Question id to answer, as a Map or a plain object; a question left out is
 * "no answer".
 *
 * @typedef {ReadonlyMap<string, Answer> | { readonly [question: string]: Answer }} Answers
 */

/**
 * The answers by question id, all of them to questions of the survey.
 *
 * Objects of a class may keep their keys elsewhere, and would pass for "no
 * answer".
 *
 * @param {PublishedSurvey} survey
 * @param {unknown} answers
 * @returns {ReadonlyMap<string, unknown>}
 * @throws {InvalidAnswer} they are no Map or plain object, or the survey has
 *   no such question.
 */
export function readAnswers(survey, answers) {
  if (!(answers instanceof Map || isObject(answers))) {
    throw new InvalidAnswer(`got ${kind(answers)}; allowed is a Map or a plain object`);
  }
  const given = answers instanceof Map ? answers : new Map(Object.entries(answers));
  const ids = new Set(survey.questions.flatMap(({ id, rule }) => (rule ? [] : id)));
  const unknown = [...given.keys()].filter((id) => !ids.has(id));
  if (unknown.length > 0) {
    throw new InvalidAnswer(
      `got answers to ${unknown.length} unknown questions; allowed are ${[...ids].join(", ")}`,
    );
  }
  return given;
}
