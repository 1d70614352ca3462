/** What will be sent and what was spent, for people to read. */

import { ALONE } from "./client/client.js";
import { dayOf } from "./client/entry.js";
import { inYear } from "./client/ledger.js";
import { supportOf } from "./mechanisms/support.js";
import { inLanguage } from "./survey/text.js";
import { decimal, epsilonForReaders } from "./weights.js";

/** @import { Client } from "./client/client.js" */
/** @import { Report } from "./report.js" */
/** @import { PublishedSurvey } from "./survey/published.js" */
/** @import { Weights } from "./weights.js" */

/**
 * A report for people to read.
 *
 * @typedef {object} ReportPreview
 * @property {Uint8Array} bytes exactly what is sent.
 * @property {string} text the same, as text.
 * @property {readonly string[]} words a line for each block.
 */

/**
 * One survey that was answered on this device.
 *
 * @typedef {object} SurveySpending
 * @property {string} collector
 * @property {string} slug
 * @property {string} survey the digest.
 * @property {string} report the report's id.
 * @property {readonly Weights[]} weights exactly what it spent: epsilon is the
 *   sum of ln(high / low).
 * @property {string} epsilon for people to read.
 */

/**
 * All that was spent on this device.
 *
 * @typedef {object} Spending
 * @property {readonly SurveySpending[]} surveys
 * @property {string} epsilon of all of them together, for people to read.
 * @property {number} surest how sure anyone can become, from 0.5 to 1, of
 *   something about the person that was as likely as not before.
 * @property {string} words
 * @property {string} yearlyEpsilon what counts against the yearly cap: the
 *   reports of the last 365 days, and what panels have reserved; for people to read.
 * @property {number | null} epsilonCap the most that one survey may spend.
 * @property {number | null} yearlyCap the most that all may spend in 365 days.
 */

/**
 * A report in words and in bytes.
 *
 * @param {Report} report
 * @param {PublishedSurvey} survey of the report.
 * @returns {ReportPreview}
 * @throws {RangeError} it is the report of another survey.
 */
export function inspect(report, survey) {
  if (report.survey !== survey.digest) {
    throw new RangeError(`the report is of the survey ${report.survey}, not of ${survey.digest}`);
  }
  const bytes = report.toBytes();
  const words = Object.entries(report.values).map(([id, value]) => {
    const block = survey.block(id);
    const asked = block.questions.map(({ text }) => inLanguage(text, "en")).join(" / ");
    const { kind, answers, bits } = supportOf(block.mechanism, value);
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

/**
 * What the person has spent on this device, at all collectors.
 *
 * @param {Client} client
 * @returns {Promise<Spending>}
 */
export function spent(client) {
  return client[ALONE](async ({ records, clock, epsilonCap, yearlyCap }) => {
    const entries = await records.entries();
    const epsilon = epsilonForReaders(entries.flatMap(({ weights }) => weights));
    const surest = 1 / (1 + Math.exp(-Number(epsilon)));
    const count = `${entries.length} survey${entries.length === 1 ? "" : "s"}`;
    const percent = Math.ceil(surest * 1000) / 10;
    return {
      surveys: entries.map(({ collector, slug, survey, report, weights }) => {
        return { collector, slug, survey, report, weights, epsilon: epsilonForReaders(weights) };
      }),
      epsilon,
      surest,
      words:
        `You have answered ${count} on this device. The most anyone can learn from the reports: ` +
        `of something about you that seemed as likely as not, they can become ${percent} % sure, ` +
        "and no surer.",
      yearlyEpsilon: inYear(entries, dayOf(clock)).epsilon,
      epsilonCap: epsilonCap && decimal(epsilonCap),
      yearlyCap: yearlyCap && decimal(yearlyCap),
    };
  });
}
