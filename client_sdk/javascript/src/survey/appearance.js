/** What a form shows beside the words of its questions: images, a logo, a colour and links. */

import { readText } from "./text.js";

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
 * The image under a key, or null; problems go to the section.
 *
 * @param {Section} section
 * @param {string} key
 * @returns {Image | null}
 */
export function readImage(section, key) {
  if (!section.has(key)) return null;
  const image = section.inner(key);
  image.refuseUnknown(["data", "text"]);
  return Object.freeze({ data: image.identifier("data", DATA), text: readText(image, "text") });
}

/**
 * The link that a section is; problems go to the section.
 *
 * @param {Section} section
 * @returns {Link}
 */
export function readLink(section) {
  section.refuseUnknown(["text", "url"]);
  return Object.freeze({ text: readText(section, "text"), url: section.identifier("url", URL_NAMING) });
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
