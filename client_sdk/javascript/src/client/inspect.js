/** What will be sent, for people to read. */

import { inLanguage } from "../survey/text.js";

/** @import { Report } from "../report.js" */
/** @import { PublishedSurvey } from "../survey/published.js" */

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
    const names = answers.map((answer) =>
      // PrivSet fills a choice up with indexes beyond the options.
      (block.cells?.[answer] ?? [answer])
        .map((own, place) => [own].flat().map((option) => block.questions[place]?.names[option] ?? "a blank").join(" + ") || "none")
        .join(" / "),
    );
    const listed = bits ? names.map((name, i) => `${name}: ${bits[i] ? "yes" : "no"}`) : names;
    if (kind === "range") return `${asked} Reported: from ${listed.join(" to ")}`;
    return `${asked} Reported: ${bits ? "" : `${kind} of: `}${listed.join(", ")}`;
  });
  return { bytes, text: new TextDecoder().decode(bytes), words };
}
