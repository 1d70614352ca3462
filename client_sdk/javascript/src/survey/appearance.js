/** What a form shows beside the words of its questions: images, a logo, a colour, links, sections. */

import { readOptionalText, readText } from "./text.js";

/** @import { Section } from "./reading.js" */
/** @import { Text } from "./text.js" */

/**
 * An image inside a survey: a data: address with all its bytes, and what it shows in words.
 *
 * @typedef {{ readonly data: string, readonly text: Text }} Image
 */

/**
 * A link to another website.
 *
 * @typedef {{ readonly text: Text, readonly url: string }} Link
 */

/**
 * A heading and a note above questions that belong together: it begins with a question, and ends
 * where the next one begins.
 *
 * @typedef {{ readonly title: Text, readonly note: Text | null }} QuestionSection
 */

const DATA = {
  pattern: /^(?!.{100001})data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/,
  rule: "an image",
};
const ACCENT = { pattern: /^#[0-9a-f]{6}$/, rule: "a colour like #0f5f63" };
const URL_NAMING = {
  pattern: /^https:\/\/[a-z0-9][a-z0-9.-]{0,200}(:[0-9]{1,5})?(\/[!-~]{0,1000})?$/,
  rule: "an https address",
};

/**
 * Reads an image from its section; problems go to the section.
 *
 * @param {Section} section
 * @returns {Image}
 */
export function readImage(section) {
  section.refuseUnknown(["data", "text"]);
  return Object.freeze({ data: section.identifier("data", DATA), text: readText(section, "text") });
}

/**
 * Reads a link from its section; problems go to the section.
 *
 * @param {Section} section
 * @returns {Link}
 */
export function readLink(section) {
  section.refuseUnknown(["text", "url"]);
  return Object.freeze({ text: readText(section, "text"), url: section.identifier("url", URL_NAMING) });
}

/**
 * Reads a heading with its note from its section of the document; problems go to that section.
 *
 * @param {Section} section
 * @returns {QuestionSection}
 */
export function readQuestionSection(section) {
  section.refuseUnknown(["title", "note"]);
  return Object.freeze({ title: readText(section, "title"), note: readOptionalText(section, "note") });
}

/**
 * The colour of buttons and marks, or null; problems go to the section.
 *
 * @param {Section} section
 * @returns {string | null}
 */
export function readAccent(section) {
  return section.has("accent") ? section.identifier("accent", ACCENT) : null;
}
