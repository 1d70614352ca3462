/**
 * Routing: which questions are asked because of what was answered before, and
 * what scores come to.
 *
 * Both are worked out on the device. A question that is not reached is answered
 * with "no answer", through the same mechanism as every other answer, so that
 * a report says nothing about the path a respondent took.
 */

import { isObject, kind } from "../canonical.js";
import { InvalidAnswer, few, quote } from "../errors.js";
import { ascends } from "../mechanisms/domains.js";
import { MAX_OPTIONS, NO_ANSWER } from "./options.js";
import { itemsOf } from "./questions/base.js";

/** @import { JSONValue } from "../canonical.js" */
/** @import { Block } from "./block.js" */
/** @import { PublishedSurvey } from "./published.js" */
/** @import { Question } from "./questions/index.js" */
/** @import { Section } from "./reading.js" */

/**
 * Reach a question only if one of these options of another was chosen.
 *
 * @typedef {{ readonly question: string, readonly is: readonly string[] }} ShowIf
 */

const ROUTER_RULE = "the id of an earlier question with options";

/**
 * Reads a rule from its section; problems go to the section.
 *
 * @param {Section} section
 * @param {readonly Question[]} earlier the questions before it.
 * @returns {ShowIf}
 */
export function readShowIf(section, earlier) {
  section.refuseUnknown(["question", "is"]);
  const routers = new Map(
    earlier.flatMap((question) => ("options" in question ? [[question.id, question.options]] : [])),
  );
  const question = section.read("question", ROUTER_RULE, (id) => routers.has(id), "");
  const chosen = section.members("is", 1, MAX_OPTIONS, "options");
  const options = routers.get(question);
  if (options) checkOptions(section, chosen, options.map(({ id }) => id));
  return Object.freeze({ question, is: Object.freeze(chosen.map((id) => (typeof id === "string" ? id : ""))) });
}

/**
 * @param {Section} section
 * @param {readonly JSONValue[]} chosen
 * @param {readonly JSONValue[]} options
 */
function checkOptions(section, chosen, options) {
  for (const [index, member] of chosen.entries()) {
    if (!options.includes(member)) {
      section.refuse(`got ${quote(member)}; allowed are: ${few(options)}`, "is", index);
    }
  }
  const indexes = chosen.map((member) => options.indexOf(member));
  if (!ascends(indexes.filter((index) => index >= 0))) {
    section.refuse("the options are not in their order, or one is repeated", "is");
  }
}

/**
 * The ids of the questions that these answers lead to.
 *
 * @param {PublishedSurvey} survey
 * @param {Answers} answers those given so far are enough.
 * @throws {InvalidAnswer} the answer to a question that others depend on does
 *   not fit it. The message leaves it out.
 */
export function reachedQuestions(survey, answers) {
  return new Set(answersThatCount(survey.questions, readAnswers(survey, answers)).keys());
}

/**
 * The questions a device shows for the blocks it drew, in the survey's order.
 *
 * Those of the blocks, the items of their scores, and those that decide whether
 * these are reached: their answers stay on the device where no drawn block asks
 * for them. Scores are not shown: the device computes them.
 *
 * @param {PublishedSurvey} survey
 * @param {readonly string[]} blocks what drawBlocks gave.
 * @returns {readonly Question[]}
 * @throws {RangeError} the survey has no such block.
 */
export function questionsToShow(survey, blocks) {
  return Object.freeze(neededQuestions(survey, blocks).filter(({ rule }) => !rule));
}

/**
 * The questions to show and the scores among them, in the survey's order.
 *
 * @param {PublishedSurvey} survey
 * @param {readonly string[]} blocks
 */
export function neededQuestions(survey, blocks) {
  const wanted = new Set(
    blocks.flatMap((id) => survey.block(id).questions.map((question) => question.id)),
  );
  // A question depends on earlier ones only, so one way back finds them all.
  for (const question of [...survey.questions].reverse()) {
    if (!wanted.has(question.id)) continue;
    for (const { id } of itemsOf([question])) wanted.add(id);
    if (question.showIf) wanted.add(question.showIf.question);
  }
  return survey.questions.filter((question) => wanted.has(question.id));
}

/**
 * The answers that count: those to questions that are reached, and the scores.
 *
 * @param {PublishedSurvey} survey
 * @param {readonly Block[]} asked
 * @param {ReadonlyMap<string, unknown>} answers
 * @returns {ReadonlyMap<string, unknown>}
 * @throws {InvalidAnswer} a required question of these blocks is reached and
 *   has no answer, or one that others depend on has an answer that does not
 *   fit.
 */
export function followRouting(survey, asked, answers) {
  const shown = neededQuestions(survey, asked.map((block) => block.id));
  const found = answersThatCount(shown, answers);
  const reported = asked.flatMap((block) => block.questions);
  for (const question of [...reported, ...itemsOf(reported)]) {
    const { id, required } = question;
    const [answer] = [found.get(id) ?? NO_ANSWER].flat();
    if (required && found.has(id) && answer === NO_ANSWER) throw question.refusal(null);
  }
  return found;
}

/**
 * The answers to the questions that are reached, and the scores.
 *
 * @param {readonly Question[]} questions
 * @param {ReadonlyMap<string, unknown>} answers
 */
export function answersThatCount(questions, answers) {
  /** @type {Map<string, unknown>} */
  const found = new Map();
  for (const question of questions) {
    const { id, showIf, rule } = question;
    if (!showIf || isChosen(questions, showIf, found)) {
      found.set(id, rule ? rule.compute(question, found) : answers.get(id));
    }
  }
  return found;
}

/**
 * @param {readonly Question[]} questions
 * @param {ShowIf} rule
 * @param {ReadonlyMap<string, unknown>} found
 */
function isChosen(questions, { question, is }, found) {
  const answer = found.get(question) ?? null;
  const router = questions.find(({ id }) => id === question);
  if (answer === null || !router) return false;
  return [router.encode(answer)].flat().some((index) => is.includes(router.names[index] ?? ""));
}

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
