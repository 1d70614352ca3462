/** Published surveys for tests, as documents and opened. */

import * as canonical from "../../../client_sdk/javascript/src/canonical.js";
import { openSurvey } from "../../../client_sdk/javascript/src/index.js";

// ln of their ratio is below 1 by less than 2.4e-10.
export const WEIGHTS_AT_ONE = [11674931554, 2 ** 32];

/** @typedef {{ question: string, is: readonly string[] }} ShowIf */

/**
 * A question of a published survey and the block that asks it.
 *
 * @typedef {{ asked: any, block: any }} Built
 */

/**
 * A question and its block, of subsets of one option at epsilon 1.
 *
 * @param {string} id
 * @param {string} type
 * @param {readonly string[]} options
 * @param {boolean} [required]
 * @param {ShowIf} [showIf]
 */
export function question(id, type, options, required = false, showIf) {
  const size = options.length + Number(!required || showIf !== undefined);
  return built(
    { id, type, options: options.map((option) => ({ id: option })), required },
    { name: "subset", domain_size: size, size: 1 },
    showIf,
  );
}

/**
 * A question that takes several options, and its block, of sets of one.
 *
 * @param {string} id
 * @param {readonly string[]} options
 * @param {number} atMost
 * @param {boolean} [required]
 * @param {ShowIf} [showIf]
 */
export function multiple(id, options, atMost, required = false, showIf) {
  const count = options.length + Number(!required || showIf !== undefined);
  const ids = options.map((option) => ({ id: option }));
  return built(
    { id, type: "multiple", options: ids, at_most: atMost, required },
    { name: "privset", options: count, at_most: atMost, size: 1 },
    showIf,
  );
}

/**
 * A question that takes a number, and its block, every step with a window of 1.
 *
 * @param {string} id
 * @param {readonly [string, string, string]} grid its min, max and step.
 * @param {boolean} [required]
 * @param {ShowIf} [showIf]
 */
export function number(id, [min, max, step], required = false, showIf) {
  const cells = Math.round((Number(max) - Number(min)) / Number(step)) + 1;
  const noAnswer = !required || showIf !== undefined;
  return built(
    { id, type: "number", min, max, step, required },
    { name: "piecewise", cells, no_answer: noAnswer, steps: cells - 1, window: 1 },
    showIf,
  );
}

/**
 * @param {any} asked
 * @param {any} mechanism
 * @param {ShowIf} [showIf]
 * @returns {Built}
 */
export function built(asked, mechanism, showIf) {
  const id = asked.id;
  const rule = showIf ? { show_if: structuredClone(showIf) } : {};
  return {
    asked: { ...asked, ...rule, text: `What about ${id}?` },
    block: { id, questions: [id], mechanism: { ...mechanism, weights: WEIGHTS_AT_ONE } },
  };
}

export const YES_NO = question("asthma", "yes_no", ["yes", "no"]);

/**
 * A published survey as a document: of these questions, one of them asked.
 *
 * @param {readonly Built[]} questions
 * @returns {any}
 */
export function surveyDocument(questions = [YES_NO]) {
  return structuredClone({
    format: "deniable-survey/1",
    slug: "health",
    title: "Health",
    questions: questions.map(({ asked }) => asked),
    privacy: { epsilon: "1", asked: 1, blocks: questions.map(({ block }) => block) },
  });
}

/**
 * How many combinations of answers to closed questions can occur, each counted on its own.
 *
 * @param {readonly Built[]} questions each after those that lead to it.
 */
export function pathCount(questions) {
  const ids = questions.map(({ asked }) => asked.id);
  const every = questions.map(({ asked: { options, required, show_if: rule } }) => [
    ...options.map((/** @type {any} */ { id }) => id),
    ...(required && !rule ? [] : [null]),
  ]);
  /** @type {any[][]} */
  const paths = every.reduce((found, names) => found.flatMap((/** @type {any[]} */ path) => names.map((name) => [...path, name])), [[]]);
  const canOccur = (/** @type {any[]} */ path) =>
    questions.every(({ asked: { required, show_if: rule } }, place) => {
      const router = rule ? ids.indexOf(rule.question) : -1;
      if (router < 0) return true;
      if (!rule.is.includes(path[router])) return path[place] === null;
      return !required || path[place] !== null;
    });
  return paths.filter(canOccur).length;
}

const SMOKES = { question: "smokes", is: ["yes"] };
const COUGHS = { question: "symptoms", is: ["cough"] };

/** One question of every type, some of them reached from others. */
export const EVERY_TYPE = [
  question("smokes", "yes_no", ["yes", "no"]),
  question("brand", "choice", ["red", "green", "blue"], true, SMOKES),
  question("stress", "scale", ["1", "2", "3", "4", "5"], true),
  multiple("symptoms", ["cough", "pain", "fever"], 2, false, SMOKES),
  number("hours", ["-1.5", "30", "0.5"], true, COUGHS),
];

/**
 * A published survey of every type as a document, each asked at epsilon 1.
 *
 * @param {number} [asked]
 */
export function everyTypeDocument(asked = 1) {
  const document = surveyDocument(EVERY_TYPE);
  const pair = { name: "subset", domain_size: 5, size: 2, weights: WEIGHTS_AT_ONE };
  document.privacy.blocks.push({ id: "crosstab", questions: ["smokes", "brand"], mechanism: pair });
  document.privacy.epsilon = String(Math.max(1, asked));
  document.privacy.asked = asked;
  return document;
}

/**
 * The opened survey of such a document, after an edit.
 *
 * @param {(document: any) => void} [edit]
 * @param {readonly Built[]} [questions]
 * @param {Parameters<typeof openSurvey>[1]} [expected]
 */
export function open(edit = () => {}, questions = [YES_NO], expected = {}) {
  const document = surveyDocument(questions);
  edit(document);
  return openSurvey(canonical.encode(document), expected);
}
