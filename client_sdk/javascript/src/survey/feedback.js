/** Feedback on a score: texts and links that only the respondent's device shows. */

import { readLink } from "./appearance.js";
import { readText } from "./text.js";

/** @import { Link } from "./appearance.js" */
/** @import { Option } from "./options.js" */
/** @import { Section } from "./reading.js" */
/** @import { Text } from "./text.js" */

/**
 * A text for each band, and links that are the same for all bands.
 *
 * @typedef {{ readonly texts: { readonly [band: string]: Text }, readonly links: readonly Link[] }} Feedback
 */

const MAX_LINKS = 10;

/**
 * Reads feedback from its section; problems go to the section.
 *
 * @param {Section} section
 * @param {readonly Option[]} bands
 * @returns {Feedback}
 */
export function readFeedback(section, bands) {
  section.refuseUnknown(["texts", "links"]);
  const texts = section.inner("texts");
  // Keys of published objects are plain ASCII, and bands need not be.
  texts.refuseUnknown(bands.map((_, index) => String(index)));
  return {
    texts: Object.fromEntries(
      bands.flatMap(({ id }, index) => {
        const key = String(index);
        return texts.has(key) ? [[id, readText(texts, key)]] : [];
      }),
    ),
    links: section.sections("links", 0, MAX_LINKS).map(readLink),
  };
}
