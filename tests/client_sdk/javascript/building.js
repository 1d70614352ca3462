/** Published surveys for tests, as documents and opened. */

import * as canonical from "../../../client_sdk/javascript/src/canonical.js";
import { openSurvey } from "../../../client_sdk/javascript/src/index.js";

// ln of their ratio is below 1 by less than 2.4e-10.
export const WEIGHTS_AT_ONE = [11674931554, 2 ** 32];

/**
 * A question and its block, of subsets of one option at epsilon 1.
 *
 * @param {string} id
 * @param {string} type
 * @param {readonly string[]} options
 * @param {boolean} [required]
 */
export function question(id, type, options, required = false) {
  const size = options.length + (required ? 0 : 1);
  return {
    asked: {
      id,
      type,
      text: `What about ${id}?`,
      options: options.map((option) => ({ id: option })),
      required,
    },
    block: {
      id,
      questions: [id],
      mechanism: { name: "subset", domain_size: size, size: 1, weights: WEIGHTS_AT_ONE },
    },
  };
}

export const YES_NO = question("asthma", "yes_no", ["yes", "no"]);

/**
 * A published survey as a document: of these questions, one of them asked.
 *
 * @param {readonly ReturnType<typeof question>[]} questions
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
 * The opened survey of such a document, after an edit.
 *
 * @param {(document: any) => void} [edit]
 * @param {readonly ReturnType<typeof question>[]} [questions]
 * @param {Parameters<typeof openSurvey>[1]} [expected]
 */
export function open(edit = () => {}, questions = [YES_NO], expected = {}) {
  const document = surveyDocument(questions);
  edit(document);
  return openSurvey(canonical.encode(document), expected);
}
