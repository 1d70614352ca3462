/** From answers to a report that is kept: checked, randomized once, written. */

import { drawBlocks, randomizeBeside, requireChecked } from "../device.js";
import { Report } from "../report.js";
import { checkCap } from "../survey/published.js";
import { keyOf, newEntry, shed } from "./entry.js";
import { StorageUnavailable } from "./errors.js";
import { fixedBlocks } from "./fixed.js";
import { refuseBeyond, refuseSecond, weightsOf } from "./ledger.js";

/** @import { Answers } from "../answers.js" */
/** @import { ReadBytes } from "../randomness.js" */
/** @import { PublishedSurvey } from "../survey/published.js" */
/** @import { Entry } from "./entry.js" */
/** @import { CheckedOptions } from "./options.js" */
/** @import { Records } from "./records.js" */

/**
 * What a client submits with.
 *
 * @typedef {object} Submitting
 * @property {CheckedOptions} options
 * @property {Records} records
 * @property {ReadBytes} readBytes
 */

/**
 * What a respondent hands over.
 *
 * @typedef {object} Submission
 * @property {PublishedSurvey} survey
 * @property {Answers} answers
 * @property {readonly string[] | undefined} blocks
 * @property {"first" | "edition" | undefined} again
 */

/**
 * The report of a submission, once it is kept; nothing else may be kept
 * meanwhile.
 *
 * @param {Submitting} submitting
 * @param {Submission} submission
 */
export async function keptReport({ options, records, readBytes }, submission) {
  const { survey, answers, blocks } = submission;
  const { collector, epsilonCap, overallCap, log } = options;
  requireChecked(survey);
  const entries = await records.entries();
  const first = firstReport(entries, collector, submission);
  if (first) return first;
  checkCap(survey, epsilonCap);
  const { signatures, kept } = await fixedBlocks(entries, collector, survey);
  refuseBeyond(entries, survey, overallCap, kept);
  const asked = blocks ?? drawBlocks(survey, readBytes);
  const report = randomizeBeside(kept, survey, answers, asked, readBytes);
  const order = (entries.at(-1)?.order ?? 0) + 1;
  const weights = weightsOf(survey, asked.filter((id) => !kept.has(id)));
  const entry = newEntry(collector, survey, report, weights, order);
  for (const [id, signature] of signatures) {
    if (id in report.answers) entry.fixed[signature] = report.answers[id];
  }
  if (!(await records.add(entry))) {
    // Two processes met here, and this one's report is let go of.
    const others = firstReport(await records.entries(), collector, submission);
    if (others) return others;
    throw new StorageUnavailable("another tab or process cleared the storage; nothing was kept");
  }
  log({ event: "queued", report: report.id });
  for (const changed of shed([...entries, entry])) {
    await records.replace(changed);
    if (changed.state === "dropped") log({ event: "dropped", report: changed.report });
  }
  return report;
}

/**
 * The report that the device has of this survey, if that is asked for.
 *
 * @param {readonly Entry[]} entries
 * @param {string} collector
 * @param {Submission} submission
 * @returns {Report | null} null if there is none.
 * @throws {AlreadyAnswered} there is one, and it is not asked for.
 */
function firstReport(entries, collector, { survey, again }) {
  const key = keyOf(collector, survey.digest);
  const first = entries.find((entry) => entry.key === key);
  if (again === "first" && first?.body) {
    const { survey: digest, report, answers } = JSON.parse(first.body);
    return new Report(digest, report, answers);
  }
  refuseSecond(entries, collector, survey, again === "edition");
  return null;
}
