/**
 * What was reported of facts that do not change, to be reported again.
 *
 * A later edition of a survey reuses the randomized value of a fixed block: a
 * fresh draw of the same answer would spend epsilon a second time. The value
 * is taken only where all that it was drawn for is the same, byte by byte.
 *
 * What is reported again could tell which reports are of one person. So all
 * that is kept for one series has few outputs together, however many editions
 * add facts to it: others are drawn again each time.
 */

import { decode, digest, encode } from "../canonical.js";
import { MOST_FIXED_OUTPUTS } from "../survey/block.js";
import { neededQuestions } from "../survey/routing.js";

/** @import { JSONValue } from "../canonical.js" */
/** @import { PublishedSurvey } from "../survey/published.js" */
/** @import { Entry } from "./entry.js" */

/**
 * The survey's fixed blocks by their ids: what each whose value may be kept is
 * known by, which is how many outputs it has and the digest of all that its
 * value depends on; and the values reported before.
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
  const editions = entries.filter((entry) => entry.collector === collector && entry.slug === survey.slug);
  // Only the first value counts.
  editions.reverse();
  const found = new Map(editions.flatMap(({ fixed }) => Object.entries(fixed)));
  let outputs = [...found.keys()].reduce((all, signature) => all * parseInt(signature), 1);
  /** @type {any} */
  const { questions, privacy } = decode(survey.document);
  for (const [index, { id, fixed, mechanism }] of survey.blocks.entries()) {
    if (!fixed) continue;
    // What decides whether its questions are reached counts, too.
    const shown = neededQuestions(survey, [id]);
    const asked = shown.map((question) => questions[survey.questions.indexOf(question)]);
    const known = await digest(encode([privacy.blocks[index], ...asked]));
    const signature = `${mechanism.outputs} ${known}`;
    const isKept = found.has(signature);
    if (isKept) kept.set(id, found.get(signature));
    const more = isKept ? 1 : mechanism.outputs;
    if (outputs * more > MOST_FIXED_OUTPUTS) continue;
    outputs *= more;
    signatures.set(id, signature);
  }
  return { signatures, kept };
}
