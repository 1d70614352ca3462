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
    const { kind, answers, bits } = block.mechanism.support(value);
    const names = answers.map((answer) => nameOf(block.questions, answer));
    const listed = bits ? names.map((name, i) => `${name}: ${bits[i] ? "yes" : "no"}`) : names;
    if (kind === "range") return `${asked} Reported: from ${listed.join(" to ")}`;
    return `${asked} Reported: ${bits ? "" : `${kind} of: `}${listed.join(", ")}`;
  });
  return { bytes, text: new TextDecoder().decode(bytes), words };
}

/**
 * @param {Block["questions"]} questions
 * @param {number} index of several questions, counted with the last one fastest.
 * @returns {string}
 */
function nameOf(questions, index) {
  const { names } = /** @type {Question} */ (questions.at(-1));
  // PrivSet fills a choice up with indexes beyond the options.
  if (questions.length === 1) return names[index] ?? "a blank";
  const first = nameOf(questions.slice(0, -1), Math.floor(index / names.length));
  return `${first} / ${names[index % names.length]}`;
}
