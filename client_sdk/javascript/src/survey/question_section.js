/** The sections of a questionnaire: a heading and a note above questions that belong together. */

import { readOptionalText, readText } from "./text.js";

/** @import { Section } from "./reading.js" */
/** @import { Text } from "./text.js" */

/**
 * A section that begins with a question, and ends where the next one begins.
 *
 * @typedef {{ readonly title: Text, readonly note: Text | null }} QuestionSection
 */

/**
 * The section that begins with a question, or null; problems go to the question.
 *
 * @param {Section} question
 * @returns {QuestionSection | null}
 */
export function readQuestionSection(question) {
  if (!question.has("section")) return null;
  const section = question.inner("section");
  section.refuseUnknown(["title", "note"]);
  return Object.freeze({ title: readText(section, "title"), note: readOptionalText(section, "note") });
}
