/** What happens on the respondent's device: draw blocks, randomize answers. */

import { hex, isObject, kind } from "./canonical.js";
import { InvalidAnswer, quote } from "./errors.js";
import { REPORT_ID_BYTES, RandomIntegers } from "./randomness.js";
import { Report } from "./report.js";
import { PublishedSurvey } from "./survey/published.js";

/** @import { ReadBytes } from "./randomness.js" */

/**
 * An option's id, or null for no answer; for yes_no also true or false, for
 * scale also the level as a number.
 *
 * @typedef {string | boolean | number | null | undefined} Answer
 */

/**
 * Question id to answer, as a Map or a plain object; a question left out is
 * "no answer".
 *
 * @typedef {ReadonlyMap<string, Answer> | { readonly [question: string]: Answer }} Answers
 */

/**
 * The ids of the blocks this respondent is asked, in the survey's order.
 *
 * Every choice of `survey.asked` blocks is equally likely and none depends on
 * an answer. Where all blocks are asked nothing is drawn.
 *
 * @param {PublishedSurvey} survey
 * @param {ReadBytes} [readBytes] crypto.getRandomValues if left out.
 * @returns {string[]}
 */
export function drawBlocks(survey, readBytes) {
  const pool = [...survey.blocks.keys()];
  if (survey.asked === pool.length) return survey.blocks.map((block) => block.id);
  const integers = new RandomIntegers(readBytes);
  const drawn = new Set();
  for (let place = 0; place < survey.asked; place += 1) {
    const chosen = place + integers.below(pool.length - place);
    drawn.add(pool[chosen]);
    pool[chosen] = /** @type {number} */ (pool[place]);
  }
  return survey.blocks.filter((_, place) => drawn.has(place)).map((block) => block.id);
}

/**
 * One report of these answers: call it once and keep only the report.
 *
 * A second call on the same answers is a second report and spends epsilon
 * again; to try sending again, send the same report.
 *
 * @param {PublishedSurvey} survey the published survey, from openSurvey.
 * @param {Answers} answers questions of blocks that are not asked are ignored.
 * @param {readonly string[] | null} [blocks] what drawBlocks gave; drawn here
 *   if left out.
 * @param {ReadBytes} [readBytes] crypto.getRandomValues if left out.
 * @returns {Report}
 * @throws {InvalidAnswer} an answer does not fit, or the survey has no such
 *   question. The message leaves the answer out.
 */
export function randomize(survey, answers, blocks, readBytes) {
  if (!(survey instanceof PublishedSurvey)) {
    throw new TypeError(`got ${kind(survey)}; allowed is a survey that openSurvey has checked`);
  }
  const asked = askedBlocks(survey, blocks ?? drawBlocks(survey, readBytes));
  const given = readAnswers(answers);
  refuseUnknown(survey, given);
  // All answers are checked before anything is drawn.
  const indexes = asked.map((block) => block.index(given));
  const integers = new RandomIntegers(readBytes);
  const id = hex(integers.read(REPORT_ID_BYTES));
  const values = asked.map(({ id: block, mechanism }, place) => {
    const index = /** @type {number} */ (indexes[place]);
    return /** @type {const} */ ([block, mechanism.randomize(index, integers)]);
  });
  return new Report(survey.digest, id, Object.fromEntries(values));
}

/**
 * @param {PublishedSurvey} survey
 * @param {readonly string[]} chosen
 */
function askedBlocks(survey, chosen) {
  const asked = survey.blocks.filter((block) => chosen.includes(block.id));
  if (asked.length !== chosen.length || asked.length !== survey.asked) {
    throw new RangeError(
      `got ${chosen.length} blocks; allowed are exactly ${survey.asked} different ones of: ` +
        `${survey.blocks.map((block) => block.id).join(", ")}; draw them with drawBlocks`,
    );
  }
  return asked;
}

/**
 * @param {unknown} answers
 * @returns {ReadonlyMap<string, unknown>}
 */
function readAnswers(answers) {
  if (answers instanceof Map) return answers;
  // Other objects keep their keys elsewhere, and would pass for "no answer".
  if (isObject(answers)) return new Map(Object.entries(answers));
  throw new InvalidAnswer(
    `got ${kind(answers)}; allowed is a Map or a plain object from question id to answer`,
  );
}

/**
 * @param {PublishedSurvey} survey
 * @param {ReadonlyMap<string, unknown>} answers
 */
function refuseUnknown(survey, answers) {
  const ids = survey.questions.map((question) => question.id);
  const unknown = [...answers.keys()].filter((id) => !ids.includes(id));
  if (unknown.length > 0) {
    throw new InvalidAnswer(
      `answers were given for ${unknown.length} questions that survey ${quote(survey.slug)} ` +
        `does not have; it has: ${ids.join(", ")}`,
    );
  }
}
