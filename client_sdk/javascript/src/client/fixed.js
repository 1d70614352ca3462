/**
 * What was reported of facts that do not change, to be reported again.
 *
 * A later edition of a survey reuses the randomized value of a fixed block: a
 * fresh draw of the same answer would spend epsilon a second time. The value
 * is taken only where all that it was drawn for is the same, byte by byte.
 */

import { decode, digest, encode } from "../canonical.js";
import { questionsToShow } from "../survey/routing.js";
import { editionsOf } from "./entry.js";

/** @import { JSONValue } from "../canonical.js" */
/** @import { PublishedSurvey } from "../survey/published.js" */
/** @import { Question } from "../survey/questions/index.js" */
/** @import { Entry } from "./entry.js" */

/**
 * The survey's fixed blocks by their ids: what each is known by, which is the
 * digest of all that its value depends on, and the values reported before.
 *
 * @typedef {{ signatures: Map<string, string>, kept: Map<string, JSONValue> }} Fixed
 */

/**
 * The survey's fixed blocks, with what this device has reported of them first.
 *
 * @param {readonly Entry[]} entries
 * @param {string} collector
 * @param {PublishedSurvey} survey
 * @returns {Promise<Fixed>}
 */
export async function fixedBlocks(entries, collector, survey) {
  const signatures = new Map();
  const kept = new Map();
  for (const [place, { id, fixed }] of survey.blocks.entries()) {
    if (!fixed) continue;
    /** @type {any} */
    const { questions, privacy } = decode(survey.document);
    // What decides whether its questions are reached counts, too.
    const shown = questionsToShow(survey, [id]).map((question) => question.id);
    const asked = questions.filter((/** @type {Question} */ question) =>
      shown.includes(question.id),
    );
    const signature = await digest(encode([privacy.blocks[place], ...asked]));
    signatures.set(id, signature);
    const first = editionsOf(entries, collector, survey).find(
      (entry) => entry.fixed?.[signature] !== undefined,
    );
    if (first) kept.set(id, first.fixed?.[signature]);
  }
  return { signatures, kept };
}
