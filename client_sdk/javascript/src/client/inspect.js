/** What will be sent, for people to read. */

import { inLanguage } from "../survey/text.js";

/** @import { Report } from "../report.js" */
/** @import { Block } from "../survey/block.js" */
/** @import { PublishedSurvey } from "../survey/published.js" */
/** @import { Question } from "../survey/questions/index.js" */

/**
 * A report for people to read.
 *
 * @typedef {object} Inspected
 * @property {Uint8Array} bytes exactly what is sent.
 * @property {string} text the same, as text.
 * @property {readonly string[]} words a line for each block; none if the survey
 *   of the report is not known here.
 */

/** @typedef {(place: number) => string} Name what an answer of a block is called. */

/** @type {{ readonly [mechanism: string]: (name: Name, value: any, block: any) => string }} */
const WORDS = {
  subset: (name, value) => `one of: ${[value].flat().map(name).join(", ")}`,
  sampled_bits(name, value) {
    const pairs = /** @type {[number, number][]} */ (value);
    return pairs.map(([place, bit]) => `${name(place)}: ${bit ? "yes" : "no"}`).join(", ");
  },
  privset: (name, value) => `some of: ${value.map(name).join(", ")}`,
  piecewise(name, value, { mechanism }) {
    if (value === mechanism.places) return name(mechanism.domain.options);
    return `from ${mechanism.near(value).map(name).join(" to ")}`;
  },
};

/**
 * A report in words and in bytes.
 *
 * @param {Report} report
 * @param {PublishedSurvey | undefined} survey
 * @returns {Inspected}
 */
export function inspected(report, survey) {
  const bytes = report.toBytes();
  const words = Object.entries(survey ? report.answers : {}).map(([id, value]) => {
    const block = /** @type {PublishedSurvey} */ (survey).block(id);
    const asked = block.questions.map(({ text }) => inLanguage(text, "en")).join(" / ");
    const name = (/** @type {number} */ place) => nameOf(block.questions, place);
    return `${asked} Reported: ${WORDS[block.mechanism.name]?.(name, value, block)}`;
  });
  return { bytes, text: new TextDecoder().decode(bytes), words };
}

/**
 * @param {Block["questions"]} questions
 * @param {number} place of several questions, counted with the last one fastest.
 * @returns {string}
 */
function nameOf(questions, place) {
  const { names } = /** @type {Question} */ (questions.at(-1));
  // PrivSet fills a choice up with places beyond the options.
  if (questions.length === 1) return names[place] ?? "a blank";
  const first = nameOf(questions.slice(0, -1), Math.floor(place / names.length));
  return `${first} / ${names[place % names.length]}`;
}
